"""Taking SMS in: concurrent sends of one process become one transaction.

The sandbox answers in-process, so acceptance, price, message, report and stored answer are written together: after a
crash either all of it is there or nothing. One refused send never touches its neighbours.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from core import idempotency, messages, wallet
from core.foundation.caller import Caller
from core.foundation.clock import wire_time
from core.foundation.combine import Combiner
from core.foundation.phones import region_of
from core.foundation.settings import current
from core.foundation.transactions import transaction
from core.idempotency import KeyUse
from core.providers import sandbox
from core.sms.encoding import Encoded
from core.sms.errors import NoProvider, ProviderOutOfCredit, QuoteOnlyRoute
from core.sms.inputs import NewSms


@dataclass(frozen=True, slots=True)
class Draft:
    """A send whose input is sound, before money and provider had their say."""

    caller: Caller
    new: NewSms
    use: KeyUse
    encoded: Encoded
    id: str
    at: datetime

    @property
    def owner(self) -> wallet.Owner:
        """Whose wallet pays."""
        return (self.caller.organization_id, self.caller.env)

    @property
    def route(self) -> tuple[str, str]:
        """Whose price on which route."""
        return (self.caller.organization_id, self.new.route)


@dataclass(frozen=True, slots=True)
class Accepted:
    """The answer to a send: the unmasked record, and whether it is an earlier one said again."""

    record: dict[str, Any]
    replayed: bool


@dataclass(frozen=True, slots=True)
class UnderWay:
    """Another send with the same key has not finished; ask again.

    `elsewhere`: it is not of this batch, so asking again at once is of no use.
    """

    elsewhere: bool


Outcome = Accepted | UnderWay


async def take(drafts: Sequence[Draft]) -> list[Outcome | Exception]:
    """Replay what is known, refuse what must be refused, and accept the rest in one transaction."""
    outcomes: dict[str, Outcome | Exception] = {}
    at = max(draft.at for draft in drafts)
    known = await idempotency.find_many([draft.use for draft in drafts], at=at)
    fresh: dict[tuple[str, str, str, str], Draft] = {}
    for draft in drafts:
        if remembered := known.get(draft.use.slot):
            outcomes[draft.id] = _again(draft, remembered)
        elif draft.use.slot in fresh:
            outcomes[draft.id] = UnderWay(elsewhere=False)
        elif refusal := _refusal_before_money(draft):
            outcomes[draft.id] = refusal
        else:
            fresh[draft.use.slot] = draft
    if fresh:
        async with transaction():
            outcomes |= await _accept(list(fresh.values()), at=at)
    return [outcomes[draft.id] for draft in drafts]


intake: Combiner[Draft, Outcome] = Combiner(take)


def _again(draft: Draft, remembered: idempotency.Remembered) -> Outcome | Exception:
    if remembered.body_hash != draft.use.body_hash:
        return idempotency.KeyReusedWithAnotherBody()
    if remembered.answer is None:
        return UnderWay(elsewhere=True)
    return Accepted(remembered.answer, replayed=True)


def _refusal_before_money(draft: Draft) -> Exception | None:
    if not wallet.has_table_price(draft.new.route):
        return QuoteOnlyRoute()
    if draft.caller.env == "live":
        return NoProvider()
    return None


async def _accept(drafts: list[Draft], *, at: datetime) -> dict[str, Outcome | Exception]:
    """One statement per table, whatever the number of drafts."""
    charged = current().charges
    prices = dict.fromkeys((draft.id for draft in drafts), 0)
    payable, outcomes = drafts, dict[str, Outcome | Exception]()
    if charged:
        rates = await wallet.read_rates((draft.route for draft in drafts), at=at)
        prices = {draft.id: rates[draft.route].price(draft.encoded.segments) for draft in drafts}
        balances = await wallet.lock_balances({draft.owner for draft in drafts})
        payable, outcomes = _affordable(drafts, prices, balances)

    endings = {draft.id: sandbox.sms_ending(draft.new.to) for draft in payable}
    refused = [draft for draft in payable if endings[draft.id].refused]
    accepted = [draft for draft in payable if not endings[draft.id].refused]
    answers = {draft.id: _answer(draft, prices[draft.id]) for draft in accepted}
    won = await idempotency.claim_many(
        [draft.use for draft in accepted],
        subjects=[draft.id for draft in accepted],
        answers=[answers[draft.id] for draft in accepted],
        at=at,
    )
    for draft in accepted:
        outcomes[draft.id] = (
            Accepted(answers[draft.id], replayed=False) if draft.use.slot in won else UnderWay(elsewhere=False)
        )
    for draft in refused:
        outcomes[draft.id] = ProviderOutOfCredit(draft.id)
    sent = [draft for draft in accepted if draft.use.slot in won]

    await messages.insert_messages(
        [_row(draft, prices[draft.id], failed=False) for draft in sent]
        + [_row(draft, 0, failed=True) for draft in refused]
    )
    if charged:
        await wallet.book([transfer for draft in sent for transfer in _payment(draft, prices[draft.id])], at=at)
    due_at = at + timedelta(seconds=current().sandbox_delay_seconds)
    await sandbox.schedule_reports(
        [_report(draft, ending, due_at) for draft in sent if (ending := endings[draft.id]).status is not None]
    )
    return outcomes


def _affordable(
    drafts: Sequence[Draft], prices: dict[str, int], balances: dict[wallet.Owner, wallet.Balance]
) -> tuple[list[Draft], dict[str, Outcome | Exception]]:
    """Those that their wallet still covers, in the order of arrival, and the refusals of the others."""
    left = {owner: balance.available for owner, balance in balances.items()}
    covered: list[Draft] = []
    refusals: dict[str, Outcome | Exception] = {}
    for draft in drafts:
        available = left.get(draft.owner, 0)
        price = prices[draft.id]
        if available >= price:
            left[draft.owner] = available - price
            covered.append(draft)
        else:
            refusals[draft.id] = wallet.InsufficientBalance(available=available, needed=price)
    return covered, refusals


def _payment(draft: Draft, price: int) -> tuple[wallet.Transfer, wallet.Transfer]:
    """Hold and capture at once: the sandbox has answered before the transaction ends."""
    request_id = draft.caller.request_id
    return (
        wallet.hold(draft.owner, draft.id, price, request_id),
        wallet.capture(draft.owner, draft.id, price, request_id),
    )


def _row(draft: Draft, coins: int, *, failed: bool) -> messages.NewMessage:
    new, encoded, caller = draft.new, draft.encoded, draft.caller
    return messages.NewMessage(
        id=draft.id,
        organization_id=caller.organization_id,
        env=caller.env,
        channel=messages.Channel.SMS,
        direction=messages.Direction.OUTBOUND,
        status=messages.Status.FAILED if failed else messages.Status.SENT,
        route=new.route,
        recipient=new.to,
        region=region_of(new.to),
        sender_id=new.sender_id,
        provider=sandbox.PROVIDER,
        provider_reference=None if failed else _reference(draft),
        encoding=encoded.encoding,
        length=encoded.length,
        segments=encoded.segments,
        coins=coins,
        contact_id=new.contact_id,
        campaign_id=new.campaign_id,
        metadata=new.metadata,
        request_id=caller.request_id,
        created_at=draft.at,
        sent_at=None if failed else draft.at,
        failed_at=draft.at if failed else None,
        updated_at=draft.at,
    )


def _report(draft: Draft, ending: sandbox.Ending, due_at: datetime) -> sandbox.Report:
    assert ending.status is not None
    receipt = sandbox.sms_receipt(
        reference=_reference(draft),
        message_id=draft.id,
        recipient=draft.new.to,
        route=draft.new.route,
        status=ending.status,
        segments=draft.encoded.segments,
    )
    return sandbox.Report(draft.id, *draft.owner, messages.Channel.SMS, ending.status, ending.reason, due_at, receipt)


def _reference(draft: Draft) -> str:
    """The id that the sandbox, as a provider, gives the message."""
    return f"sbx_{draft.id[4:]}"


def _answer(draft: Draft, coins: int) -> dict[str, Any]:
    """The record of the 201, unmasked, as it is stored for replays."""
    new, encoded = draft.new, draft.encoded
    at = wire_time(draft.at)
    answer = {
        "id": draft.id,
        "status": "sent",
        "env": draft.caller.env,
        "route": new.route,
        "to": new.to,
        "provider": sandbox.PROVIDER,
        "encoding": encoded.encoding,
        "length": encoded.length,
        "segments": encoded.segments,
        "createdAt": at,
        "sentAt": at,
        "billing": {"coins": coins},
    }
    if new.contact_id is not None:
        answer["contactId"] = new.contact_id
    if new.campaign_id is not None:
        answer["campaignId"] = new.campaign_id
    if new.metadata is not None:
        answer["metadata"] = new.metadata
    return answer
