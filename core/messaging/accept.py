"""Accepting sends: key, opt-out, price hold, message and stored answer in one statement, on every
channel.

Concurrent sends of one process become a batch. One refused send never touches its neighbours. After
a crash either all of a send is there or nothing.
"""

from collections.abc import Sequence
from contextlib import nullcontext
from datetime import datetime

from core import decisions, idempotency, wallet
from core.foundation import pubsub
from core.foundation.clock import real_time
from core.foundation.database.transactions import transaction
from core.foundation.rules import Rule
from core.messaging.accept_outcomes import (
    AcceptedSend,
    AcceptOutcome,
    AwaitingProvider,
    InProgress,
    OutcomePending,
)
from core.messaging.accept_statement import RowOutcome, write_batch
from core.messaging.announce import changed
from core.messaging.channel import SendChannel
from core.messaging.errors import NoSuchContact
from core.messaging.send_request import SendRequest

Outcomes = dict[str, AcceptOutcome | Exception]
"""By the id of the message."""


async def accept_batch(
    channel: SendChannel, requests: Sequence[SendRequest]
) -> list[AcceptOutcome | Exception]:
    """Record what can be sent; what cannot may be a repeat, which is answered again.

    Keys are looked up only for what was refused or lost its claim: a new key, the common case, is
    won by writing.
    """
    at = max([request.at for request in requests])
    outcomes, firsts = _first_of_each_key(requests)
    outcomes |= {r.id: r.forbidden for r in firsts if r.forbidden is not None}
    # Requests that claim no key of their own: an earlier one with the same key may answer them.
    outcomes |= await _repeats(
        [r for r in firsts if r.forbidden is not None or r.refused is not None], at=at
    )
    sendable = [request for request in firsts if request.id not in outcomes]
    written, unwritten = await _write_affordable(channel, sendable, at=at)
    outcomes |= written
    # What a concurrent request has just paid for is no refusal of this one.
    outcomes |= await _repeats(unwritten, at=at)
    return [outcomes[request.id] for request in requests]


def _first_of_each_key(requests: Sequence[SendRequest]) -> tuple[Outcomes, list[SendRequest]]:
    """Of several requests with one key the first goes; the others ask again when it is done."""
    outcomes: Outcomes = {}
    firsts: dict[tuple[str, str, str, str], SendRequest] = {}
    for request in requests:
        if firsts.setdefault(request.use.scope, request) is not request:
            outcomes[request.id] = InProgress(elsewhere=False)
    return outcomes, list(firsts.values())


async def _repeats(requests: Sequence[SendRequest], *, at: datetime) -> Outcomes:
    """What earlier uses of these keys answer. A refusal counts for a new key only."""
    if not requests:
        return {}
    at = real_time(at)  # which keys live by
    known = await idempotency.find_many([request.use for request in requests], at=at)
    return {
        request.id: _again(request, remembered, at=at)
        for request in requests
        if (remembered := known.get(request.use.scope))
    }


def _again(
    request: SendRequest, remembered: idempotency.Remembered, *, at: datetime
) -> AcceptOutcome | Exception:
    if remembered.body_hash != request.use.body_hash:
        return idempotency.KeyReusedWithAnotherBody()
    if remembered.answer is not None:
        return AcceptedSend(remembered.answer, replayed=True)
    if remembered.subject_id is None or (
        remembered.lease_until is not None and remembered.lease_until > at
    ):
        return InProgress(elsewhere=True)
    return OutcomePending(remembered.subject_id)


async def _write_affordable(
    channel: SendChannel, requests: Sequence[SendRequest], *, at: datetime
) -> tuple[Outcomes, list[SendRequest]]:
    """Write what the wallets cover. Answers what became of each, and the requests not written."""
    written: dict[str, RowOutcome] = {}
    pending = requests
    while pending:
        latest, balances = await _write(channel, pending, at=at)
        written |= latest
        pending = _affordable_after_all(pending, latest, balances)
    outcomes = {r.id: _outcome(channel, r, written[r.id]) for r in requests}
    return outcomes, [r for r in requests if not written[r.id].is_stored]


async def _write(
    channel: SendChannel, requests: Sequence[SendRequest], *, at: datetime
) -> tuple[dict[str, RowOutcome], dict[wallet.Owner, wallet.Balance]]:
    """Write the requests with all that belongs to them, and warn of balances that ran low.

    A warning follows in a transaction of its own: the next send would give it if this process died
    in between.
    """
    also = [request for request in requests if request.also_write is not None]
    async with transaction() if also else nullcontext():
        written, balances = await write_batch(channel, requests, at=at)
        for request in also:
            if request.also_write is not None and written[request.id].fate == "accepted":
                await request.also_write()
    await _announce(requests, written)
    insufficient = {
        request.owner for request in requests if written[request.id].fate == "insufficient"
    }
    await wallet.warn_where_due(balances, refused=insufficient, at=at)
    return written, balances


async def _announce(requests: Sequence[SendRequest], written: dict[str, RowOutcome]) -> None:
    await pubsub.publish(
        changed(
            *request.owner,
            request.id,
            channel=request.message.channel,
            direction=request.message.direction,
        )
        for request in requests
        if written[request.id].is_stored
    )


def _affordable_after_all(
    requests: Sequence[SendRequest],
    written: dict[str, RowOutcome],
    balances: dict[wallet.Owner, wallet.Balance],
) -> list[SendRequest]:
    """Requests that what is left would cover: they were counted behind others that their wallet did
    not cover either.
    """
    return [
        request
        for request in requests
        if written[request.id].fate == "insufficient"
        and request.owner in balances
        and request.message.coins <= balances[request.owner].available
    ]


def _outcome(
    channel: SendChannel, request: SendRequest, written: RowOutcome
) -> AcceptOutcome | Exception:
    match written.fate:
        case "accepted":
            return AwaitingProvider() if request.answer is None else AcceptedSend(request.answer)
        case "key_taken":
            return InProgress(elsewhere=False)
        case _:
            return _refusal(channel, request, written)


def _refusal(channel: SendChannel, request: SendRequest, written: RowOutcome) -> Exception:
    match written.fate:
        case "insufficient":
            message = request.message
            poor = wallet.InsufficientBalance(available=written.available, needed=message.coins)
            poor.looked_at = decisions.facts_of_rule(message.decision_facts, Rule.PRICE)
            return poor
        case "unknown_contact":
            return NoSuchContact()
        case "denied":
            return channel.opted_out()
    for obstacle in channel.obstacles:
        if written.fate == obstacle.fate:
            return obstacle.refusal()
    assert request.refused is not None, "nothing else ends a send"
    return request.refused
