"""What can be done with segments, and a look at what a filter matches."""

from core import journeys, segments
from core.foundation.security.caller import Scope
from core.read_models.segments import SEGMENT
from graphql_api.mutations import Deleted, mutation_field, mutation_type
from graphql_api.records import type_of
from graphql_api.segments.schema import Segment

WRITE = Scope.CONTACTS_WRITE


SegmentPreview = type_of(segments.SegmentPreview)


@mutation_type
class SegmentMutations:
    create_segment: Segment | None = mutation_field(
        segments.create_segment,
        segments.NewSegment,
        heavy=True,
        scope=WRITE,
        answers=SEGMENT,
        description="Store conditions by which contacts are chosen.",
    )
    update_segment: Segment | None = mutation_field(
        segments.change_segment,
        segments.SegmentChanges,
        heavy=True,
        scope=WRITE,
        answers=SEGMENT,
        ids=("id",),
        description="Change what is sent of a segment.",
    )
    delete_segment: Deleted | None = mutation_field(
        journeys.delete_segment,
        scope=WRITE,
        answers=Deleted,
        ids=("id",),
        description=(
            "Delete a segment for good: journeys that run on it are paused, notifications that "
            "wait for it fail."
        ),
    )


@mutation_type
class SegmentPreviews:
    segment_preview: SegmentPreview | None = mutation_field(
        segments.preview,
        segments.Filter,
        scope=Scope.CONTACTS_READ,
        description=(
            "How many contacts match conditions, and the ids of up to ten; nothing is stored."
        ),
    )
