"""The export of the interface."""

from core import exports
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.exports import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call


async def export_conversations(
    call: Call[None, exports.ExportQuery],
) -> WrittenPage[exports.ExportPage]:
    return await exports.export_conversations(call.caller, call.query)


operations = [
    Operation(
        "GET",
        "/v2/exports/whatsapp",
        export_conversations,
        Scope.MESSAGES_READ,
        "Export the conversational messages of a period, newest first",
        "Exports",
        description=(
            "Messages of the channels `whatsapp` and `instagram`, in both directions, that were "
            "created in the period. "
            "Send `nextCursor` back as `cursor` until it is null; a page costs the same at any "
            "depth. A cursor belongs "
            "to the period and the environment that it was given for."
        ),
        errors=(400, 401, 403, 422),
        query=exports.ExportQuery,
        answer=exports.ExportPage,
        answers=examples.PAGES,
    ),
]
