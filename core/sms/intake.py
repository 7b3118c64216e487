"""Taking SMS in: concurrent sends of one process become one batch, and a batch one statement.

The sandbox answers in-process, so acceptance, price, message, report and stored answer are written
together: after a crash either all of it is there or nothing. A live send is recorded as `sending`
with its price held, and handed to the provider afterwards. One refused send never touches its
neighbours.
"""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import datetime, timedelta

from core import idempotency, messages, short_links, wallet
from core.foundation import pubsub
from core.foundation.database.combining import Combiner
from core.foundation.database.transactions import transaction
from core.foundation.security.rate_limit import Grant
from core.foundation.settings import current
from core.messages import Channel, Direction
from core.messages.sending import NoSuchContact
from core.providers import registry
from core.sms.ceiling import ask_ceiling, give_back, within_ceiling
from core.sms.draft import Draft, Held, Outcome, Taken, UnderWay, Unsettled
from core.sms.errors import (
    AboveCeiling,
    NoProvider,
    ProviderOutOfCredit,
    QuoteOnlyRoute,
    RecipientOptedOut,
)
from core.sms.rows import answer_of, links_of, refused_by_sandbox, row_of
from core.sms.write_down import Written, write_down

Outcomes = dict[str, Outcome | Exception]
"""By the id of the draft."""

Rates = dict[tuple[str, str], wallet.Rate]
"""By organization and route."""


async def take(drafts: Sequence[Draft]) -> list[Outcome | Exception]:
    """Record what can be sent, in one statement; what cannot may be a repeat, which is answered
    again.

    Keys are looked up only for what was refused or lost its claim: a new key, the common case, is
    won by writing.
    """
    at = max(draft.at for draft in drafts)
    outcomes, firsts = _first_of_each_key(drafts)
    granted = await ask_ceiling(firsts)
    rates = await wallet.recent_rates({draft.route for draft in firsts}, at=at)
    within = within_ceiling(firsts, granted)
    refusals = {draft.id: _refusal_before_money(draft, rates, granted, within) for draft in firsts}
    doubtful = [draft for draft in firsts if refusals[draft.id] or refused_by_sandbox(draft)]
    repeats = await _repeats(doubtful, at=at)
    outcomes |= {id: refusal for id, refusal in refusals.items() if refusal} | repeats

    sendable = [draft for draft in firsts if draft.id not in outcomes]
    prices = {draft.id: _price(draft, rates) for draft in sendable}
    lost: list[Draft] = []
    while sendable:
        written, balances = await _record(sendable, prices, at=at)
        outcomes |= {
            d.id: _outcome(d, prices[d.id], written[d.id], granted[d.owner]) for d in sendable
        }
        lost += [
            draft for draft in sendable if written[draft.id].outcome not in ("taken", "refused")
        ]
        sendable = _worth_another_look(sendable, prices, written, balances)
    repeats |= await _repeats(lost, at=at)
    outcomes |= repeats
    await give_back([draft for draft in firsts if draft.id in repeats and draft.id in within])
    return [outcomes[draft.id] for draft in drafts]


intake: Combiner[Draft, Outcome] = Combiner(take, lanes=2)


def _first_of_each_key(drafts: Sequence[Draft]) -> tuple[Outcomes, list[Draft]]:
    """Of several drafts with one key the first goes; the others ask again when it is done."""
    outcomes: Outcomes = {}
    firsts: dict[tuple[str, str, str, str], Draft] = {}
    for draft in drafts:
        if firsts.setdefault(draft.use.slot, draft) is not draft:
            outcomes[draft.id] = UnderWay(elsewhere=False)
    return outcomes, list(firsts.values())


async def _repeats(drafts: Sequence[Draft], *, at: datetime) -> Outcomes:
    """What earlier uses of these keys answer. A refusal counts for a new key only."""
    if not drafts:
        return {}
    known = await idempotency.find_many([draft.use for draft in drafts], at=at)
    return {
        draft.id: _again(draft, remembered, at=at)
        for draft in drafts
        if (remembered := known.get(draft.use.slot))
    }


