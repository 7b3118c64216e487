"""Use case: send one template to many recipients, in one call."""

from collections.abc import Mapping
from datetime import datetime
from typing import cast

from core import decisions, idempotency, wallet
from core.conversations.batches.inputs import NewBulk
from core.conversations.batches.record import TakenBulk
from core.conversations.batches.skips import skip_of
from core.conversations.batches.store import NewBatch, coins_of, refuse_unpaid, store_batch
from core.conversations.errors import RepeatedRecipient
from core.conversations.models import BatchKind
from core.conversations.sending.accept import accept_messages
from core.conversations.sending.prepare import refuse_template
from core.conversations.sending.send_request import ConversationRequest
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.errors import ServiceError, ValidationFailed
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.foundation.turns import in_turns, let_go
from core.foundation.validation.phones import MaskedValue, NotAPhone, parse_phone
from core.messaging import Channel

KEY_ROUTE = "POST /messages/bulk"

OF_THE_CALL = ("/numberId", "/templateId", "/payload", "/quoteId")
"""Where the refusal of a request is about what all have in common."""


async def send_bulk(
    caller: Caller, new: NewBulk, *, idempotency_key: str | None = None
) -> TakenBulk:
    """Accept one message for each recipient; answers `{batchId, aceitas, recusadas: [{indice,
    codigo}], coinsEstimados}`. With a key, once per key.

    A recipient who is refused (`codigo`: that of the single send, or `repetido` behind the one who
    is sent to) stops nobody else. What concerns all refuses the whole call, whoever the recipients
    are: Raises NotFound, Conflict, ValidationFailed, ServiceUnavailable, PaymentRequired where the
    balance does not cover all who could be sent to, and the refusals of the key. (Decisions:
    Conversational channel.)
    """
    caller.require(Scope.MESSAGES_SEND)

    async def effect() -> tuple[str, Mapping[str, object], datetime]:
        answer = await _send(caller, new)
        return answer["batchId"], answer, new.scheduled_at or now()

    try:
        if idempotency_key is None:
            return await _send(caller, new)
        use = await idempotency.key_use_in_turns(
            caller, KEY_ROUTE, idempotency_key, new, items="recipients"
        )
        return cast("TakenBulk", await idempotency.once(use, effect))
    except wallet.InsufficientBalance:
        owner = (caller.organization_id, caller.env)
        await wallet.warn_where_due(await wallet.lock_balances({owner}), refused={owner}, at=now())
        raise


async def _send(caller: Caller, new: NewBulk) -> TakenBulk:
    at, batch_id = now(), new_id("btc")
    requests, refused = await _send_requests(new, batch_id=batch_id)
    skipped: list[decisions.Skip] = []
    async with transaction():
        outcomes = await accept_messages(caller, list(requests.values()), at=at, once_each=True)
        refuse_unpaid(outcomes)
        async for place, outcome in in_turns(zip(requests, outcomes, strict=True)):
            if isinstance(outcome, ServiceError):
                refused[place] = _code_of(outcome)
                skipped += skip_of(caller, requests[place], outcome)
        accepted, coins = len(new.recipients) - len(refused), coins_of(outcomes)
        if (
            not accepted
        ):  # what is wrong with a recipient is found first, and may hide what is wrong for all
            await refuse_template(
                caller, new.send_request(new.recipients[0], to=None, batch_id=batch_id)
            )
        batch = NewBatch(
            id=batch_id,
            kind=BatchKind.BULK,
            number_id=new.number_id,
            template_id=new.template_id,
            campaign_id=new.campaign_id,
            accepted=accepted,
            refused=len(refused),
            coins=coins,
        )
        await store_batch(caller, batch, at=at)
        await decisions.keep_skips(caller, Channel.WHATSAPP, skipped, part_of=batch_id)
    del requests
    await let_go(outcomes)
    return {
        "batchId": batch_id,
        "aceitas": accepted,
        "recusadas": [{"indice": place, "codigo": refused[place]} for place in sorted(refused)],
        "coinsEstimados": coins,
    }


async def _send_requests(
    new: NewBulk, *, batch_id: str
) -> tuple[dict[int, ConversationRequest], dict[int, str]]:
    """The messages by the place of their recipient, and the codes of those whose `to` is no phone."""
    requests: dict[int, ConversationRequest] = {}
    refused: dict[int, str] = {}
    async for place, recipient in in_turns(enumerate(new.recipients)):
        try:
            to = None if recipient.to is None else parse_phone(recipient.to)
        except MaskedValue:
            refused[place] = "VALOR_MASCARADO"
        except NotAPhone:
            refused[place] = "invalid_phone"
        else:
            requests[place] = new.send_request(recipient, to=to, batch_id=batch_id)
    return requests, refused


def _code_of(refusal: ServiceError) -> str:
    """The code of a refusal that is about its recipient. Raises one that is about the whole call."""
    if isinstance(refusal, RepeatedRecipient):
        return "repetido"
    if not isinstance(refusal, ValidationFailed) or any(
        error.where.startswith(OF_THE_CALL) for error in refusal.errors
    ):
        raise refusal
    first = refusal.errors[0].code if refusal.errors else refusal.code
    return str(refusal.meta.get("motivo") or refusal.meta.get("code") or first)
