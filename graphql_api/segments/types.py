"""Segments."""

from typing import TYPE_CHECKING, Annotated

import strawberry

from graphql_api.connections import Connection, hangs_page
from graphql_api.nodes.types import Node
from graphql_api.scalars import JSON, DateTime

if TYPE_CHECKING:
    from graphql_api.contacts.types import Contact


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
        Connection[Annotated["Contact", strawberry.lazy("graphql_api.contacts.types")]] | None
    ) = hangs_page("contacts", description="Who matches now, the newest contact first")
