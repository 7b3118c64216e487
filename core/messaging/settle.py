"""Settling messages by what was answered for them: status, price, key and events, many at once.

The requests that handed messages over, the queue, reconciliation, and delivery reports that
overtook an answer all end here, on every channel. Only a message whose outcome is open is settled,
under its row lock: whoever comes second changes nothing, and answers what stands. Locks are taken
in one order everywhere: queue rows, messages, conversation pairs, volumes, wallets.

What an answer means on a channel is its `ChannelPolicy`.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum, auto
from typing import Any, Generic, TypeAlias, TypeVar, cast

import orjson

from core import idempotency, wallet
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.settings import current
from core.messaging.announce import announce_messages
from core.messaging.errors import OutcomeUnknown, ProviderOutOfCredit, ProviderRefused
from core.messaging.find import remember_references
from core.messaging.message_channel import channel_of
from core.messaging.models import Status
from core.messaging.queue.rows import QueuedMessage, enqueue
from core.messaging.send_request import Record
from core.messaging.stored_message import HeldMessage, StoredMessage, fetch_messages
from core.providers.contracts import OutOfCredit, Throttled

Verdict = TypeVar("Verdict")
"""What may be said of a message of a channel: its provider's answers, and reasons of ours."""
Verdict_co = TypeVar("Verdict_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Settlement(Generic[Verdict_co]):
    """One message and what was said of it. `queued`: the row that it was queued by, if it was."""

    message_id: str
    verdict: Verdict_co
    at: datetime
    queued: QueuedMessage | None = None


class Money(Enum):
    """What happens to the price that is held for a message."""

    HOLD = auto()
    CAPTURE = auto()
    RELEASE = auto()


@dataclass(frozen=True, slots=True)
class NextState:
    """What a message comes to. `settle_at`: when it is looked at again. `queue_at`: it goes back into
    the queue, until then. `forgets_reference`: the hand-over that its reference marks did not happen.
    """

    status: Status
    reason: str | None = None
    money: Money = Money.HOLD
    reference: str | None = None
    settle_at: datetime | None = None
    queue_at: datetime | None = None
    error: str | None = None
    code: str | None = None
    forgets_reference: bool = False


@dataclass(frozen=True, slots=True)
class Batch(Generic[Verdict_co]):
    """What is settled in one transaction, by message: the (locked) rows as they were, what was said
    of each, and what it comes to.
    """

    rows: Mapping[str, StoredMessage]
    settlements: Mapping[str, Settlement[Verdict_co]]
    states: Mapping[str, NextState]
    at: datetime

    @property
    def captured(self) -> list[StoredMessage]:
        """The messages whose price is captured now."""
        return [row for id, row in self.rows.items() if self.states[id].money is Money.CAPTURE]


async def held_prices(batch: Batch[Any]) -> dict[str, int]:
    """What is held is what it costs."""
    return {row["id"]: row["coins"] for row in batch.captured}


def refusal_of(id: str, verdict: object) -> Exception:
    """The refusal of a send that the provider did not take, for a reason that is not its
    recipient's.
    """
    if isinstance(verdict, Throttled):
        return ProviderOutOfCredit(id, retry_after=verdict.retry_after)
    return ProviderOutOfCredit(id) if isinstance(verdict, OutOfCredit) else ProviderRefused(id)


@dataclass(frozen=True, slots=True)
class ChannelPolicy(Generic[Verdict]):
    """How the sends of a channel are settled.

    `open`: the status of a message whose outcome is not known. `next_state`: what an answer means
    for the (locked) message. `tell`: what else follows in the same transaction from the new states
    of messages that left `open`: events, and what hangs on them. `prices`: what the captured
    messages cost, never more than is held. `answer`: the unmasked 201 of a row, where requests wait for the answer;
    without it the key was answered when the send was accepted. `refusal`: what such a request gets
    where the provider did not take the message. `count`: the channel's metrics.
    """

    open: Status
    next_state: Callable[[Settlement[Verdict], StoredMessage], NextState]
    tell: Callable[[Sequence[StoredMessage], datetime], Awaitable[None]]
    prices: Callable[[Batch[Verdict]], Awaitable[Mapping[str, int]]] = held_prices
    answer: Callable[[StoredMessage], Record] | None = None
    refusal: Callable[[str, Verdict], Exception] = refusal_of
    count: Callable[[Batch[Verdict]], Awaitable[None]] | None = None


async def tell(rows: Sequence[StoredMessage], *, at: datetime) -> None:
    """What follows from the new states of messages, each by the policy of its channel."""
    for channel in sorted({row["channel"] for row in rows}):
        await channel_of(channel).settles.tell(
            [row for row in rows if row["channel"] == channel], at
        )


Result: TypeAlias = Record | Exception | None
"""The record of a message; the refusal that its request gets; None where no request waits."""


async def settle(
    policy: ChannelPolicy[Verdict], settlements: Sequence[Settlement[Verdict]]
) -> list[Result]:
    """Settle messages in one transaction, with their money and what is told of them. Answers what
    each request gets.
    """
    if not settlements:
        return []
    async with transaction():
        found = await _lock([one.message_id for one in settlements])
        said = [one for one in settlements if one.message_id in found]
        batch = _batch_of(policy, said, found, at=max(one.at for one in settlements))
        moved = await _settle_open(policy, batch)
        rows = found | moved
        await _remember_late_references(policy, said, found, batch)
        await _answer_keys(policy, rows.values(), at=batch.at)
    verdicts = {one.message_id: one.verdict for one in said}
    return [_result(policy, rows.get(one.message_id), verdicts) for one in settlements]


async def _lock(ids: Sequence[str]) -> dict[str, StoredMessage]:
    rows = await fetch_messages(LOCK, list(ids))
    return {row["id"]: row for row in rows}


def _batch_of(
    policy: ChannelPolicy[Verdict],
    said: Sequence[Settlement[Verdict]],
    found: Mapping[str, StoredMessage],
    *,
    at: datetime,
) -> Batch[Verdict]:
    """The messages that are open, each with the first that was said of it."""
    by_id: dict[str, Settlement[Verdict]] = {}
    for one in said:
        if is_open(policy, found[one.message_id]):
            by_id.setdefault(one.message_id, one)
    return Batch(
        rows={id: found[id] for id in by_id},
        settlements=by_id,
        states={id: policy.next_state(one, found[id]) for id, one in by_id.items()},
        at=at,
    )


async def _settle_open(
    policy: ChannelPolicy[Verdict], batch: Batch[Verdict]
) -> dict[str, StoredMessage]:
    """Move the open messages, with everything that follows. Answers the rows as they are then."""
    if not batch.rows:
        return {}
    prices = await policy.prices(batch)
    await book(_transfers(batch, prices), at=batch.at)
    moved = await fetch_messages(MOVE, *db.columns(_columns(batch, prices), 10))
    await _wait_again(_requeued(batch))
    left = [row for row in moved if row["status"] != policy.open]
    await policy.tell(left, batch.at)
    if policy.count is not None:
        await policy.count(batch)
    await announce_messages(left)
    return {row["id"]: row for row in moved}


def _transfers(batch: Batch[Any], prices: Mapping[str, int]) -> Iterator[wallet.Transfer]:
    for id, row in batch.rows.items():
        match batch.states[id].money:
            case Money.CAPTURE:
                yield from _paid(row, prices[id])
            case Money.RELEASE:
                yield from _paid(row, 0)


def _paid(row: HeldMessage, price: int) -> Iterator[wallet.Transfer]:
    """Of what is held for a message, its price is captured and the rest released."""
    yield wallet.capture(owner_of(row), row["id"], price, row["request_id"], row["quote_id"])
    yield wallet.release(
        owner_of(row), row["id"], row["coins"] - price, row["request_id"], row["quote_id"]
    )


def _columns(batch: Batch[Any], prices: Mapping[str, int]) -> Iterator[tuple[object, ...]]:
    for id, state in batch.states.items():
        yield (
            id,
            state.status,
            state.reason,
            state.reference,
            state.forgets_reference,
            0 if state.money is Money.RELEASE else prices.get(id),
            state.settle_at,
            state.error and state.error[:200],
            state.code and state.code[:20],
            batch.settlements[id].at,
        )


def _requeued(batch: Batch[Any]) -> list[QueuedMessage]:
    """The queue rows of what is to be tried again."""
    return [
        replace(queued, due_at=state.queue_at)
        for id, state in batch.states.items()
        if state.queue_at is not None and (queued := batch.settlements[id].queued) is not None
    ]


async def _wait_again(queued: Sequence[QueuedMessage]) -> None:
    """Put messages back into the queue: nobody hands them over any more."""
    if queued:
        await db.execute(LET_WAIT, [one.message_id for one in queued])
        await enqueue(queued)


async def _remember_late_references(
    policy: ChannelPolicy[Verdict],
    said: Sequence[Settlement[Verdict]],
    found: Mapping[str, StoredMessage],
    batch: Batch[Verdict],
) -> None:
    """The references of messages that a delivery report settled before the answer did."""
    late = [one for one in said if one.message_id not in batch.rows]
    states = [(one.message_id, policy.next_state(one, found[one.message_id])) for one in late]
    await remember_references([(id, state.reference) for id, state in states if state.reference])


async def _answer_keys(
    policy: ChannelPolicy[Any], rows: Iterable[StoredMessage], *, at: datetime
) -> None:
    """Store the answer of what stands, free the key of what was refused, open the key of what is
    unknown. What was queued has answered its key already.
    """
    if policy.answer is None:
        return
    waited_for = [row for row in rows if not came_by_queue(row)]
    refused = [row["id"] for row in waited_for if was_refused(row)]
    unknown = [row["id"] for row in waited_for if _is_unknown(policy, row)]
    answered = [row for row in waited_for if row["id"] not in {*refused, *unknown}]
    await idempotency.answer_many(
        [row["id"] for row in answered],
        [orjson.dumps(policy.answer(row)).decode() for row in answered],
    )
    await idempotency.release_many(refused)
    await idempotency.end_leases(unknown, at=at)


def is_open(policy: ChannelPolicy[Any], row: StoredMessage) -> bool:
    """Whether the outcome of a message is awaited. One that waits in the queue may have the same
    status, and is nobody's to settle.
    """
    waits = row["status"] == Status.QUEUED and came_by_queue(row) and row["handed_over_at"] is None
    return bool(row["status"] == policy.open and not waits)


def came_by_queue(row: StoredMessage) -> bool:
    """Whether a message was accepted to leave later: only such a message has a priority."""
    return row["priority"] is not None


def was_refused(row: StoredMessage) -> bool:
    """Failed for no reason of the recipient's: the synchronous answer told it, and the key is free."""
    return bool(row["status"] == Status.FAILED and row["reason"] is None)


def _is_unknown(policy: ChannelPolicy[Any], row: StoredMessage) -> bool:
    is_lost = row["status"] == Status.FAILED and row["reason"] == INDETERMINATE
    return bool(is_lost or row["status"] == policy.open)


def _result(
    policy: ChannelPolicy[Verdict], row: StoredMessage | None, verdicts: Mapping[str, Verdict]
) -> Result:
    if policy.answer is None or row is None:
        return None
    if row["status"] == policy.open:
        return OutcomeUnknown(row["id"])
    if not was_refused(row):
        # Also where the answer was another: a report on the message knows better.
        return policy.answer(row)
    return policy.refusal(row["id"], verdicts[row["id"]])


def owner_of(row: HeldMessage) -> wallet.Owner:
    """Whose wallet pays for a message."""
    return (row["organization_id"], row["env"])


async def book(
    transfers: Iterator[wallet.Transfer] | Sequence[wallet.Transfer], *, at: datetime
) -> None:
    """Book what these transfers move, under the lock of their wallets, and warn of what ran low."""
    moving = [transfer for transfer in transfers if transfer.coins]
    if moving and current().charges:
        await wallet.lock_balances({(one.organization_id, one.env) for one in moving})
        await wallet.warn(await wallet.book(moving, at=at), at=at)


INDETERMINATE = "indeterminate"
"""The reason of a message whose outcome nobody could tell."""


async def release_expired_holds(ids: Sequence[str], *, at: datetime) -> None:
    """Give back what is held for messages of which nothing was heard in three days."""
    if ids:
        async with transaction():
            rows = cast("list[HeldMessage]", await db.fetch(LOCK_HELD, list(ids)))
            await pay_held([(row, 0) for row in rows], at=at)


async def pay_held(prices: Sequence[tuple[HeldMessage, int]], *, at: datetime) -> None:
    """Capture what (locked) messages cost, of what is held for them, and give the rest back."""
    if prices:
        transfers = [one for row, price in prices for one in _paid(row, price)]
        await book(transfers, at=at)
        await db.execute(CLOSE, *db.columns([(row["id"], price) for row, price in prices], 2), at)


async def reopen(ids: Sequence[str]) -> None:
    """Let (locked) messages be `sending` again whose outcome turned out to be another one."""
    await db.execute(REOPEN, list(ids))


async def settle_revived(
    policy: ChannelPolicy[Any], rows: Sequence[StoredMessage], *, at: datetime
) -> dict[str, StoredMessage]:
    """Messages that failed as indeterminate and turned out to be delivered: they did leave, and are
    charged while their price is still held. One whose hold was released already is not charged
    again.

    `rows` are the messages as they were before. Answers them as they are now.
    """
    if not rows:
        return {}
    held = {row["id"]: row for row in rows if row["settle_at"] is not None}
    captured = NextState(Status.SENT, money=Money.CAPTURE)
    batch: Batch[Any] = Batch(held, {}, dict.fromkeys(held, captured), at)
    prices = await policy.prices(batch) if held else {}
    await book(_transfers(batch, prices), at=at)
    ids = [row["id"] for row in rows]
    revived = await fetch_messages(REVIVE, ids, [prices.get(id) for id in ids])
    return {row["id"]: row for row in revived}


LOCK = "SELECT * FROM messages WHERE id = ANY ($1) ORDER BY id FOR UPDATE"

LOCK_HELD = """
SELECT id, organization_id, env, coins, request_id, quote_id FROM messages
WHERE id = ANY ($1) AND status NOT IN ('queued', 'sending') AND settle_at IS NOT NULL ORDER BY id FOR UPDATE
"""

MOVE = """
UPDATE messages m
SET status = s.status, reason = s.reason,
    provider_reference = CASE WHEN s.forgets THEN NULL ELSE coalesce(s.reference, m.provider_reference) END,
    coins = coalesce(s.coins, m.coins), settle_at = s.settle_at,
    sealed_text = CASE WHEN s.status IN ('queued', 'sending') THEN m.sealed_text END,
    last_error = s.error, original_error = coalesce(m.original_error, s.error), upstream_code = s.code,
    sent_at = CASE WHEN s.status = 'sent' THEN s.at ELSE m.sent_at END,
    failed_at = CASE WHEN s.status = 'failed' THEN s.at ELSE m.failed_at END,
    updated_at = s.at
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bool[], $6::bigint[], $7::timestamptz[], $8::text[],
            $9::text[], $10::timestamptz[])
    AS s (id, status, reason, reference, forgets, coins, settle_at, error, code, at)
WHERE m.id = s.id
RETURNING m.*
"""

LET_WAIT = "UPDATE messages SET handed_over_at = NULL WHERE id = ANY ($1)"

CLOSE = """
UPDATE messages m SET coins = p.coins, settle_at = NULL, updated_at = $3
FROM unnest($1::text[], $2::bigint[]) AS p (id, coins) WHERE m.id = p.id
"""

REOPEN = (
    "UPDATE messages SET status = 'sending', reason = NULL, failed_at = NULL WHERE id = ANY ($1)"
)

REVIVE = """
UPDATE messages m
SET settle_at = NULL, coins = coalesce(r.coins, m.coins), sent_at = coalesce(m.sent_at, m.created_at)
FROM unnest($1::text[], $2::bigint[]) AS r (id, coins)
WHERE m.id = r.id
RETURNING m.*
"""
