"""Taking SMS in: concurrent sends of one process become one transaction.

The sandbox answers in-process, so acceptance, price, message, report and stored answer are written together: after a
crash either all of it is there or nothing. A live send is recorded as `sending` with its price held, and handed to
the provider afterwards. One refused send never touches its neighbours.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from core import contacts, idempotency, messages, short_links, wallet
from core.foundation import rate_limit
from core.foundation.combine import Combiner
from core.foundation.rate_limit import Grant, Take
from core.foundation.settings import current
from core.foundation.transactions import transaction
from core.messages import Channel, Status
from core.providers import registry, sandbox
from core.sms.draft import Draft, Held, Outcome, Taken, UnderWay, Unsettled
from core.sms.errors import (
    AboveCeiling,
    NoProvider,
    ProviderOutOfCredit,
    QuoteOnlyRoute,
    RecipientOptedOut,
)
from core.sms.rows import answer_of, links_of, message_of, payment_of, report_of

Outcomes = dict[str, Outcome | Exception]
"""By the id of the draft."""

MARKETING_ROUTE = "premium"
"""The route on which a recipient's opt-out counts; the other ones are transactional."""


async def take(drafts: Sequence[Draft]) -> list[Outcome | Exception]:
    """Replay what is known, refuse what must be refused, and record the rest in one transaction."""
    at = max(draft.at for draft in drafts)
    outcomes, fresh = await _without_known(drafts, at=at)
    if fresh:
        allowances = await _within_ceiling(fresh, outcomes)
        rates = await wallet.read_rates((draft.route for draft in fresh), at=at)
        await _refuse_before_money(fresh, rates, outcomes)
        sendable = [draft for draft in fresh if draft.id not in outcomes]
        if sendable:
            async with transaction():
                outcomes |= await _record(sendable, rates, allowances, at=at)
    return [outcomes[draft.id] for draft in drafts]


intake: Combiner[Draft, Outcome] = Combiner(take)


async def _without_known(drafts: Sequence[Draft], *, at: datetime) -> tuple[Outcomes, list[Draft]]:
    """What earlier uses of the keys answer, and the drafts whose key is new."""
    known = await idempotency.find_many([draft.use for draft in drafts], at=at)
    outcomes: Outcomes = {}
    fresh: dict[tuple[str, str, str, str], Draft] = {}
    for draft in drafts:
        if remembered := known.get(draft.use.slot):
            outcomes[draft.id] = _again(draft, remembered, at=at)
        elif draft.use.slot in fresh:
            outcomes[draft.id] = UnderWay(elsewhere=False)
        else:
            fresh[draft.use.slot] = draft
    return outcomes, list(fresh.values())


def _again(draft: Draft, remembered: idempotency.Remembered, *, at: datetime) -> Outcome | Exception:
    if remembered.body_hash != draft.use.body_hash:
        return idempotency.KeyReusedWithAnotherBody()
    if remembered.answer is not None:
        return Taken(remembered.answer, replayed=True)
    if remembered.subject_id is None or (remembered.lease_until is not None and remembered.lease_until > at):
        return UnderWay(elsewhere=True)
    return Unsettled(remembered.subject_id)


async def _within_ceiling(drafts: Sequence[Draft], outcomes: Outcomes) -> dict[str, Grant]:
    """Take a token for each draft, in one call; refuse those that find the bucket empty."""
    by_owner: dict[wallet.Owner, list[Draft]] = {}
    for draft in drafts:
        by_owner.setdefault(draft.owner, []).append(draft)
    takes = [
        Take(f"sms:{':'.join(owner)}", waiting[0].caller.limits.sms_per_second, len(waiting))
        for owner, waiting in by_owner.items()
    ]
    allowances: dict[str, Grant] = {}
    for waiting, grant in zip(by_owner.values(), await rate_limit.take(takes), strict=True):
        allowances |= {draft.id: grant for draft in waiting}
        for draft in waiting[grant.granted :]:
            outcomes[draft.id] = AboveCeiling(retry_after=grant.wait)
    return allowances


async def _refuse_before_money(
    drafts: Sequence[Draft], rates: dict[tuple[str, str], wallet.Rate], outcomes: Outcomes
) -> None:
    """Routes without a table price, recipients who opted out, live sends without a provider."""
    for draft in drafts:
        if draft.id not in outcomes and (draft.route not in rates or not wallet.has_table_price(draft.new.route)):
            outcomes[draft.id] = QuoteOnlyRoute()
    marketing = [d for d in drafts if d.id not in outcomes and d.new.route == MARKETING_ROUTE]
    denied = await contacts.who_denied([(*d.owner, d.new.to) for d in marketing], channel=Channel.SMS)
    for draft in marketing:
        if (*draft.owner, draft.new.to) in denied:
            outcomes[draft.id] = RecipientOptedOut()
    for draft in drafts:
        if draft.id not in outcomes and draft.caller.env == "live" and registry.for_live(Channel.SMS) is None:
            outcomes[draft.id] = NoProvider()


