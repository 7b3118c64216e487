"""Flows."""

from typing import TYPE_CHECKING, Annotated

import strawberry
from strawberry import UNSET

from core.flows import FlowCategory as Category
from core.flows import FlowStatus as Status
from core.flows import MetaStatus
from core.read_models.flows import FLOW
from graphql_api.connections import Connection, connection_field, node_field, relation_field
from graphql_api.enums import wire_enum
from graphql_api.inputs import register_enum
from graphql_api.nodes.schema import Node
from graphql_api.scalars import JSON, DateTime

if TYPE_CHECKING:
    from graphql_api.numbers.schema import Number


FlowStatus = wire_enum("FlowStatus", Status)
FlowMetaStatus = wire_enum("FlowMetaStatus", MetaStatus)
FlowCategory = wire_enum("FlowCategory", Category)

register_enum(Category, FlowCategory)


@strawberry.input(description="Conditions that all hold.")
class FlowFilter:
    status: FlowStatus | None = UNSET
    meta_status: FlowMetaStatus | None = UNSET
    category: FlowCategory | None = UNSET
    number_id: strawberry.ID | None = UNSET


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
    number: Annotated["Number", strawberry.lazy("graphql_api.numbers.schema")] | None = (
        relation_field("number")
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


@strawberry.type
class FlowQueries:
    flow: Flow | None = node_field(FLOW)
    flows: Connection[Flow] | None = connection_field(
        FLOW, filter=FlowFilter, description="Newest first"
    )
