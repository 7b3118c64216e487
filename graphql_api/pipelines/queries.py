"""Pipelines at the root."""

from typing import Annotated, Any, cast

import strawberry
from strawberry import UNSET
from strawberry.types import Info

from core.dashboards.pipelines import PIPELINE
from core.dashboards.reading import read_page
from graphql_api.connections import AFTER, BEFORE, FIRST, LAST, Connection, reads_one
from graphql_api.context import caller_of
from graphql_api.lookahead import page_under
from graphql_api.pipelines.types import Pipeline


async def _pipelines(
    info: Info,
    *,
    first: Annotated[int | None, strawberry.argument(description=FIRST)] = UNSET,
    last: Annotated[int | None, strawberry.argument(description=LAST)] = UNSET,
    after: Annotated[str | None, strawberry.argument(description=AFTER)] = UNSET,
    before: Annotated[str | None, strawberry.argument(description=BEFORE)] = UNSET,
    include_archived: bool | None = False,
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
    pipeline: Pipeline | None = reads_one(PIPELINE)
    pipelines: Connection[Pipeline] | None = strawberry.field(
        resolver=_pipelines, description="By their position"
    )
