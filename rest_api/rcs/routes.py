"""The RCS operations of the interface."""

from core import rcs
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.rcs import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import MESSAGE


async def send_message(call: Call[rcs.NewRcs]) -> rcs.RcsRecord:
    assert call.idempotency_key is not None
    return await rcs.send_message(call.caller, call.body, idempotency_key=call.idempotency_key)


async def list_messages(call: Call[None, rcs.RcsFilter]) -> WrittenPage[rcs.RcsPage]:
    return await rcs.list_messages(call.caller, call.query)


async def get_message(call: Call) -> rcs.RcsRecord:
    return await rcs.get_message(call.caller, call.path["id"])


async def cancel_message(call: Call) -> rcs.RcsRecord:
    return await rcs.cancel_message(call.caller, call.path["id"])


operations = [
    Operation(
        "GET",
        "/v2/rcs/messages",
        list_messages,
        Scope.RCS_READ,
        "List RCS messages, newest first",
        "RCS",
        description=(
            "A value that no message has matches nothing; a malformed `limit` is left out, with "
            "an entry in "
            "`warnings`. A cursor that cannot be read gives an empty page without `nextCursor`."
        ),
        errors=(401, 403),
        query=rcs.RcsFilter,
        answer=rcs.RcsPage,
        answers=examples.PAGES,
    ),
    Operation(
        "POST",
        "/v2/rcs/messages",
        send_message,
        Scope.RCS_SEND,
        "Send an RCS message",
        "RCS",
        description=(
            "Answers once the provider accepted or refused; what became of it is reported later "
            "by webhook. The same "
            "key and body get the first answer again and send nothing. `fallback` is the SMS for "
            "a phone without RCS; "
            "without it that person receives nothing. The dearer way is held, and the one that "
            "was taken is paid. With "
            "a test key the last digits of `to` choose the report: 0005 delivered and then read, "
            "0006 no RCS (with "
            "`fallback` delivered as SMS, without failed: no_rcs), 0008 failed (rejected), 0013 "
            "failed (expired), 0099 "
            "no report ever, 0114 refused at once with 503; any other delivered by RCS. With "
            "`scheduledAt` it answers `queued`, with the price held, and the message "
            "leaves at that "
            "time."
        ),
        errors=(400, 401, 402, 403, 409, 412, 422, 502, 503),
        status=201,
        body=rcs.NewRcs,
        answer=rcs.RcsRecord,
        answers=examples.SENT_ANSWERS,
        needs_key=True,
        keys_itself=True,
        examples=examples.BODIES,
    ),
    Operation(
        "GET",
        "/v2/rcs/messages/{id}",
        get_message,
        Scope.RCS_READ,
        "Read one RCS message",
        "RCS",
        errors=(401, 403, 404),
        answer=rcs.RcsRecord,
        answers=examples.READ_ANSWERS,
        ids={"id": MESSAGE},
    ),
    Operation(
        "POST",
        "/v2/rcs/messages/{id}/cancel",
        cancel_message,
        Scope.RCS_SEND,
        "Cancel an RCS message that waits",
        "RCS",
        description=(
            "It fails with the failureReason `canceled`, and what was held for it is given back. "
            "409 once it is being sent."
        ),
        errors=(401, 403, 404, 409),
        answer=rcs.RcsRecord,
        answers={"canceled": examples.CANCELED},
        ids={"id": MESSAGE},
    ),
]
