"""Pipelines, their stages and their reasons for losing."""

from typing import TYPE_CHECKING, Annotated, Any, cast

import strawberry
from strawberry import UNSET
from strawberry.types import Info

from core import pipelines
from core.read_models import pipelines as read_models
from core.read_models.pipelines import PIPELINE
from core.read_models.query_compiler import read_page
from graphql_api.accounts.schema import Account
from graphql_api.cards.schema import CardFilter, CardOrder
from graphql_api.connections import (
    AFTER,
    BEFORE,
    FIRST,
    LAST,
    Connection,
    node_field,
    relation_connection,
    relation_field,
)
from graphql_api.context import caller_of
from graphql_api.lookahead import page_under
from graphql_api.nodes.schema import Node
from graphql_api.records import record_type, type_of

if TYPE_CHECKING:
    from graphql_api.cards.schema import Card


Cards = Connection[Annotated["Card", strawberry.lazy("graphql_api.cards.schema")]]


DealValue = type_of(read_models.DealValue)


@record_type(pipelines.StageRecord)
class Stage(Node):
    quantidade: int | None = strawberry.field(description="How many cards lie in it now")
    atrasados: int | None = strawberry.field(
        description="How many of them have been in it for longer than it allows"
    )
    valor_total: float | None = strawberry.field(
        description="What they are worth, those in the pipeline's currency"
    )
    valores: list[DealValue] | None = strawberry.field(
        description="What they are worth by currency, never added up"
    )
    cards: Cards | None = relation_connection(
        "cards",
        filter=CardFilter,
        order=CardOrder,
        description="By their place in it unless told otherwise",
    )
    pipeline: Annotated["Pipeline", strawberry.lazy("graphql_api.pipelines.schema")] | None = (
        relation_field("pipeline", description="The pipeline that it belongs to")
    )


@record_type(pipelines.LostReasonRecord)
class LostReason(Node):
    pass


@record_type(pipelines.PipelineRecord)
class Pipeline(Node):
    etapas: list[Stage] = relation_field("etapas", description="In their order")
    motivos: list[LostReason] = relation_field("motivos", description="In their order")
    created_by: Account | None = relation_field("createdBy", description="Who made it")
    cards: Cards | None = relation_connection(
        "cards",
        filter=CardFilter,
        order=CardOrder,
        description="Of all its stages, newest first unless told otherwise",
    )


async def _pipelines(
    info: Info,
    *,
    first: Annotated[int | None, strawberry.argument(description=FIRST)] = UNSET,
    last: Annotated[int | None, strawberry.argument(description=LAST)] = UNSET,
    after: Annotated[str | None, strawberry.argument(description=AFTER)] = UNSET,
    before: Annotated[str | None, strawberry.argument(description=BEFORE)] = UNSET,
    include_archived: Annotated[
        bool | None, strawberry.argument(description="Also those that were archived")
    ] = False,
) -> Connection[Pipeline] | None:
    """A page whose condition stands beside the arguments of pages, as in REST, and not in a filter."""
    asked = {"first": first, "last": last, "after": after, "before": before}
    arguments: dict[str, Any] = {name: value for name, value in asked.items() if value is not UNSET}
    arguments["filter"] = {"includeArchived": include_archived}
    under = page_under(info._raw_info)  # noqa: SLF001 - the look-ahead reads what graphql-core knows
    return cast(
        "Connection[Pipeline]", await read_page(caller_of(info), PIPELINE, arguments, *under)
    )


@strawberry.type
class PipelineQueries:
    pipeline: Pipeline | None = node_field(PIPELINE)
    pipelines: Connection[Pipeline] | None = strawberry.field(
        resolver=_pipelines, description="By their position"
    )
