"""What can be done with segments, and a look at what a filter matches."""

import strawberry

from core import segments
from core.dashboards.segments import SEGMENT
from core.foundation.security.caller import Scope
from graphql_api.mutations import Deleted, deeds, does
from graphql_api.scalars import DateTime
from graphql_api.segments.types import Segment

WRITE = Scope.CONTACTS_WRITE


@strawberry.type(description="Who matches now: all of them counted, up to ten of them named.")
class SegmentPreview:
    count: int
    sample: list[strawberry.ID]
    evaluated_at: DateTime
    partial: bool = strawberry.field(description="The count is an estimate")


@deeds
class SegmentMutations:
    create_segment: Segment | None = does(
        segments.create_segment, segments.NewSegment, heavy=True, scope=WRITE, answers=SEGMENT
    )
    update_segment: Segment | None = does(
        segments.change_segment,
        segments.SegmentChanges,
        heavy=True,
        scope=WRITE,
        answers=SEGMENT,
        ids=("id",),
    )
    delete_segment: Deleted | None = does(
        segments.delete_segment, scope=WRITE, answers=Deleted, ids=("id",)
    )


@deeds
class SegmentPreviews:
    segment_preview: SegmentPreview | None = does(
        segments.preview,
        segments.Filter,
        scope=Scope.CONTACTS_READ,
        description="Nothing is stored.",
    )
