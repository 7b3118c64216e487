"""The operations on single messages of conversations."""

from core import conversations
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.conversations import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import MESSAGE


async def list_messages(
    call: Call[None, conversations.MessageFilter],
) -> WrittenPage[conversations.ConversationPage]:
    return await conversations.list_messages(call.caller, call.query)


async def get_message(call: Call) -> conversations.ConversationRecord:
    return await conversations.get_message(call.caller, call.path["id"])


async def send_message(
    call: Call[conversations.NewMessage],
) -> conversations.SentMessage:
    return await conversations.send_message(
        call.caller, call.body, idempotency_key=call.idempotency_key
    )


async def force_message(
    call: Call[conversations.ForcedMessage],
) -> conversations.SentMessage:
    return await conversations.force_message(
        call.caller, call.body, idempotency_key=call.idempotency_key
    )


async def cancel_message(call: Call) -> conversations.ConversationRecord:
    return await conversations.cancel_message(call.caller, call.path["id"])


operations = [
    Operation(
        "GET",
        "/messages",
        list_messages,
        Scope.MESSAGES_READ,
        "List messages of conversations, newest first",
        "Messages",
        description=(
            "Sent and received, on WhatsApp and Instagram. A value that does not exist matches "
            "nothing; a time or a "
            "cursor that cannot be read gives an empty page, with an entry in `warnings`."
        ),
        errors=(401, 403),
        query=conversations.MessageFilter,
        answer=conversations.ConversationPage,
        answers=examples.PAGES,
    ),
    Operation(
        "POST",
        "/messages",
        send_message,
        Scope.MESSAGES_SEND,
        "Send a message",
        "Messages",
        description=(
            "Answers once the message is queued; what becomes of it is told by `message.*` and "
            "`instagram.message.*`. "
            "Within 24 hours after the recipient wrote, everything may be sent and costs "
            "nothing; outside of them only "
            "a template, which is paid when the platform accepts it. An Idempotency-Key is "
            "honoured, but not asked "
            "for. With a test key the last digits of `to` choose what happens: 0005 is read, "
            "0006 is not on the "
            "channel, 0008 meets a window that the platform has closed, 0099 is never reported "
            "on; any other is "
            "delivered."
        ),
        errors=(400, 401, 402, 403, 404, 409, 422, 503),
        status=201,
        body=conversations.NewMessage,
        answer=conversations.SentMessage,
        answers=examples.SENT_ANSWERS,
        keys_itself=True,
        examples=examples.BODIES,
    ),
    Operation(
        "POST",
        "/messages/force",
        force_message,
        Scope.MESSAGES_FORCE,
        "Send a message past the queue",
        "Messages",
        description=(
            "The same send, which waits for no bucket and no quiet hours, and stands in the "
            "audit trail with its "
            "`motivo`. Opt-outs, the 24 hours and the balance count all the same."
        ),
        errors=(400, 401, 402, 403, 404, 409, 422, 503),
        status=201,
        body=conversations.ForcedMessage,
        answer=conversations.SentMessage,
        answers=examples.FORCED_ANSWERS,
        keys_itself=True,
        examples=examples.FORCED,
    ),
    Operation(
        "GET",
        "/messages/{id}",
        get_message,
        Scope.MESSAGES_READ,
        "Read a message of a conversation",
        "Messages",
        errors=(401, 403, 404),
        answer=conversations.ConversationRecord,
        answers={"read": examples.READ},
        ids={"id": MESSAGE},
    ),
    Operation(
        "POST",
        "/messages/{id}/cancel",
        cancel_message,
        Scope.MESSAGES_SEND,
        "Cancel a message that waits",
        "Messages",
        description=(
            "It fails with `lastError` `cancelada`, and what was held for it is given back. 409 "
            "once it is being sent."
        ),
        errors=(401, 403, 404, 409),
        answer=conversations.ConversationRecord,
        answers={"canceled": examples.CANCELED},
        ids={"id": MESSAGE},
    ),
]
