"""Accepting messages that leave later: the statement that accepts sends also lets them wait.

They are `queued` with their price held, their key is answered, and nothing is asked of a provider.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Self, TypeAlias
from uuid import UUID

from core.foundation.jobs import Job, wake
from core.foundation.slices import slices
from core.messaging.accept import accept_batch
from core.messaging.accept_outcomes import AcceptOutcome
from core.messaging.channel import SendChannel
from core.messaging.insert import NAMES, MessageRow
from core.messaging.models import MessagePriority
from core.messaging.queue.pacing import URGENCY
from core.messaging.queue.rows import BESIDE
from core.messaging.send_request import SendRequest

BATCH_SIZE = 500
"""Messages of one statement."""

Priority: TypeAlias = MessagePriority
"""Which of an organization's messages go first; bulk gets a tenth of what leaves at least."""


@dataclass(frozen=True, slots=True)
class SentByJourney:
    """For whom a message is sent: a run of a journey, on one of its steps."""

    run: UUID
    step: int


@dataclass(frozen=True, slots=True)
class SendSchedule:
    """When a send that waits leaves, and how urgent it is.

    After `expires_at` it is not worth sending any more; None: once its channel says so. `journey`:
    the run that it is sent for, where it is one's.
    """

    due_at: datetime
    expires_at: datetime | None = None
    priority: MessagePriority = MessagePriority.NORMAL
    journey: SentByJourney | None = None

    def end(self, asked_at: datetime, validity: timedelta) -> datetime:
        """When it is not worth sending any more: unless told, so long after its time."""
        return self.expires_at or max(asked_at, self.due_at) + validity


@dataclass(slots=True, kw_only=True)
class QueuedMessageRow(MessageRow):
    """The columns of a message that waits. `scheduled_at`: when its sender wants it to leave.
    `journey_run` and `journey_step`: only of those that a journey sends.
    """

    priority: MessagePriority
    scheduled_at: datetime
    journey_run: UUID | None = None
    journey_step: int | None = None

    @classmethod
    def of(cls, row: MessageRow, later: SendSchedule) -> Self:
        """The message, for later: nobody looks at it before it is handed over."""
        values = {name: getattr(row, name) for name in NAMES}
        values["settle_at"] = None
        queued = cls(**values, priority=later.priority, scheduled_at=later.due_at)
        if later.journey is not None:
            queued.journey_run, queued.journey_step = later.journey.run, later.journey.step
        return queued

    def as_row(self) -> dict[str, Any]:
        """The message as it will be read: its columns, by name."""
        # Not `super()`: the class that slots make is another one than this.
        return {
            **MessageRow.as_row(self),
            "priority": self.priority,
            "scheduled_at": self.scheduled_at,
        }


async def accept_queued(
    channel: SendChannel, requests: Sequence[SendRequest], *, job: Job
) -> list[AcceptOutcome | Exception]:
    """Accept messages that leave later (of `QueuedMessageRow`, with the row in which they wait), each
    once per key: what became of each, in their order. `job`: what lets them leave.

    One refused request never touches its neighbours. Joins the transaction of its cause, where
    there is one.
    """
    outcomes: dict[str, AcceptOutcome | Exception] = {}
    routes: dict[str, list[SendRequest]] = defaultdict(list)
    for request in requests:
        routes[request.use.route].append(request)
    for key_route, of_route in routes.items():
        to = queued(channel, key_route=key_route, of_journeys=_are_of_journeys(of_route))
        for batch in slices(of_route, BATCH_SIZE):
            accepted = await accept_batch(to, batch)
            outcomes |= zip((request.id for request in batch), accepted, strict=True)
    if any(_is_due(request) for request in requests):
        await wake(job)
    return [outcomes[request.id] for request in requests]


def _are_of_journeys(requests: Sequence[SendRequest]) -> bool:
    return any(
        isinstance(request.message, QueuedMessageRow) and request.message.journey_run is not None
        for request in requests
    )


def _is_due(request: SendRequest) -> bool:
    message = request.message
    return isinstance(message, QueuedMessageRow) and message.scheduled_at <= request.at


@cache
def queued(channel: SendChannel, *, key_route: str, of_journeys: bool = False) -> SendChannel:
    """The channel, for messages that leave later, with the keys of `key_route`: they are remembered
    from the time of the message on. `of_journeys`: effects of runs tell what was sent, and no keys;
    the statement of all others knows nothing of runs.
    """
    columns = (*channel.columns, "priority", "scheduled_at")
    return replace(
        channel,
        key_route=key_route,
        columns=(*columns, "journey_run", "journey_step") if of_journeys else columns,
        beside=(*channel.beside, BESIDE),
        keys_since="scheduled_at",
        keyless=of_journeys,
    )


def waiting_row(
    message: QueuedMessageRow,
    later: SendSchedule,
    *,
    identity: bytes,
    is_marketing: bool,
    validity: timedelta,
) -> tuple[object, ...]:
    """The row in which a message waits, as it is written beside the message: for its organization,
    which has one ceiling on a channel. `validity`: for how long after its time it is worth sending.
    """
    return (
        sender_of(message.channel, message.env, message.organization_id),
        identity,
        URGENCY[message.priority],
        False,
        is_marketing,
        max(message.created_at, message.scheduled_at),
        message.created_at,
        later.end(message.created_at, validity),
    )


def sender_of(channel: str, env: str, organization_id: str) -> str:
    """The sender of messages that share the ceiling of their organization."""
    return f"{channel}:{env}:{organization_id}"
