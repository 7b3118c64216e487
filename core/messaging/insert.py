"""Inserting messages, many at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from operator import attrgetter
from typing import Any

from core.foundation import pubsub
from core.foundation.database import db
from core.messaging.announce import changed


@dataclass(frozen=True, slots=True)
class MessageRow:
    """The columns that a channel fills when it takes a message in."""

    id: str
    organization_id: str
    env: str
    channel: str
    direction: str
    status: str
    route: str | None
    recipient: str
    region: str | None
    sender_id: str | None
    provider: str | None
    provider_reference: str | None
    encoding: str | None
    length: int | None
    segments: int | None
    coins: int
    contact_id: str | None
    campaign_id: str | None
    metadata: Mapping[str, Any] | None
    request_id: str | None
    created_at: datetime
    sent_at: datetime | None
    failed_at: datetime | None
    updated_at: datetime
    settle_at: datetime | None = None
    content: Mapping[str, Any] | None = None
    fallback: Mapping[str, Any] | None = None
    sender_address: str | None = None
    subject: str | None = None
    body_bytes: int | None = None
    reason: str | None = None


NAMES = [field.name for field in fields(MessageRow)]
TYPES = {
    "length": "int",
    "segments": "int",
    "coins": "bigint",
    "metadata": "jsonb",
    "created_at": "timestamptz",
    "sent_at": "timestamptz",
    "failed_at": "timestamptz",
    "updated_at": "timestamptz",
    "settle_at": "timestamptz",
    "content": "jsonb",
    "fallback": "jsonb",
    "body_bytes": "int",
}
_values = attrgetter(*NAMES)
INSERT = (
    f"INSERT INTO messages ({', '.join(NAMES)}) SELECT * FROM unnest("
    + ", ".join(f"${place}::{TYPES.get(name, 'text')}[]" for place, name in enumerate(NAMES, 1))
    + ")"
)


async def insert_messages(messages: Sequence[MessageRow]) -> None:
    """Insert messages in one statement, in the transaction of their cause."""
    if messages:
        await db.execute(
            INSERT, *db.columns((_values(message) for message in messages), len(NAMES))
        )
        await pubsub.publish(
            changed(
                new.organization_id, new.env, new.id, channel=new.channel, direction=new.direction
            )
            for new in messages
        )
