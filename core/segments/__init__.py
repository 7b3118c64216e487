"""Dynamic segments: the contacts that match a filter at this moment."""

from core.segments.edit import (
    change_segment,
    create_segment,
    keep_from_deletion,
    remove_segment,
)
from core.segments.errors import SegmentNameTaken, UnusableReference
from core.segments.evaluate import (
    condition_of,
    conditions_of,
    count_matching,
    members_condition,
    preview,
    tree_condition,
)
from core.segments.inputs import Filter, NewSegment, SegmentChanges, SegmentFilter
from core.segments.leaves import ATTRIBUTE_OPERATORS
from core.segments.models import Segment, SegmentNodeKind, SegmentOperator
from core.segments.queries import get_segment, list_segments
from core.segments.record import (
    SEGMENT,
    SegmentCondition,
    SegmentNode,
    SegmentPage,
    SegmentPreview,
    SegmentRecord,
)
from core.segments.recount import NEXT_COUNT, recount_stale
from core.segments.uses import counted_among_uses, in_use

__all__ = [
    "ATTRIBUTE_OPERATORS",
    "NEXT_COUNT",
    "SEGMENT",
    "Filter",
    "NewSegment",
    "Segment",
    "SegmentChanges",
    "SegmentCondition",
    "SegmentFilter",
    "SegmentNameTaken",
    "SegmentNode",
    "SegmentNodeKind",
    "SegmentOperator",
    "SegmentPage",
    "SegmentPreview",
    "SegmentRecord",
    "UnusableReference",
    "change_segment",
    "condition_of",
    "conditions_of",
    "count_matching",
    "counted_among_uses",
    "create_segment",
    "get_segment",
    "in_use",
    "keep_from_deletion",
    "list_segments",
    "members_condition",
    "preview",
    "recount_stale",
    "remove_segment",
    "tree_condition",
]
