"""Segments."""

from typing import TYPE_CHECKING, Annotated

import strawberry
from strawberry import UNSET

from core import segments
from core.read_models.segments import SEGMENT
from graphql_api.accounts.schema import Account
from graphql_api.connections import (
    Connection,
    connection_field,
    node_field,
    relation_connection,
    relation_field,
)
from graphql_api.inputs import input_type
from graphql_api.nodes.schema import Node
from graphql_api.records import record_type

if TYPE_CHECKING:
    from graphql_api.contacts.schema import Contact


@strawberry.input(description="Conditions that all hold.")
class SegmentFilter:
    q: str | None = strawberry.field(
        default=UNSET, description="A part of the name, in any case, with or without accents"
    )


@record_type(segments.SegmentNode)
class SegmentNode:
    children: "list[SegmentNode] | None"
    child: "SegmentNode | None"


@input_type(segments.SegmentCondition)
class SegmentConditionInput:
    pass


@input_type(segments.SegmentNode)
class SegmentNodeInput:
    filter: SegmentConditionInput | None
    children: "list[SegmentNodeInput] | None"
    child: "SegmentNodeInput | None"


@record_type(segments.SegmentRecord)
class Segment(Node):
    filter_tree: SegmentNode | None
    contacts: (
        Connection[Annotated["Contact", strawberry.lazy("graphql_api.contacts.schema")]] | None
    ) = relation_connection("contacts", description="Who matches now, the newest contact first")
    created_by: Account | None = relation_field("createdBy", description="Who made it")


@strawberry.type
class SegmentQueries:
    segment: Segment | None = node_field(SEGMENT)
    segments: Connection[Segment] | None = connection_field(
        SEGMENT, filter=SegmentFilter, description="Newest first"
    )
