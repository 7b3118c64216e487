"""Segments at the root."""

import strawberry

from core.dashboards.segments import SEGMENT
from graphql_api.connections import Connection, reads_one, reads_page
from graphql_api.segments.inputs import SegmentFilter
from graphql_api.segments.types import Segment


@strawberry.type
class SegmentQueries:
    segment: Segment | None = reads_one(SEGMENT)
    segments: Connection[Segment] | None = reads_page(
        SEGMENT, filter=SegmentFilter, description="Newest first"
    )
