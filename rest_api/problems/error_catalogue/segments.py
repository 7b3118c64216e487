"""Error catalogue: refusals of segments."""

from core.segments.errors import SegmentNameTaken, TooLarge, UnusableReference
from rest_api.problems.error_doc import ErrorDoc, at

CONFLICTS = (
    ErrorDoc(
        SegmentNameTaken(),
        "Another segment has this name.",
        "Use that segment, or another name.",
        at("POST /v2/segments", "PATCH /v2/segments/{segmentId}"),
    ),
)

INVALID = (
    ErrorDoc(
        UnusableReference(),
        "A condition names a segment that does not exist, or segments that are built "
        "on each other in a circle or "
        "too deep.",
        "Name another segment; at most five stand on top of each other.",
        at("POST /v2/segments", "PATCH /v2/segments/{segmentId}", "POST /v2/segments/preview"),
    ),
    ErrorDoc(
        TooLarge(),
        "The filter has too many conditions or is nested too deep.",
        (
            "Simplify it: at most 50 conditions, five levels deep, the segments it is "
            "built on included."
        ),
        at("POST /v2/segments", "PATCH /v2/segments/{segmentId}", "POST /v2/segments/preview"),
    ),
)