def _again(
    draft: Draft, remembered: idempotency.Remembered, *, at: datetime
) -> Outcome | Exception:
    if remembered.body_hash != draft.use.body_hash:
        return idempotency.KeyReusedWithAnotherBody()
    if remembered.answer is not None:
        return Taken(remembered.answer, replayed=True)
    if remembered.subject_id is None or (
        remembered.lease_until is not None and remembered.lease_until > at
    ):
        return UnderWay(elsewhere=True)
    return Unsettled(remembered.subject_id)


def _refusal_before_money(
    draft: Draft, rates: Rates, granted: dict[wallet.Owner, Grant], within: set[str]
) -> Exception | None:
    """Above the ceiling, a route without a table price, a live send without a provider."""
    if draft.id not in within:
        return AboveCeiling(granted[draft.owner])
    if draft.route not in rates or not wallet.has_table_price(draft.new.route):
        return QuoteOnlyRoute()
    if draft.caller.env == "live" and registry.for_live(Channel.SMS) is None:
        return NoProvider()
    return None


def _price(draft: Draft, rates: Rates) -> int:
    return rates[draft.route].price(draft.encoded.segments) if current().charges else 0


async def _record(
    drafts: Sequence[Draft], prices: dict[str, int], *, at: datetime
) -> tuple[dict[str, Written], dict[wallet.Owner, wallet.Balance]]:
    """Write the drafts down with their links, and warn of balances that ran low.

    A warning follows in a transaction of its own: the next send would give it if this process died
    in between.
    """
    rows = [row_of(draft, place, prices[draft.id]) for place, draft in enumerate(drafts)]
    due_at = at + timedelta(seconds=current().sandbox_delay_seconds)
    async with AsyncExitStack() as stack:
        if any(draft.links for draft in drafts):
            await stack.enter_async_context(transaction())
        written, balances = await write_down(rows, charged=current().charges, due_at=due_at, at=at)
        await short_links.store_links(
            [
                links_of(draft)
                for draft in drafts
                if draft.links and written[draft.id].outcome == "taken"
            ],
            at=at,
        )
    await _announce(drafts, written)
    turned_away = {draft.owner for draft in drafts if written[draft.id].outcome == "poor"}
    await wallet.warn_where_due(balances, refused=turned_away, at=at)
    return written, balances


async def _announce(drafts: Sequence[Draft], written: dict[str, Written]) -> None:
    await pubsub.announce(
        messages.changed(*draft.owner, draft.id, channel=Channel.SMS, direction=Direction.OUTBOUND)
        for draft in drafts
        if written[draft.id].outcome in ("taken", "refused")
    )


def _worth_another_look(
    drafts: Sequence[Draft],
    prices: dict[str, int],
    written: dict[str, Written],
    balances: dict[wallet.Owner, wallet.Balance],
) -> list[Draft]:
    """Poor drafts that what is left would cover: they were counted behind others that were poor
    themselves.
    """
    return [
        draft
        for draft in drafts
        if written[draft.id].outcome == "poor"
        and draft.owner in balances
        and prices[draft.id] <= balances[draft.owner].available
    ]


OBSTACLES: dict[str, type[Exception]] = {
    "unknown_contact": NoSuchContact,
    "denied": RecipientOptedOut,
}
"""Why a recipient is not written to; `NoSuchContact` of the one that is named."""


def _outcome(
    draft: Draft, price: int, written: Written, allowance: Grant | None
) -> Outcome | Exception:
    match written.outcome:
        case "taken" if draft.caller.env == "live":
            return Held(price, allowance)
        case "taken":
            return Taken(
                answer_of(draft, coins=price),
                replayed=False,
                allowance=allowance,
            )
        case "refused":
            return ProviderOutOfCredit(draft.id)
        case "poor":
            return wallet.InsufficientBalance(available=written.available, needed=price)
        case "lost":
            return UnderWay(elsewhere=False)
        case "unknown_contact" | "denied" as obstacle:
            return OBSTACLES[obstacle]()