async def _record(
    drafts: list[Draft],
    rates: dict[tuple[str, str], wallet.Rate],
    allowances: dict[str, Grant],
    *,
    at: datetime,
) -> Outcomes:
    """One statement per table, whatever the number of drafts."""
    charged = current().charges
    prices = {draft.id: rates[draft.route].price(draft.encoded.segments) if charged else 0 for draft in drafts}
    outcomes: Outcomes = {}
    if charged:
        drafts, outcomes = await _paid_for(drafts, prices, at=at)

    refused = [draft for draft in drafts if _refused_by_sandbox(draft)]
    going = [draft for draft in drafts if not _refused_by_sandbox(draft)]
    answers = {
        draft.id: answer_of(draft, coins=prices[draft.id], provider=sandbox.PROVIDER, status="sent")
        if draft.caller.env == "test"
        else None
        for draft in going
    }
    won = await idempotency.claim_many(
        [draft.use for draft in going],
        subjects=[draft.id for draft in going],
        answers=[answers[draft.id] for draft in going],
        at=at,
    )
    recorded = []
    for draft in going:
        answer = answers[draft.id]
        if draft.use.slot not in won:
            outcomes[draft.id] = UnderWay(elsewhere=False)
            continue
        recorded.append(draft)
        allowance = allowances.get(draft.id)
        outcomes[draft.id] = (
            Held(prices[draft.id], allowance) if answer is None else Taken(answer, replayed=False, allowance=allowance)
        )
    for draft in refused:
        outcomes[draft.id] = ProviderOutOfCredit(draft.id)

    await _write(recorded, refused, prices, charged=charged, at=at)
    return outcomes


async def _write(
    recorded: Sequence[Draft], refused: Sequence[Draft], prices: dict[str, int], *, charged: bool, at: datetime
) -> None:
    """Messages, payments and reports of what was taken; the messages of what the sandbox refused."""
    sandboxed = [draft for draft in recorded if draft.caller.env == "test"]
    live = [draft for draft in recorded if draft.caller.env == "live"]
    carrier = registry.for_live(Channel.SMS)
    await messages.insert_messages(
        [message_of(d, status=Status.SENT, provider=sandbox.PROVIDER, coins=prices[d.id]) for d in sandboxed]
        + [message_of(d, status=Status.FAILED, provider=sandbox.PROVIDER, coins=0) for d in refused]
        + [message_of(d, status=Status.SENDING, provider=carrier.name, coins=prices[d.id]) for d in live if carrier]
    )
    await short_links.store_links([links_of(draft) for draft in recorded if draft.links], at=at)
    if charged:
        balances = await wallet.book(
            [
                transfer
                for draft in recorded
                for transfer in payment_of(draft, prices[draft.id], captured=draft.caller.env == "test")
            ],
            at=at,
        )
        await wallet.warn(balances, at=at)
    due_at = at + timedelta(seconds=current().sandbox_delay_seconds)
    await sandbox.schedule_reports([report for draft in sandboxed for report in report_of(draft, due_at)])


async def _paid_for(drafts: Sequence[Draft], prices: dict[str, int], *, at: datetime) -> tuple[list[Draft], Outcomes]:
    """Lock the wallets; answer those that they cover, in the order of arrival, and the outcomes of the others."""
    balances = await wallet.lock_balances({draft.owner for draft in drafts})
    covered, refusals = _covered(drafts, prices, balances)
    if not refusals:
        return covered, {}
    # What took the money while we waited for the lock may have been the first use of one of these very keys: a
    # repeat is answered before money is asked for.
    outcomes, fresh = await _without_known(drafts, at=at)
    covered, refusals = _covered(fresh, prices, balances)
    poor = {draft.owner: balances[draft.owner] for draft in fresh if draft.id in refusals and draft.owner in balances}
    await wallet.warn(poor, refused=poor, at=at)
    return covered, outcomes | refusals


def _covered(
    drafts: Sequence[Draft], prices: dict[str, int], balances: dict[wallet.Owner, wallet.Balance]
) -> tuple[list[Draft], Outcomes]:
    left = {owner: balance.available for owner, balance in balances.items()}
    covered: list[Draft] = []
    refusals: Outcomes = {}
    for draft in drafts:
        available, price = left.get(draft.owner, 0), prices[draft.id]
        if available < price:
            refusals[draft.id] = wallet.InsufficientBalance(available=available, needed=price)
            continue
        covered.append(draft)
        if not _refused_by_sandbox(draft):  # that one gives its hold back at once
            left[draft.owner] = available - price
    return covered, refusals


def _refused_by_sandbox(draft: Draft) -> bool:
    return draft.caller.env == "test" and sandbox.sms_ending(draft.new.to).refused
