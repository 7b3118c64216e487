"""Segments."""

from typing import TYPE_CHECKING, Annotated

import strawberry
from strawberry import UNSET

from core.read_models.segments import SEGMENT
from graphql_api.connections import Connection, connection_field, node_field, relation_connection
from graphql_api.nodes.schema import Node
from graphql_api.scalars import JSON, DateTime

if TYPE_CHECKING:
    from graphql_api.contacts.schema import Contact


@strawberry.input(description="Conditions that all hold.")
class SegmentFilter:
    q: str | None = strawberry.field(
        default=UNSET, description="A part of the name, in any case, with or without accents"
    )


@strawberry.type(description="How many journeys and dispatches use a segment.")
class SegmentUse:
    journeys: int
    dispatches: int


@strawberry.type(description="A stored filter over contacts.")
class Segment(Node):
    organization_id: strawberry.ID
    name: str
    description: str | None
    filters: JSON | None = strawberry.field(
        description="Conditions that all hold; `filterTree` counts before them"
    )
    filter_tree: JSON | None
    size: int | None = strawberry.field(description="What the last count found, at `sizeAt`")
    size_at: DateTime | None
    in_use: SegmentUse
    created_by_id: strawberry.ID | None
    created_at: DateTime
    updated_at: DateTime
    contacts: (
        Connection[Annotated["Contact", strawberry.lazy("graphql_api.contacts.schema")]] | None
    ) = relation_connection("contacts", description="Who matches now, the newest contact first")


@strawberry.type
class SegmentQueries:
    segment: Segment | None = node_field(SEGMENT)
    segments: Connection[Segment] | None = connection_field(
        SEGMENT, filter=SegmentFilter, description="Newest first"
    )
