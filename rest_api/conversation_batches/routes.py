"""The operations of the conversational channel on many messages at once, and on those that are
over.
"""

from core import conversations
from core.foundation.security.caller import Scope
from rest_api.conversation_batches import examples
from rest_api.support.operations import MEGABYTE, Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import BATCH, MESSAGE

MAX_BODY_BYTES = 8 * MEGABYTE
"""A thousand recipients, each with variables and metadata."""


async def send_bulk(call: Call[conversations.NewBulk]) -> conversations.TakenBulk:
    return await conversations.send_bulk(
        call.caller, call.body, idempotency_key=call.idempotency_key
    )


async def resend(call: Call[conversations.Resend]) -> conversations.ResentMessages:
    return await conversations.resend_messages(
        call.caller, call.body, idempotency_key=call.idempotency_key
    )


async def get_batch(call: Call) -> conversations.BatchRecord:
    return await conversations.get_batch(call.caller, call.path["id"])


async def cancel_batch(call: Call) -> conversations.BatchRecord:
    return await conversations.cancel_batch(call.caller, call.path["id"])


async def archive_message(call: Call) -> conversations.ConversationRecord:
    return await conversations.archive_message(call.caller, call.path["id"])


operations = [
    Operation(
        "POST",
        "/messages/bulk",
        send_bulk,
        Scope.MESSAGES_SEND,
        "Send a template to many",
        "Messages",
        description=(
            "One message for each of up to 1,000 recipients. A recipient who is refused stands "
            "in `recusadas` with the "
            "code of the single send and stops nobody else; who stands there twice is sent to "
            "once. What concerns all "
            "refuses the call, and so does a balance that does not cover everybody: then nothing "
            "is sent."
        ),
        heavy=True,
        errors=(400, 401, 402, 403, 404, 409, 422, 503),
        status=202,
        body=conversations.NewBulk,
        body_limit=MAX_BODY_BYTES,
        answer=conversations.TakenBulk,
        answers={"taken": examples.TAKEN},
        keys_itself=True,
        examples={"three recipients": examples.BULK},
    ),
    Operation(
        "POST",
        "/messages/bulk-resend",
        resend,
        Scope.MESSAGES_SEND,
        "Send failed messages again",
        "Messages",
        description=(
            "Only messages that failed for a passing reason, not longer than 7 days ago, and "
            "that nothing stands in "
            "for yet. A new message (`reprocessed`) is made of each, and the old one names it in "
            "`replacedBy`. "
            "Repeating the call sends nothing new. `simular` tells what would happen."
        ),
        heavy=True,
        errors=(400, 401, 402, 403, 422, 503),
        status=202,
        body=conversations.Resend,
        keys_itself=True,
        answer=conversations.ResentMessages,
        answers=examples.RESENT,
        examples=examples.RESENDS,
    ),
    Operation(
        "GET",
        "/batches/{id}",
        get_batch,
        Scope.MESSAGES_READ,
        "Read a batch",
        "Messages",
        description="Its messages are listed by `GET /messages?batchId=`.",
        errors=(401, 403, 404),
        answer=conversations.BatchRecord,
        answers={"under way": examples.UNDER_WAY},
        ids={"id": BATCH},
    ),
    Operation(
        "POST",
        "/batches/{id}/cancel",
        cancel_batch,
        Scope.MESSAGES_SEND,
        "Cancel what is left of a batch",
        "Messages",
        description=(
            "Its queued messages fail as `cancelada`, and what was held for them is given back; "
            "what is being sent is "
            "sent. Canceling twice changes nothing."
        ),
        heavy=True,
        errors=(401, 403, 404),
        answer=conversations.BatchRecord,
        answers={"canceled": examples.CANCELED},
        ids={"id": BATCH},
    ),
    Operation(
        "POST",
        "/messages/{id}/archive",
        archive_message,
        Scope.MESSAGES_SEND,
        "Archive a message",
        "Messages",
        description="Delivered, read or failed, it is laid aside as `archived` for good. Twice "
        "changes nothing.",
        errors=(401, 403, 404, 409),
        answer=conversations.ConversationRecord,
        answers={"archived": examples.ARCHIVED},
        ids={"id": MESSAGE},
    ),
]
