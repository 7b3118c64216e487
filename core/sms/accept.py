"""Accepting SMS: concurrent sends of one process become one batch, and a batch one statement.

The sandbox answers in-process, so acceptance, price, message, report and stored answer are written
together: after a crash either all of it is there or nothing. A live send is recorded as `sending`
with its price held, and handed to the provider afterwards. One refused send never touches its
neighbours.
"""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import datetime, timedelta

from core import idempotency, messaging, short_links, wallet
from core.foundation import pubsub
from core.foundation.database.combining import Combiner
from core.foundation.database.transactions import transaction
from core.foundation.security.rate_limit import Grant
from core.foundation.settings import current
from core.messaging import (
    AcceptedSend,
    AcceptOutcome,
    AwaitingProvider,
    Channel,
    Direction,
    InProgress,
    NoSuchContact,
    OutcomePending,
)
from core.providers import registry
from core.sms.ceiling import ask_ceiling, give_back, within_ceiling
from core.sms.errors import (
    AboveCeiling,
    NoProvider,
    ProviderOutOfCredit,
    QuoteOnlyRoute,
    SmsRecipientOptedOut,
)
from core.sms.rows import answer_of, links_of, refused_by_sandbox, row_of
from core.sms.send_request import SmsSendRequest
from core.sms.write_batch import STORED, RowOutcome, write_batch

Outcomes = dict[str, AcceptOutcome | Exception]
"""By the id of the request."""

Rates = dict[tuple[str, str], wallet.Rate]
"""By organization and route."""


async def accept_batch(requests: Sequence[SmsSendRequest]) -> list[AcceptOutcome | Exception]:
    """Record what can be sent, in one statement; what cannot may be a repeat, which is answered
    again.

    Keys are looked up only for what was refused or lost its claim: a new key, the common case, is
    won by writing.
    """
    at = max(request.at for request in requests)
    outcomes, firsts = _first_of_each_key(requests)
    granted = await ask_ceiling(firsts)
    rates = await wallet.recent_rates({request.route for request in firsts}, at=at)
    within = within_ceiling(firsts, granted)
    refusals = _refusals_before_money(firsts, rates, granted, within)
    repeats = await _repeats(_perhaps_repeated(firsts, refusals), at=at)
    outcomes |= refusals
    outcomes |= repeats

    sendable = [request for request in firsts if request.id not in outcomes]
    written, unwritten = await _write_affordable(sendable, rates, granted, at=at)
    outcomes |= written
    repeats |= await _repeats(unwritten, at=at)
    outcomes |= repeats
    await give_back([r for r in firsts if r.id in repeats and r.id in within])
    return [outcomes[request.id] for request in requests]


batched_accept: Combiner[SmsSendRequest, AcceptOutcome] = Combiner(accept_batch, lanes=2)


def _first_of_each_key(requests: Sequence[SmsSendRequest]) -> tuple[Outcomes, list[SmsSendRequest]]:
    """Of several requests with one key the first goes; the others ask again when it is done."""
    outcomes: Outcomes = {}
    firsts: dict[tuple[str, str, str, str], SmsSendRequest] = {}
    for request in requests:
        if firsts.setdefault(request.use.scope, request) is not request:
            outcomes[request.id] = InProgress(elsewhere=False)
    return outcomes, list(firsts.values())


async def _repeats(requests: Sequence[SmsSendRequest], *, at: datetime) -> Outcomes:
    """What earlier uses of these keys answer. A refusal counts for a new key only."""
    if not requests:
        return {}
    known = await idempotency.find_many([request.use for request in requests], at=at)
    return {
        request.id: _again(request, remembered, at=at)
        for request in requests
        if (remembered := known.get(request.use.scope))
    }


