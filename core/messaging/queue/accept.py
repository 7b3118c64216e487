"""Accepting messages that leave later: the statement that accepts sends also lets them wait.

They are `queued` with their price held, their key is answered, and nothing is asked of a provider.
"""

from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import cache
from typing import Any, Literal, Self, TypeAlias

from core.messaging.channel import SendChannel
from core.messaging.insert import MessageRow
from core.messaging.models import Status
from core.messaging.queue.pacing import URGENCY
from core.messaging.queue.rows import BESIDE

Priority: TypeAlias = Literal["critical", "normal", "bulk"]
"""Which of an organization's messages go first; bulk gets a tenth of what leaves at least."""


@dataclass(slots=True, kw_only=True)
class QueuedMessageRow(MessageRow):
    """The columns of a message that waits. `scheduled_at`: when its sender wants it to leave."""

    priority: Priority
    scheduled_at: datetime

    @classmethod
    def of(cls, row: MessageRow, *, priority: Priority, scheduled_at: datetime) -> Self:
        """The message, for later."""
        values = {field.name: getattr(row, field.name) for field in fields(row)}
        values |= {"status": Status.QUEUED, "sent_at": None, "settle_at": None}
        return cls(**values, priority=priority, scheduled_at=scheduled_at)

    def as_row(self) -> dict[str, Any]:
        """The message as it will be read: its columns, by name."""
        # Not `super()`: the class that slots make is another one than this.
        return {
            **MessageRow.as_row(self),
            "priority": self.priority,
            "scheduled_at": self.scheduled_at,
        }


@cache
def queued(channel: SendChannel, *, key_route: str) -> SendChannel:
    """The channel, for messages that leave later, with the keys of `key_route`: they are remembered
    from the time of the message on.
    """
    return replace(
        channel,
        key_route=key_route,
        columns=(*channel.columns, "priority", "scheduled_at"),
        beside=(*channel.beside, BESIDE),
        keys_since="scheduled_at",
    )


def waiting_row(
    message: QueuedMessageRow,
    *,
    identity: bytes,
    is_marketing: bool,
    expires_at: datetime,
) -> tuple[object, ...]:
    """The row in which a message waits, as it is written beside the message: for its organization,
    which has one ceiling on a channel.
    """
    return (
        sender_of(message.channel, message.env, message.organization_id),
        identity,
        URGENCY[message.priority],
        False,
        is_marketing,
        max(message.created_at, message.scheduled_at),
        message.created_at,
        expires_at,
    )


def sender_of(channel: str, env: str, organization_id: str) -> str:
    """The sender of messages that share the ceiling of their organization."""
    return f"{channel}:{env}:{organization_id}"
