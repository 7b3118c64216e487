"""The segment shapes."""

from typing import Annotated, Any

from pydantic import WithJsonSchema

from core.segments.inputs import LEAF_SCHEMA, TREE_SCHEMA
from rest_api.support.shapes import Listed, Out, Timestamp


class SegmentUse(Out):
    """How many journeys and dispatches use the segment."""

    journeys: int
    dispatches: int


class SegmentRecord(Out):
    """A stored filter. `size` is what the last count found, at `sizeAt`; absent while none has
    ended.
    """

    id: str
    organization_id: str
    name: str
    description: str | None = None
    filters: list[Annotated[dict[str, Any], WithJsonSchema(LEAF_SCHEMA)]] | None = None
    filter_tree: Annotated[dict[str, Any], WithJsonSchema(TREE_SCHEMA)] | None = None
    size: int | None = None
    size_at: Timestamp | None = None
    in_use: SegmentUse
    created_by_id: str | None = None
    created_at: Timestamp
    updated_at: Timestamp


class SegmentPage(Listed):
    """A page of segments, newest first."""

    items: list[SegmentRecord]
    total: int
    next_cursor: str | None = None


class SegmentPreview(Out):
    """Who matches now: all of them counted, up to ten of them named. `partial` marks an estimate."""

    count: int
    sample: list[str]
    evaluated_at: Timestamp
    partial: bool
