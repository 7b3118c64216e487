"""What a phone provider's answer means for a message, on every channel that phone providers carry."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeAlias

from core.foundation.database.rows import HasColumns
from core.messaging import timeouts
from core.messaging.models import Status
from core.messaging.queue.reasons import ABANDONED
from core.messaging.settle import INDETERMINATE, Money, NextState, Settlement
from core.providers.contracts import (
    Accepted,
    Answer,
    Failed,
    OutOfCredit,
    Refused,
    Throttled,
    Unknown,
)


@dataclass(frozen=True, slots=True)
class Indeterminate:
    """The provider was asked for ten minutes and knows nothing of the message."""


@dataclass(frozen=True, slots=True)
class Diverted:
    """Not taken on this way, and another way takes over: sent, with `reason` as the mark, due at
    once.
    """

    reason: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """Not handed over at all, for a reason of ours."""

    reason: str


PhoneVerdict: TypeAlias = Answer | Indeterminate | Diverted | Stopped


def phone_state(
    one: Settlement[PhoneVerdict],
    row: HasColumns,
    *,
    open: Status,
    accepted: Callable[[Accepted], NextState],
    expired: str = ABANDONED,
) -> NextState:
    """What a message comes to by an answer. `accepted`: what acceptance means on the channel.
    `expired`: the reason of what nobody took within its validity.
    """
    match as_one_attempt(one.verdict, row):
        case Accepted() as answer:
            return accepted(answer)
        case Diverted(reason=reason):
            return NextState(Status.SENT, reason, settle_at=one.at)
        case Refused(reason=reason) | Stopped(reason=reason):
            return NextState(Status.FAILED, reason, Money.RELEASE)
        case Unknown():
            return NextState(open, settle_at=one.at + timeouts.RECONCILE_INTERVAL)
        case Indeterminate():
            return NextState(Status.FAILED, INDETERMINATE, settle_at=one.at + timeouts.HOLD_TTL)
        case Throttled() | OutOfCredit() | Failed() as refusal:
            return _not_taken(one, _pause_after(refusal), expired)


def _pause_after(refusal: Throttled | OutOfCredit | Failed) -> timedelta:
    if isinstance(refusal, Throttled):
        return timedelta(seconds=refusal.retry_after)
    return timeouts.RETRY_INTERVAL


def as_one_attempt(verdict: PhoneVerdict, row: HasColumns) -> PhoneVerdict:
    """What an answer means for a (locked) message that may have been handed over more than once:
    that one hand-over was not taken says nothing of the others.
    """
    if row["attempts"] and isinstance(verdict, (Throttled, OutOfCredit, Failed)):
        return Unknown()
    return verdict


def _not_taken(one: Settlement[PhoneVerdict], pause: timedelta, expired: str) -> NextState:
    """A request is told so, and nothing is kept of the send; what was queued is tried again until
    its validity ends.
    """
    if one.queued is None:
        return NextState(Status.FAILED, money=Money.RELEASE)
    again = one.at + pause
    if one.queued.expires_at is not None and again >= one.queued.expires_at:
        return NextState(Status.FAILED, expired, Money.RELEASE)
    return NextState(Status.QUEUED, queue_at=again)
