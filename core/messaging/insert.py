"""Inserting messages, many at once: the only place where rows of `messages` come into being."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cache
from operator import attrgetter
from typing import Any

from core.foundation import pubsub
from core.foundation.database import db
from core.foundation.database.batch_rows import BatchRows
from core.foundation.slices import slices
from core.foundation.turns import in_turns
from core.messaging.announce import changed
from core.messaging.stored_message import StoredMessage, fetch_messages


@dataclass(slots=True, kw_only=True)
class MessageRow:
    """The columns that a channel fills when it takes a message in, in the order of the table.

    Not frozen: on the hot path, a row is made of each send.
    """

    id: str
    organization_id: str
    env: str
    channel: str
    direction: str
    status: str
    route: str | None
    recipient: str
    region: str | None = None
    sender_id: str | None = None
    provider: str | None
    provider_reference: str | None = None
    encoding: str | None = None
    length: int | None = None
    segments: int | None = None
    coins: int
    contact_id: str | None = None
    campaign_id: str | None = None
    metadata: Mapping[str, Any] | None = None
    request_id: str | None
    created_at: datetime
    sent_at: datetime | None = None
    failed_at: datetime | None = None
    updated_at: datetime
    settle_at: datetime | None = None
    content: Mapping[str, Any] | None = None
    fallback: Mapping[str, Any] | None = None
    sender_address: str | None = None
    subject: str | None = None
    body_bytes: int | None = None
    reason: str | None = None
    sealed_text: str | None = None
    smpp_account_id: str | None = None
    decision_facts: str | None = None
    quote_id: str | None = None

    def as_row(self) -> dict[str, object]:
        """The message as it will be read: its columns, by name."""
        return dict(zip(NAMES, _values(self), strict=True))


NAMES = tuple(field.name for field in fields(MessageRow))
TYPES = {
    "length": "int",
    "segments": "int",
    "coins": "bigint",
    "metadata": "jsonb",
    "created_at": "timestamptz",
    "sent_at": "timestamptz",
    "delivered_at": "timestamptz",
    "failed_at": "timestamptz",
    "updated_at": "timestamptz",
    "scheduled_at": "timestamptz",
    "settle_at": "timestamptz",
    "content": "jsonb",
    "fallback": "jsonb",
    "body_bytes": "int",
    "force": "bool",
    "reprocessed": "bool",
    "template_vars": "jsonb",
    "attempts": "smallint",
    "journey_run": "uuid",
    "journey_step": "smallint",
    "link_origin": "jsonb",
    "media": "jsonb",
    "decision_facts": "jsonb",
}
"""Of the columns that are no texts."""

_values = attrgetter(*NAMES)


def insert_sql(columns: Sequence[str], source: str) -> str:
    """The statement that inserts what `source` selects."""
    return f"INSERT INTO messages ({', '.join(columns)}) {source}"


def arrays_sql(columns: Sequence[str], *, first: int) -> str:
    """The arguments of `unnest` for these columns, as parameters from `$first` on."""
    return ", ".join(
        f"${place}::{TYPES.get(name, 'text')}[]" for place, name in enumerate(columns, first)
    )


@cache
def _insert(columns: tuple[str, ...], once: bool) -> str:
    # By messages_inbound_once, or what stands in for it where the table is in partitions
    # (docs/scaling.md).
    conflict = "ON CONFLICT DO NOTHING " if once else ""
    source = f"SELECT * FROM unnest({arrays_sql(columns, first=1)})"
    return f"{insert_sql(columns, source)} {conflict}RETURNING *"


async def store_messages(
    columns: tuple[str, ...], values: Sequence[Sequence[object]], *, once: bool = False
) -> Sequence[StoredMessage]:
    """Insert messages of which these columns are given, in the transaction of their cause. Answers
    their rows.

    `once`: what came in and is there already under its provider's id is left as it is.
    """
    if not values:
        return []
    return await fetch_messages(_insert(columns, once), *db.columns(values, len(columns)))


LAID_AT_ONCE = 25
"""Messages that are made ready in one turn."""


@cache
def _write(columns: tuple[str, ...]) -> tuple[BatchRows, str]:
    rows = BatchRows(tuple((name, TYPES.get(name, "text")) for name in columns))
    given = rows.of("$1")
    return rows, insert_sql(columns, f"SELECT {given.all(columns)} FROM {given.source}")


async def write_messages(columns: tuple[str, ...], values: Sequence[Sequence[object]]) -> None:
    """Insert messages of which these columns are given, in the transaction of their cause. Their rows
    are not asked back: whoever wrote them knows what they are (`WrittenRow`).
    """
    if values:
        rows, sql = _write(columns)
        laid: list[tuple[object, ...]] = []
        async for some in in_turns(slices(values, LAID_AT_ONCE)):
            laid += rows.parameter(some)
        await db.execute(sql, laid)


class WrittenRow(dict[str, object]):
    """A message that has just been written, by column: what was not given is null."""

    def __missing__(self, column: str) -> None:
        return None


async def insert_messages(messages: Sequence[MessageRow]) -> None:
    """Insert messages in one statement, in the transaction of their cause."""
    if messages:
        await write_messages(NAMES, [_values(message) for message in messages])
        await pubsub.publish(
            changed(
                new.organization_id, new.env, new.id, channel=new.channel, direction=new.direction
            )
            for new in messages
        )
