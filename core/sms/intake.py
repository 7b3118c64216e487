"""Taking SMS in: concurrent sends of one process become one batch of two round trips.

The sandbox answers in-process, so acceptance, price, message, report and stored answer are written together: after a
crash either all of it is there or nothing. A live send is recorded as `sending` with its price held, and handed to
the provider afterwards. One refused send never touches its neighbours.
"""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import datetime, timedelta

from core import idempotency, short_links, wallet
from core.foundation.combine import Combiner
from core.foundation.rate_limit import Grant
from core.foundation.settings import current
from core.foundation.transactions import transaction
from core.messages import Channel
from core.providers import registry, sandbox
from core.sms.ceiling import allot, ask_ceiling
from core.sms.draft import Draft, Held, Outcome, Taken, UnderWay, Unsettled
from core.sms.errors import AboveCeiling, NoProvider, ProviderOutOfCredit, QuoteOnlyRoute, RecipientOptedOut
from core.sms.look_first import Facts, look_first
from core.sms.rows import answer_of, links_of, row_of
from core.sms.write_down import Written, write_down

Outcomes = dict[str, Outcome | Exception]
"""By the id of the draft."""


async def take(drafts: Sequence[Draft]) -> list[Outcome | Exception]:
    """Replay what is known, refuse what must be refused, and record the rest."""
    at = max(draft.at for draft in drafts)
    # The ceiling is asked for all at once with the look-up; what replays did not need goes back.
    found, granted = await asyncio.gather(look_first(drafts, at=at), ask_ceiling(drafts))
    facts = dict(zip((draft.id for draft in drafts), found, strict=True))
    outcomes, fresh = _without_known(drafts, facts, at=at)
    within = await allot(drafts, fresh, granted)
    outcomes |= {draft.id: AboveCeiling(granted[draft.owner]) for draft in fresh if draft.id not in within}
    for draft in fresh:
        if draft.id not in outcomes and (refusal := _refusal_before_money(draft, facts[draft.id])):
            outcomes[draft.id] = refusal
    sendable = [draft for draft in fresh if draft.id not in outcomes]
    prices = {draft.id: _price(draft, facts[draft.id]) for draft in sendable}
    while sendable:
        written, balances = await _record(sendable, prices, at=at)
        outcomes |= {d.id: _outcome(d, prices[d.id], written[d.id], granted[d.owner]) for d in sendable}
        sendable = _worth_another_look(sendable, prices, written, balances)
    await _repeats_are_not_poor(fresh, outcomes, at=at)
    return [outcomes[draft.id] for draft in drafts]


intake: Combiner[Draft, Outcome] = Combiner(take, lanes=2)


def _without_known(drafts: Sequence[Draft], facts: dict[str, Facts], *, at: datetime) -> tuple[Outcomes, list[Draft]]:
    """What earlier uses of the keys answer, and the drafts whose key is new."""
    outcomes: Outcomes = {}
    fresh: dict[tuple[str, str, str, str], Draft] = {}
    for draft in drafts:
        if remembered := facts[draft.id].remembered:
            outcomes[draft.id] = _again(draft, remembered, at=at)
        elif draft.use.slot in fresh:
            outcomes[draft.id] = UnderWay(elsewhere=False)
        else:
            fresh[draft.use.slot] = draft
    return outcomes, list(fresh.values())


async def _repeats_are_not_poor(drafts: Sequence[Draft], outcomes: Outcomes, *, at: datetime) -> None:
    """A repeat may find the wallet empty because the first use of its key, elsewhere, has just paid: look again."""
    poor = [draft for draft in drafts if isinstance(outcomes[draft.id], wallet.InsufficientBalance)]
    if poor:
        for draft, facts in zip(poor, await look_first(poor, at=at), strict=True):
            if facts.remembered:
                outcomes[draft.id] = _again(draft, facts.remembered, at=at)


def _again(draft: Draft, remembered: idempotency.Remembered, *, at: datetime) -> Outcome | Exception:
    if remembered.body_hash != draft.use.body_hash:
        return idempotency.KeyReusedWithAnotherBody()
    if remembered.answer is not None:
        return Taken(remembered.answer, replayed=True)
    if remembered.subject_id is None or (remembered.lease_until is not None and remembered.lease_until > at):
        return UnderWay(elsewhere=True)
    return Unsettled(remembered.subject_id)


def _refusal_before_money(draft: Draft, facts: Facts) -> Exception | None:
    """A route without a table price, a recipient who opted out, a live send without a provider."""
    if facts.rate is None or not wallet.has_table_price(draft.new.route):
        return QuoteOnlyRoute()
    if facts.denied:
        return RecipientOptedOut()
    if draft.caller.env == "live" and registry.for_live(Channel.SMS) is None:
        return NoProvider()
    return None


def _price(draft: Draft, facts: Facts) -> int:
    if facts.rate is None or not current().charges:
        return 0
    return facts.rate.price(draft.encoded.segments)


async def _record(
    drafts: Sequence[Draft], prices: dict[str, int], *, at: datetime
) -> tuple[dict[str, Written], dict[wallet.Owner, wallet.Balance]]:
    """Write the drafts down with their links, and warn of balances that ran low.

    A warning follows in a transaction of its own: the next send would give it if this process died in between.
    """
    rows = [row_of(draft, place, prices[draft.id]) for place, draft in enumerate(drafts)]
    due_at = at + timedelta(seconds=current().sandbox_delay_seconds)
    async with AsyncExitStack() as stack:
        if any(draft.links for draft in drafts):
            await stack.enter_async_context(transaction())
        written, balances = await write_down(rows, charged=current().charges, due_at=due_at, at=at)
        await short_links.store_links(
            [links_of(draft) for draft in drafts if draft.links and written[draft.id].outcome == "taken"], at=at
        )
    turned_away = {draft.owner for draft in drafts if written[draft.id].outcome == "poor"}
    await wallet.warn_where_due(balances, refused=turned_away, at=at)
    return written, balances


def _worth_another_look(
    drafts: Sequence[Draft],
    prices: dict[str, int],
    written: dict[str, Written],
    balances: dict[wallet.Owner, wallet.Balance],
) -> list[Draft]:
    """Poor drafts that what is left would cover: they were counted behind others that were poor themselves."""
    return [
        draft
        for draft in drafts
        if written[draft.id].outcome == "poor"
        and draft.owner in balances
        and prices[draft.id] <= balances[draft.owner].available
    ]


def _outcome(draft: Draft, price: int, written: Written, allowance: Grant | None) -> Outcome | Exception:
    match written.outcome:
        case "taken" if draft.caller.env == "live":
            return Held(price, allowance)
        case "taken":
            return Taken(
                answer_of(draft, coins=price, provider=sandbox.PROVIDER, status="sent"),
                replayed=False,
                allowance=allowance,
            )
        case "refused":
            return ProviderOutOfCredit(draft.id)
        case "poor":
            return wallet.InsufficientBalance(available=written.available, needed=price)
        case "lost":
            return UnderWay(elsewhere=False)