def _again(
    request: SmsSendRequest, remembered: idempotency.Remembered, *, at: datetime
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


def _refusals_before_money(
    requests: Sequence[SmsSendRequest],
    rates: Rates,
    granted: dict[wallet.Owner, Grant],
    within: set[str],
) -> dict[str, Exception]:
    """Above the ceiling, a route without a table price, a live send without a provider."""
    refusals: dict[str, Exception] = {}
    for request in requests:
        if request.id not in within:
            refusals[request.id] = AboveCeiling(granted[request.owner])
        elif request.route not in rates or not wallet.has_table_price(request.new.route):
            refusals[request.id] = QuoteOnlyRoute()
        elif request.caller.env == "live" and not registry.carriers(Channel.SMS, request.new.route):
            refusals[request.id] = NoProvider()
    return refusals


def _perhaps_repeated(
    requests: Sequence[SmsSendRequest], refusals: dict[str, Exception]
) -> list[SmsSendRequest]:
    """Requests that claim no key of their own: an earlier one with the same key may answer them."""
    return [r for r in requests if r.id in refusals or refused_by_sandbox(r)]


async def _write_affordable(
    requests: Sequence[SmsSendRequest],
    rates: Rates,
    granted: dict[wallet.Owner, Grant],
    *,
    at: datetime,
) -> tuple[Outcomes, list[SmsSendRequest]]:
    """Write what the wallets cover. Answers what became of each, and the requests not written."""
    prices = {request.id: _price(request, rates) for request in requests}
    written: dict[str, RowOutcome] = {}
    pending = requests
    while pending:
        latest, balances = await _write(pending, prices, at=at)
        written |= latest
        pending = _affordable_after_all(pending, prices, latest, balances)
    outcomes = {r.id: _outcome(r, prices[r.id], written[r.id], granted[r.owner]) for r in requests}
    return outcomes, [r for r in requests if written[r.id].outcome not in STORED]


def _price(request: SmsSendRequest, rates: Rates) -> int:
    return rates[request.route].price(request.encoded.segments) if current().charges else 0


async def _write(
    requests: Sequence[SmsSendRequest], prices: dict[str, int], *, at: datetime
) -> tuple[dict[str, RowOutcome], dict[wallet.Owner, wallet.Balance]]:
    """Write the requests down with their links, and warn of balances that ran low.

    A warning follows in a transaction of its own: the next send would give it if this process died
    in between.
    """
    rows = [row_of(request, place, prices[request.id]) for place, request in enumerate(requests)]
    due_at = at + timedelta(seconds=current().sandbox_delay_seconds)
    async with AsyncExitStack() as stack:
        if any(request.links for request in requests):
            await stack.enter_async_context(transaction())
        written, balances = await write_batch(rows, charged=current().charges, due_at=due_at, at=at)
        await short_links.store_links(
            [
                links_of(request)
                for request in requests
                if request.links and written[request.id].outcome == "accepted"
            ],
            at=at,
        )
    await _announce(requests, written)
    insufficient = {
        request.owner for request in requests if written[request.id].outcome == "insufficient"
    }
    await wallet.warn_where_due(balances, refused=insufficient, at=at)
    return written, balances


async def _announce(requests: Sequence[SmsSendRequest], written: dict[str, RowOutcome]) -> None:
    await pubsub.publish(
        messaging.changed(
            *request.owner, request.id, channel=Channel.SMS, direction=Direction.OUTBOUND
        )
        for request in requests
        if written[request.id].outcome in STORED
    )


def _affordable_after_all(
    requests: Sequence[SmsSendRequest],
    prices: dict[str, int],
    written: dict[str, RowOutcome],
    balances: dict[wallet.Owner, wallet.Balance],
) -> list[SmsSendRequest]:
    """Requests that what is left would cover: they were counted behind others that their wallet did
    not cover either.
    """
    return [
        request
        for request in requests
        if written[request.id].outcome == "insufficient"
        and request.owner in balances
        and prices[request.id] <= balances[request.owner].available
    ]


OBSTACLES: dict[str, type[Exception]] = {
    "unknown_contact": NoSuchContact,
    "denied": SmsRecipientOptedOut,
}
"""Why a recipient is not written to; `NoSuchContact` of the one that is named."""


def _outcome(
    request: SmsSendRequest, price: int, written: RowOutcome, allowance: Grant | None
) -> AcceptOutcome | Exception:
    match written.outcome:
        case "accepted" if request.caller.env == "live":
            return AwaitingProvider(allowance)
        case "accepted":
            return AcceptedSend(
                answer_of(request, coins=price),
                replayed=False,
                allowance=allowance,
            )
        case "refused":
            return ProviderOutOfCredit(request.id)
        case "insufficient":
            return wallet.InsufficientBalance(available=written.available, needed=price)
        case "key_taken":
            return InProgress(elsewhere=False)
        case "unknown_contact" | "denied" as obstacle:
            return OBSTACLES[obstacle]()
