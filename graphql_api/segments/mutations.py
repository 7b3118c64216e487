"""What can be done with segments, and a look at what a filter matches."""

import strawberry

from core import journeys, segments
from core.foundation.security.caller import Scope
from core.read_models.segments import SEGMENT
from graphql_api.mutations import Deleted, mutation_field, mutation_type
from graphql_api.scalars import DateTime
from graphql_api.segments.schema import Segment

WRITE = Scope.CONTACTS_WRITE


@strawberry.type(description="Who matches now: all of them counted, up to ten of them named.")
class SegmentPreview:
    count: int
    sample: list[strawberry.ID]
    evaluated_at: DateTime
    partial: bool = strawberry.field(description="The count is an estimate")


@mutation_type
class SegmentMutations:
    create_segment: Segment | None = mutation_field(
        segments.create_segment, segments.NewSegment, heavy=True, scope=WRITE, answers=SEGMENT
    )
    update_segment: Segment | None = mutation_field(
        segments.change_segment,
        segments.SegmentChanges,
        heavy=True,
        scope=WRITE,
        answers=SEGMENT,
        ids=("id",),
    )
    delete_segment: Deleted | None = mutation_field(
        journeys.delete_segment, scope=WRITE, answers=Deleted, ids=("id",)
    )


@mutation_type
class SegmentPreviews:
    segment_preview: SegmentPreview | None = mutation_field(
        segments.preview,
        segments.Filter,
        scope=Scope.CONTACTS_READ,
        description="Nothing is stored.",
    )
