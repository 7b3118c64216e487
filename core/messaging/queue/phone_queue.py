"""The queue of channels that phone providers carry: what is due is claimed, handed over and
settled.

A message is marked before it is handed over (the status of an open outcome, and when it is looked
at again), in the transaction that takes it from the queue. What a process that dies in between
leaves behind is reconciled like the send of a request that died.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, TypeAlias, TypedDict, cast

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.rows import by_column
from core.foundation.database.transactions import transaction
from core.messaging import timeouts
from core.messaging.announce import announce_messages
from core.messaging.fail_over import hand_over_in_turn
from core.messaging.models import Channel, Status
from core.messaging.opt_out import RECIPIENT, opted_out
from core.messaging.phone_answers import PhoneVerdict, Stopped
from core.messaging.queue.claim import Quota, begin_hand_over, take_due
from core.messaging.queue.dispatcher import ClaimResult, QueueDispatcher, QueueOfChannels
from core.messaging.queue.due_organizations import (
    DueOrganization,
    find_due_organizations,
    grant_all,
    return_nothing,
)
from core.messaging.queue.pacing import TakeTokens
from core.messaging.queue.reasons import CANCELED, OPT_OUT
from core.messaging.queue.rows import QueuedMessage, enqueue, without
from core.messaging.settle import Result, Settlement
from core.messaging.stored_message import StoredMessage
from core.providers import registry, sandbox
from core.providers.contracts import Accepted, Failed, Outgoing, OutOfCredit

SandboxAnswer: TypeAlias = tuple[PhoneVerdict, sandbox.ScheduledReport | None]
"""What the sandbox says at once, and what it will report."""

Settle = Callable[[Sequence[Settlement[PhoneVerdict]]], Awaitable[Sequence[Result]]]


@dataclass(frozen=True, slots=True)
class PhoneQueue:
    """How the queued messages of a channel leave.

    `open`: the status of a message whose outcome is not known. `expired`: the reason of one whose
    validity is over. `outgoing`: the message as its provider gets it; None where nothing is left of
    it. `ending`: what becomes of the (begun) row of one in the sandbox, and `receipt`: what is
    reported of it there. `take_tokens` and `return_tokens`: the ceiling of organizations, where
    there is one.
    """

    channel: Channel
    open: Status
    expired: str
    outgoing: Callable[[StoredMessage], Outgoing | None]
    ending: Callable[[StoredMessage], sandbox.Ending]
    receipt: Callable[[StoredMessage, sandbox.Ending], dict[str, Any]]
    settle: Settle
    take_tokens: TakeTokens[DueOrganization] = grant_all
    return_tokens: Callable[[Sequence[DueOrganization], Mapping[str, int]], Awaitable[None]] = (
        return_nothing
    )


@dataclass(frozen=True, slots=True)
class ReadyMessage:
    """A live message that is to be handed over now; its outcome is open."""

    queued: QueuedMessage
    row: StoredMessage


def queue_of(how: PhoneQueue) -> QueueOfChannels[DueOrganization, ReadyMessage]:
    """The queue of the channel, for its dispatcher."""
    return QueueOfChannels(
        find_due=partial(find_due_organizations, how.channel),
        take_tokens=how.take_tokens,
        return_tokens=how.return_tokens,
        prepare=_nothing,
        claim=partial(claim, how),
        hand_over=partial(hand_over, how),
        settle=how.settle,
    )


class PhoneDispatcher(QueueDispatcher[DueOrganization, ReadyMessage]):
    """Lets the queued messages of a channel leave."""

    def __init__(self, how: PhoneQueue) -> None:
        super().__init__(queue_of(how))


async def _nothing(senders: Sequence[DueOrganization]) -> None:
    """There is nothing to look up before a claim."""


class _Facts(TypedDict):
    """What decides whether a (locked) message may leave; `denied` is asked of marketing alone."""

    id: str
    recipient: str
    route: str
    provider: str
    denied: bool


async def claim(
    how: PhoneQueue, quotas: Sequence[Quota], *, at: datetime
) -> ClaimResult[ReadyMessage]:
    """Take what the quotas allow. What must not leave any more fails here, what nobody carries
    waits on, and the sandbox takes its own at once.
    """
    async with transaction():
        taken = await take_due(quotas, at=at)
        if not taken:
            return ClaimResult(0, [], {})
        facts = await _lock_messages(taken)
        due = _only(taken, facts)
        stops = _stops(how, due, facts, at=at)
        unserved = await _put_off_unserved(how, without(due, stops), facts, at=at)
        leaving = without(due, stops.keys() | unserved)
        begun = await _begin(how, [*leaving, *_only(due, stops)], facts, at=at)
        await _settle_at_once(how, due, stops, begun, at=at)
        ready = [ReadyMessage(one, begun[one.message_id]) for one in leaving if one.env == "live"]
        await announce_messages([one.row for one in ready])
    left = {one.message_id for one in leaving}
    unused = Counter(one.sender_id for one in without(due, left))
    return ClaimResult(taken=len(taken), ready=ready, unused=unused)


async def _settle_at_once(
    how: PhoneQueue,
    due: Sequence[QueuedMessage],
    stops: Mapping[str, Stopped],
    begun: Mapping[str, StoredMessage],
    *,
    at: datetime,
) -> None:
    """Settle those (begun) that must not leave, and those that the sandbox takes: all in one, since
    wallets are locked in one order.
    """
    settlements: list[Settlement[PhoneVerdict]] = []
    reports: list[sandbox.ScheduledReport] = []
    for one in _only(due, begun):
        verdict: PhoneVerdict | None = stops.get(one.message_id)
        if verdict is None and one.env == "test":
            verdict, report = _in_sandbox(how, begun[one.message_id], at=at)
            reports += [] if report is None else [report]
        if verdict is not None:
            settlements.append(Settlement(one.message_id, verdict, at, one))
    await how.settle(settlements)
    await sandbox.write_reports(reports)


def _in_sandbox(how: PhoneQueue, row: StoredMessage, *, at: datetime) -> SandboxAnswer:
    """What the last digits of the recipient stand for, as for a send of a request."""
    ending = how.ending(row)
    if ending.refused:
        return OutOfCredit(), None
    accepted = Accepted(sandbox.reference_of(row["id"]))
    if ending.status is None:
        return accepted, None
    receipt = how.receipt(row, ending)
    report = sandbox.ScheduledReport.on(row, ending.status, ending.reason, receipt, at=at)
    return accepted, report


async def hand_over(
    how: PhoneQueue, ready: ReadyMessage, prepared: Any
) -> Settlement[PhoneVerdict]:
    """Hand it over, once and outside any transaction. What a provider clearly did not take goes
    back into the queue; what it says nothing of is reconciled.
    """
    verdict = await _verdict(how, ready.row)
    return Settlement(ready.queued.message_id, verdict, now(), ready.queued)


async def _verdict(how: PhoneQueue, row: StoredMessage) -> PhoneVerdict:
    outgoing = how.outgoing(row)
    if outgoing is None:
        return Stopped(how.expired)
    carriers = registry.carriers(how.channel, row["route"])
    if not carriers:  # closed since the claim
        return Failed()
    return await hand_over_in_turn(carriers, outgoing, open=how.open)


def _stops(
    how: PhoneQueue, due: Sequence[QueuedMessage], facts: Mapping[str, _Facts], *, at: datetime
) -> dict[str, Stopped]:
    """The messages that must not leave any more, by id, and why."""
    found = {one.message_id: _reason(how, one, facts[one.message_id], at=at) for one in due}
    return {id: Stopped(reason) for id, reason in found.items() if reason is not None}


def _reason(how: PhoneQueue, one: QueuedMessage, facts: _Facts, *, at: datetime) -> str | None:
    if not facts["recipient"].startswith("+"):  # an erased recipient has no plus any more
        return CANCELED
    if one.is_marketing and facts["denied"]:
        return OPT_OUT
    return how.expired if one.expires_at is not None and one.expires_at <= at else None


async def _put_off_unserved(
    how: PhoneQueue, sendable: Sequence[QueuedMessage], facts: Mapping[str, _Facts], *, at: datetime
) -> set[str]:
    """Put back live messages that no provider is configured to carry. Answers the ids."""
    unserved = [
        one
        for one in sendable
        if one.env == "live" and not registry.carriers(how.channel, facts[one.message_id]["route"])
    ]
    await enqueue([replace(one, due_at=at + timeouts.NO_PROVIDER_PAUSE) for one in unserved])
    return {one.message_id for one in unserved}


def _only(due: Sequence[QueuedMessage], ids: Container[str]) -> list[QueuedMessage]:
    return [one for one in due if one.message_id in ids]


async def _lock_messages(taken: Sequence[QueuedMessage]) -> dict[str, _Facts]:
    """Lock the queued messages of these rows, and answer by id what decides whether they may leave.
    A row without its message is over already, and missing here.
    """
    asked = [(one.message_id, one.identity, one.is_marketing, one.env) for one in taken]
    rows = cast("list[_Facts]", await db.fetch(FACTS, *db.columns(asked, 4)))
    return by_column(rows, "id")


async def _begin(
    how: PhoneQueue, due: Sequence[QueuedMessage], facts: Mapping[str, _Facts], *, at: datetime
) -> dict[str, StoredMessage]:
    """Mark messages as being handed over to who carries them now, also those that fail at once:
    only such a message is settled.
    """
    providers = {
        one.message_id: carriers[0].name
        for one in due
        if one.env == "live"
        and (carriers := registry.carriers(how.channel, facts[one.message_id]["route"]))
        and carriers[0].name != facts[one.message_id]["provider"]
    }
    return await begin_hand_over(
        [one.message_id for one in due],
        status=how.open,
        until=at + timeouts.RECONCILE_AFTER,
        providers=providers,
        at=at,
    )


FACTS = f"""
SELECT m.id, m.recipient, m.route, m.provider,
       a.marketing AND {opted_out("m", "m.channel", RECIPIENT)} AS denied
FROM unnest($1::text[], $2::bytea[], $3::bool[], $4::text[]) AS a (id, identity, marketing, env)
JOIN messages m ON m.id = a.id AND m.env = a.env AND m.status = 'queued'
ORDER BY m.id
FOR UPDATE OF m
"""
