"""Use case: resend failed messages; each is replaced by a new message, which it names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from core import decisions, idempotency, wallet
from core.conversations.batches.clone_for_resend import clone_for_resend, template_for_resend
from core.conversations.batches.inputs import Resend, ResendFilter
from core.conversations.batches.record import ResentMessages
from core.conversations.batches.resendable import find_failed, lock_failed, motive_of_row
from core.conversations.batches.skips import skip_of
from core.conversations.batches.store import NewBatch, coins_of, refuse_unpaid, store_batch
from core.conversations.errors import WindowClosed
from core.conversations.models import BatchKind, ResendRefusal
from core.conversations.sending.accept import accept_messages
from core.conversations.sending.send_request import AcceptedMessage, ConversationRequest, Outcome
from core.foundation.absent import without_none
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.errors import Conflict, ServiceError, ServiceUnavailable
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.messaging import CONVERSATIONS, RecipientOptedOut, StoredMessage, note_replacements

KEY_ROUTE = "POST /messages/bulk-resend"


@dataclass(frozen=True, slots=True)
class _ResendAttempt:
    """A failed message, the request that replaces it, and whether that was accepted."""

    row: StoredMessage
    request: ConversationRequest
    outcome: Outcome


class _SimulationRollback(Exception):
    """Ends a simulation: everything that it wrote is undone."""


async def resend_messages(
    caller: Caller, resend: Resend, *, idempotency_key: str | None = None
) -> ResentMessages:
    """Take failed messages in once more; answers `{batchId, reenviadas, ignoradas: [{id, motivo}],
    coinsEstimados}`, `batchId` null where nothing was sent again.

    A message is sent again once: of calls that meet, one does it, and a repeated call finds nothing
    left, or, with the key of the first, what that one answered. A simulation answers the same and
    leaves everything as it was. Raises PaymentRequired where the balance does not cover all,
    ServiceUnavailable, what is wrong with the template, and the refusals of the key. (Decisions:
    Conversational channel.)
    """
    caller.require(Scope.MESSAGES_SEND)

    async def effect() -> tuple[str | None, Mapping[str, object], datetime]:
        answer = await _resend_or_simulate(caller, resend)
        return answer["batchId"], answer, now()

    try:
        if idempotency_key is None:
            return await _resend_or_simulate(caller, resend)
        body = resend.model_dump(mode="json", exclude_unset=True)
        use = idempotency.key_use(caller, KEY_ROUTE, idempotency_key, body)
        return cast("ResentMessages", await idempotency.once(use, effect))
    except wallet.InsufficientBalance:
        if not resend.simulate:
            owner = (caller.organization_id, caller.env)
            await wallet.warn_where_due(
                await wallet.lock_balances({owner}), refused={owner}, at=now()
            )
        raise


async def _resend_or_simulate(caller: Caller, resend: Resend) -> ResentMessages:
    answer: ResentMessages | None = None
    try:
        async with transaction():
            answer = await _resend(caller, resend, at=now())
            if resend.simulate:
                raise _SimulationRollback
    except _SimulationRollback:
        assert answer is not None, "it is rolled back once it is known"
        answer["batchId"] = None
    return answer


async def _resend(caller: Caller, resend: Resend, *, at: datetime) -> ResentMessages:
    ids = resend.message_ids or await find_failed(caller, resend.filter or ResendFilter(), at=at)
    rows = await lock_failed(caller, ids)
    ignored = _not_resendable(ids, rows, at=at)
    batch_id = new_id("btc")
    resendable = [row for row in rows.values() if row["id"] not in ignored]
    tries = await _try(caller, resendable, resend, batch_id, at=at)
    outcomes = [one.outcome for one in tries]
    refuse_unpaid(outcomes)
    ignored |= _refused(tries)
    sent = [one for one in tries if isinstance(one.outcome, AcceptedMessage)]
    coins = coins_of(outcomes)
    if sent:
        await _replace(caller, sent, at=at)
        await store_batch(caller, _batch(batch_id, sent, refused=len(ignored), coins=coins), at=at)
    await _keep_skips(caller, tries, batch_id)
    told = [id for id in dict.fromkeys(ids) if id in ignored]
    return {
        "batchId": batch_id if sent else None,
        "reenviadas": len(sent),
        "ignoradas": [{"id": id, "motivo": ignored[id]} for id in told],
        "coinsEstimados": coins,
    }


async def _keep_skips(caller: Caller, tries: Sequence[_ResendAttempt], batch_id: str) -> None:
    """Keep why some of them are not sent again; a simulation takes it back."""
    for channel in CONVERSATIONS:
        skipped = [
            skip
            for one in tries
            if isinstance(one.outcome, ServiceError) and one.request.channel is channel
            for skip in skip_of(caller, one.request, one.outcome)
        ]
        await decisions.keep_skips(caller, channel, skipped, part_of=batch_id)


def _not_resendable(
    ids: Sequence[str], rows: Mapping[str, StoredMessage], *, at: datetime
) -> dict[str, ResendRefusal]:
    motives = {id: motive_of_row(rows.get(id), at=at) for id in ids}
    return without_none(motives)


def _refused(tries: Sequence[_ResendAttempt]) -> dict[str, ResendRefusal]:
    return {
        one.row["id"]: _motive_of(one.outcome)
        for one in tries
        if isinstance(one.outcome, ServiceError)
    }


async def _try(
    caller: Caller, rows: Sequence[StoredMessage], resend: Resend, batch_id: str, *, at: datetime
) -> list[_ResendAttempt]:
    """Each as it was; where only a template may go by now, as the template of the resend if there
    is one.
    """
    tries = await _take(caller, [(row, clone_for_resend(row, batch_id)) for row in rows], at=at)
    if resend.template_id is None:
        return tries
    closed = [
        (
            one.row,
            template_for_resend(one.row, batch_id, resend.template_id, resend.template_vars or ()),
        )
        for one in tries
        if isinstance(one.outcome, WindowClosed) and one.row["number_id"] is not None
    ]
    instead = {one.row["id"]: one for one in await _take(caller, closed, at=at)}
    for one in instead.values():
        if isinstance(one.outcome, ServiceError) and _is_about_the_template(one.outcome):
            raise one.outcome
    return [instead.get(one.row["id"], one) for one in tries]


async def _take(
    caller: Caller, requests: Sequence[tuple[StoredMessage, ConversationRequest]], *, at: datetime
) -> list[_ResendAttempt]:
    outcomes = (
        await accept_messages(caller, [request for _, request in requests], at=at)
        if requests
        else []
    )
    return [
        _ResendAttempt(row, request, outcome)
        for (row, request), outcome in zip(requests, outcomes, strict=True)
    ]


def _motive_of(refusal: ServiceError) -> ResendRefusal:
    """Why it may not go now. Raises what is no fault of the message."""
    match refusal:
        case RecipientOptedOut():
            return ResendRefusal.OPT_OUT
        case WindowClosed():
            return ResendRefusal.WINDOW
        case Conflict():  # its number or its template
            return ResendRefusal.UNAVAILABLE
        case ServiceUnavailable():
            raise refusal
    return ResendRefusal.PERMANENT


def _is_about_the_template(refusal: ServiceError) -> bool:
    return any(error.where.startswith("/template") for error in refusal.errors)


async def _replace(caller: Caller, sent: Sequence[_ResendAttempt], *, at: datetime) -> None:
    pairs = [(one.row["id"], one.request.id) for one in sent]
    await note_replacements(caller, pairs, at=at)


def _batch(id: str, sent: Sequence[_ResendAttempt], *, refused: int, coins: int) -> NewBatch:
    return NewBatch(
        id=id,
        kind=BatchKind.RESEND,
        number_id=_common([one.request.number_id for one in sent]),
        template_id=_common([one.request.template_id for one in sent]),
        campaign_id=_common([one.request.campaign_id for one in sent]),
        accepted=len(sent),
        refused=refused,
        coins=coins,
    )


def _common(values: Sequence[str | None]) -> str | None:
    return values[0] if len(set(values)) == 1 else None
