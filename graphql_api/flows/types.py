"""Flows."""

from typing import TYPE_CHECKING, Annotated

import strawberry

from graphql_api.connections import hangs
from graphql_api.flows.enums import FlowCategory, FlowMetaStatus, FlowStatus
from graphql_api.nodes.types import Node
from graphql_api.scalars import JSON, DateTime

if TYPE_CHECKING:
    from graphql_api.numbers.types import Number


@strawberry.type(description="A form of several screens inside a conversation.")
class Flow(Node):
    organization_id: strawberry.ID
    number_id: strawberry.ID
    name: str
    description: str | None
    status: FlowStatus
    version: int
    versao_de: strawberry.ID | None = strawberry.field(
        description="The published flow that it began as"
    )
    meta_flow_id: str | None
    meta_status: FlowMetaStatus | None = strawberry.field(description="How the platform sees it")
    meta_categories: list[FlowCategory]
    flow_json: JSON
    published_at: DateTime | None
    created_at: DateTime
    updated_at: DateTime
    number: Annotated["Number", strawberry.lazy("graphql_api.numbers.types")] | None = hangs(
        "number"
    )


@strawberry.type(description="A place in a flow and what is to be said about it.")
class FlowFinding:
    pointer: str
    codigo: str
    mensagem: str


@strawberry.type(description="`erros` keep the flow from being published, `avisos` do not.")
class FlowValidation:
    valido: bool
    erros: list[FlowFinding]
    avisos: list[FlowFinding]
