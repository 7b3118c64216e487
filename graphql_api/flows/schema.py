"""Flows."""

from typing import TYPE_CHECKING, Annotated

import strawberry
from strawberry import UNSET

from core.flows import FlowCategory, FlowRecord, FlowStatus, MetaStatus, ValidationRecord
from core.read_models.flows import FLOW
from graphql_api.connections import Connection, connection_field, node_field, relation_field
from graphql_api.enums import enum_of
from graphql_api.nodes.schema import Node
from graphql_api.records import record_type, type_of
from graphql_api.scalars import JSON

if TYPE_CHECKING:
    from graphql_api.numbers.schema import Number


@strawberry.input(description="Conditions that all hold.")
class FlowFilter:
    status: enum_of(FlowStatus) | None = strawberry.field(
        default=UNSET, description="How far the flow has come here"
    )
    meta_status: enum_of(MetaStatus) | None = strawberry.field(
        default=UNSET, description="How the platform sees it"
    )
    category: enum_of(FlowCategory) | None = strawberry.field(
        default=UNSET, description="What it is for"
    )
    number_id: strawberry.ID | None = strawberry.field(
        default=UNSET, description="The number that it is sent from"
    )


@record_type(FlowRecord)
class Flow(Node):
    """A form of several screens inside a conversation."""

    flow_json: JSON
    number: Annotated["Number", strawberry.lazy("graphql_api.numbers.schema")] | None = (
        relation_field("number", description="The number that it is sent from")
    )


FlowValidation = type_of(ValidationRecord)


@strawberry.type
class FlowQueries:
    flow: Flow | None = node_field(
        FLOW, description="The flow of this id; null where there is none"
    )
    flows: Connection[Flow] | None = connection_field(
        FLOW, filter=FlowFilter, description="Newest first"
    )
