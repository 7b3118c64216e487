"""Receiving in the sandbox."""

from core import conversations
from core.conversations import inbound
from core.foundation.security.caller import Scope
from rest_api.conversations_inbound import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call


async def receive_message(
    call: Call[inbound.NewInbound],
) -> conversations.ConversationRecord:
    return await inbound.receive_in_sandbox(call.caller, call.body)


operations = [
    Operation(
        "POST",
        "/v2/sandbox/messages/inbound",
        receive_message,
        Scope.MESSAGES_SEND,
        "Let somebody write to a number or an Instagram account",
        "Sandbox",
        description=(
            "Test keys only. The message is stored and published as a real one: it opens the 24 "
            "hours of free answers, "
            "and creates or updates the contact of its sender."
        ),
        errors=(400, 401, 403, 404, 422),
        status=201,
        body=inbound.NewInbound,
        answer=conversations.ConversationRecord,
        answers={"received": examples.RECEIVED},
        examples=examples.BODIES,
    )
]
