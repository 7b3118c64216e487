"""Sending one template to many, in one call."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from core import idempotency, numbers, wallet
from core.conversations.addresses import identity_of
from core.conversations.batches.inputs import NewBulk, Recipient
from core.conversations.batches.store import NewBatch, coins_of, refuse_unpaid, store_batch
from core.conversations.draft import Draft
from core.conversations.intake import take_in
from core.conversations.models import BatchKind
from core.foundation import db
from core.foundation.caller import Caller, Scope
from core.foundation.clock import now
from core.foundation.errors import ServiceError, ValidationFailed
from core.foundation.ids import new_id
from core.foundation.phones import MaskedValue, NotAPhone, parse_phone
from core.foundation.transactions import transaction
from core.messages import Channel

KEY_ROUTE = "POST /messages/bulk"

REPEATED = "repetido"
"""The code of a recipient who stands earlier in the same call."""

OF_THE_CALL = ("/numberId", "/templateId", "/payload")
"""Where the refusal of a draft is about what all have in common."""


async def send_bulk(caller: Caller, new: NewBulk, *, idempotency_key: str | None = None) -> dict[str, Any]:
    """Take in one message for each recipient; answers `{batchId, aceitas, recusadas: [{indice, codigo}],
    coinsEstimados}`. With a key, once per key.

    A recipient who is refused (`codigo`: that of the single send, or `repetido`) stops nobody else. What concerns all
    refuses the whole call: Raises NotFound, Conflict, ValidationFailed, ServiceUnavailable, PaymentRequired where the
    balance does not cover all who could be sent to, and the refusals of the key. (Decisions: Conversational channel.)
    """
    caller.require(Scope.MESSAGES_SEND)

    async def effect() -> tuple[str, dict[str, Any], datetime]:
        answer = await _send(caller, new)
        return answer["batchId"], answer, new.scheduled_at or now()

    try:
        if idempotency_key is None:
            return await _send(caller, new)
        use = idempotency.key_use(caller, KEY_ROUTE, idempotency_key, new.model_dump(mode="json", exclude_unset=True))
        return await idempotency.once(use, effect)
    except wallet.InsufficientBalance:
        owner = (caller.organization_id, caller.env)
        await wallet.warn_where_due(await wallet.lock_balances({owner}), refused={owner}, at=now())
        raise


async def _send(caller: Caller, new: NewBulk) -> dict[str, Any]:
    at, batch_id = now(), new_id("btc")
    await numbers.number_for_sending(caller, new.number_id)
    drafts, refused = _drafts(caller, new, await _phones(caller, new.recipients), batch_id=batch_id)
    async with transaction():
        outcomes = await take_in(caller, list(drafts.values()), at=at)
        refuse_unpaid(outcomes)
        for place, outcome in zip(drafts, outcomes, strict=True):
            if isinstance(outcome, ServiceError):
                refused[place] = _code_of(outcome)
        accepted, coins = len(new.recipients) - len(refused), coins_of(outcomes)
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
    return {
        "batchId": batch_id,
        "aceitas": accepted,
        "recusadas": [{"indice": place, "codigo": refused[place]} for place in sorted(refused)],
        "coinsEstimados": coins,
    }


def _drafts(
    caller: Caller, new: NewBulk, phones: Mapping[str, str], *, batch_id: str
) -> tuple[dict[int, Draft], dict[int, str]]:
    """The messages by the place of their recipient, and the codes of those who are refused already."""
    drafts: dict[int, Draft] = {}
    refused: dict[int, str] = {}
    seen: set[bytes] = set()
    for place, recipient in enumerate(new.recipients):
        try:
            to = None if recipient.to is None else parse_phone(recipient.to)
        except MaskedValue:
            refused[place] = "VALOR_MASCARADO"
            continue
        except NotAPhone:
            refused[place] = "invalid_phone"
            continue
        phone = to or phones.get(recipient.contact_id or "")
        if phone is not None:
            person = identity_of(Channel.WHATSAPP, caller.organization_id, phone, unified=caller.unifies_ninth_digit)
            if person in seen:
                refused[place] = REPEATED
                continue
            seen.add(person)
        drafts[place] = new.draft(recipient, to=to, batch_id=batch_id)
    return drafts, refused


async def _phones(caller: Caller, recipients: Sequence[Recipient]) -> dict[str, str]:
    """The phones of the contacts that stand for their recipients; whoever is unknown is refused by the intake."""
    ids = [one.contact_id for one in recipients if one.to is None]
    rows = await db.fetch(PHONES, caller.organization_id, caller.env, ids) if ids else []
    return {row["id"]: row["phone"] for row in rows}


def _code_of(refusal: ServiceError) -> str:
    """The code of a refusal that is about its recipient. Raises one that is about the whole call."""
    if not isinstance(refusal, ValidationFailed) or any(
        error.where.startswith(OF_THE_CALL) for error in refusal.errors
    ):
        raise refusal
    first = refusal.errors[0].code if refusal.errors else refusal.code
    return str(refusal.meta.get("motivo") or refusal.meta.get("code") or first)


PHONES = "SELECT id, phone FROM contacts WHERE organization_id = $1 AND env = $2 AND id = ANY ($3)"
