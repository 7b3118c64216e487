"""Use cases: send one message, with or without pacing; accepted at once, handed over later."""

from collections.abc import Mapping
from datetime import datetime
from typing import cast

from core import audit, idempotency, wallet
from core.conversations.addresses import identity_of
from core.conversations.inputs import ForcedMessage, NewMessage
from core.conversations.record import SentMessage, masked_record, message_record, names_of
from core.conversations.sending.accept import accept_messages
from core.conversations.sending.send_request import AcceptedMessage, ConversationRequest
from core.decisions import KeepRefusals
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller, Scope
from core.messaging import count_send

SEND_ROUTE = "POST /messages"
FORCE_ROUTE = "POST /messages/force"


async def send_message(
    caller: Caller, new: NewMessage, *, idempotency_key: str | None = None
) -> SentMessage:
    """Accept one message as queued, once per key, with its price held. Answers the record with
    `replayed`.

    Raises NotFound, NumberUnavailable, WindowClosed, RecipientOptedOut, PaymentRequired,
    ServiceUnavailable, what templates, media and flows refuse, and the refusals of the key.
    (Decisions: Conversational channel.)
    """
    request = new.send_request()
    async with _refusals_kept(caller, request):
        caller.require(Scope.MESSAGES_SEND)
        return await _send(caller, new, request, SEND_ROUTE, idempotency_key)


async def force_message(
    caller: Caller, new: ForcedMessage, *, idempotency_key: str | None = None
) -> SentMessage:
    """The same past buckets and quiet hours, and no other rule: audited, with its reason."""
    request = new.send_request(force=True)
    async with _refusals_kept(caller, request):
        caller.require(Scope.MESSAGES_FORCE)
        return await _send(caller, new, request, FORCE_ROUTE, idempotency_key)


def _refusals_kept(caller: Caller, request: ConversationRequest) -> KeepRefusals:
    def identity() -> bytes | None:
        if request.to is None:
            return None
        unified = caller.unifies_ninth_digit
        return identity_of(request.channel, caller.organization_id, request.to, unified=unified)

    return KeepRefusals(caller, request.channel, contact_id=request.contact_id, identity=identity)


async def _send(
    caller: Caller, new: NewMessage, request: ConversationRequest, route: str, key: str | None
) -> SentMessage:
    async def effect() -> tuple[str, Mapping[str, object], datetime]:
        return (
            request.id,
            await _take(caller, request, new, at=now()),
            request.scheduled_at or now(),
        )

    try:
        if key is None:
            async with transaction():
                _, answer, _ = await effect()
        else:
            body = new.model_dump(mode="json", by_alias=True, exclude_unset=True)
            answer = await idempotency.once(idempotency.key_use(caller, route, key, body), effect)
    except wallet.InsufficientBalance:
        # The warning that the refusal called for went with its transaction.
        owner = (caller.organization_id, caller.env)
        await wallet.warn_where_due(await wallet.lock_balances({owner}), refused={owner}, at=now())
        raise
    replayed = answer["id"] != request.id
    if replayed:
        count_send(request.channel, caller.env, "replayed")
    shown = answer if caller.sees_personal_data else masked_record(answer)
    return cast("SentMessage", {**shown, "replayed": replayed})


async def _take(
    caller: Caller, request: ConversationRequest, new: NewMessage, *, at: datetime
) -> dict[str, object]:
    (outcome,) = await accept_messages(caller, [request], at=at)
    if not isinstance(outcome, AcceptedMessage):
        raise outcome
    if isinstance(new, ForcedMessage):
        await audit.write_entry(caller, "message.forced", request.id, {"motivo": new.motivo}, at=at)
    names = await names_of(caller.organization_id, [outcome.row])
    record = message_record(outcome.row, masked=False, names=names)
    return {**record, "billing": {"coins": outcome.coins}}
