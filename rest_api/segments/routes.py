"""The operations of dynamic segments."""

from core import journeys, segments
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.segments import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import SEGMENT


async def list_segments(
    call: Call[None, segments.SegmentFilter],
) -> WrittenPage[segments.SegmentPage]:
    return await segments.list_segments(call.caller, call.query)


async def create_segment(call: Call[segments.NewSegment]) -> segments.SegmentRecord:
    return await segments.create_segment(call.caller, call.body)


async def preview(call: Call[segments.Filter]) -> segments.SegmentPreview:
    return await segments.preview(call.caller, call.body)


async def get_segment(call: Call) -> segments.SegmentRecord:
    return await segments.get_segment(call.caller, call.path["segmentId"])


async def change_segment(call: Call[segments.SegmentChanges]) -> segments.SegmentRecord:
    return await segments.change_segment(call.caller, call.path["segmentId"], call.body)


async def delete_segment(call: Call) -> None:
    await journeys.delete_segment(call.caller, call.path["segmentId"])


operations = [
    Operation(
        "GET",
        "/v2/segments",
        list_segments,
        Scope.CONTACTS_READ,
        "List the segments, newest first",
        "Segments",
        errors=(401, 403, 422),
        query=segments.SegmentFilter,
        answer=segments.SegmentPage,
        answers={"one page": examples.PAGE},
    ),
    Operation(
        "POST",
        "/v2/segments",
        create_segment,
        Scope.CONTACTS_WRITE,
        "Store a segment",
        "Segments",
        description="Conditions in `filters` all hold; `filterTree` joins them freely and counts "
        "when both are there.",
        heavy=True,
        errors=(401, 403, 409, 422),
        body=segments.NewSegment,
        answer=segments.SegmentRecord,
        answers={"stored": examples.STORED},
        examples={name: {"name": "Ativos", **filter} for name, filter in examples.FILTERS.items()},
    ),
    Operation(
        "POST",
        "/v2/segments/preview",
        preview,
        Scope.CONTACTS_READ,
        "Try a filter without storing it",
        "Segments",
        description="After 3 seconds the count is an estimate and `partial` is true.",
        heavy=True,
        errors=(401, 403, 422),
        body=segments.Filter,
        answer=segments.SegmentPreview,
        answers={"counted": examples.PREVIEW},
        examples=examples.FILTERS,
    ),
    Operation(
        "GET",
        "/v2/segments/{segmentId}",
        get_segment,
        Scope.CONTACTS_READ,
        "Read a segment",
        "Segments",
        errors=(401, 403, 404),
        answer=segments.SegmentRecord,
        answers={"segment": examples.STORED},
        ids={"segmentId": SEGMENT},
    ),
    Operation(
        "PATCH",
        "/v2/segments/{segmentId}",
        change_segment,
        Scope.CONTACTS_WRITE,
        "Change a segment",
        "Segments",
        heavy=True,
        errors=(401, 403, 404, 409, 422),
        body=segments.SegmentChanges,
        answer=segments.SegmentRecord,
        answers={"renamed": examples.RENAMED},
        ids={"segmentId": SEGMENT},
        examples={"rename": {"name": "Muito ativos"}},
    ),
    Operation(
        "DELETE",
        "/v2/segments/{segmentId}",
        delete_segment,
        Scope.CONTACTS_WRITE,
        "Delete a segment for good",
        "Segments",
        errors=(401, 403, 404),
        status=204,
        ids={"segmentId": SEGMENT},
    ),
]
