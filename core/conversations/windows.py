"""The service window: for 24 hours after a person wrote, a sender may answer freely."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from core.foundation.database import db
from core.messaging import Channel

WINDOW = timedelta(hours=24)

OF_A_NUMBER = "starts_with({t}.sender_id, 'num_')"
"""The SQL of whether a row `{t}` of `conversation_pairs` is of a number; else it is of an Instagram
account.
"""

CHANNEL_OF_PAIR = (
    f"CASE WHEN {OF_A_NUMBER} THEN '{Channel.WHATSAPP}' ELSE '{Channel.INSTAGRAM}' END"
)

PairKey = tuple[str, bytes]
"""The id of a number or an Instagram account, and the identity of a person."""


@dataclass(frozen=True, slots=True)
class PairState:
    """A sender of ours and a person."""

    last_inbound_at: datetime | None
    platform_address: str | None


@dataclass(frozen=True, slots=True)
class InboundSeen:
    """A person wrote to a sender. `address`: the form of the person's address that the platform
    uses, if it told.
    """

    organization_id: str
    env: str
    sender_id: str
    identity: bytes
    at: datetime
    contact_id: str | None = None
    address: str | None = None


def open_until(last_inbound_at: datetime | None) -> datetime | None:
    """When the window closes, or closed; None where nobody ever wrote. It is open before that
    moment.
    """
    return None if last_inbound_at is None else last_inbound_at + WINDOW


def is_open(last_inbound_at: datetime | None, *, at: datetime) -> bool:
    """Whether anything may be sent at this moment, and not only templates."""
    until = open_until(last_inbound_at)
    return until is not None and at < until


async def find_pairs(
    organization_id: str, env: str, keys: Collection[PairKey]
) -> dict[PairKey, PairState]:
    """What is known of these pairs; of the others nobody ever wrote."""
    rows = await db.fetch_for(keys, FIND, organization_id, env, *db.columns(sorted(set(keys)), 2))
    return {
        (row["sender_id"], row["identity"]): PairState(
            row["last_inbound_at"], row["platform_address"]
        )
        for row in rows
    }


async def note_inbound(seen: Sequence[InboundSeen]) -> None:
    """Open the windows of those who wrote, in the caller's transaction. An older message opens
    nothing anew.
    """
    last: dict[tuple[str, str, str, bytes], InboundSeen] = {}
    for one in sorted(seen, key=lambda one: one.at):
        last[one.organization_id, one.env, one.sender_id, one.identity] = one
    # In one order, so that two writers do not wait for each other in a circle.
    columns = [(*key, one.contact_id, one.address, one.at) for key, one in sorted(last.items())]
    await db.execute_for(last, NOTE, *db.columns(columns, 7))


FIND = """
SELECT p.sender_id, p.identity, p.last_inbound_at, p.platform_address
FROM conversation_pairs p
JOIN unnest($3::text[], $4::bytea[]) AS k (sender_id, identity) USING (sender_id, identity)
WHERE p.organization_id = $1 AND p.env = $2
"""

NOTE = """
INSERT INTO conversation_pairs AS p
    (organization_id, env, sender_id, identity, contact_id, platform_address, last_inbound_at)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::text[], $6::text[], $7::timestamptz[])
ON CONFLICT (organization_id, env, sender_id, identity) DO UPDATE
SET contact_id = coalesce(excluded.contact_id, p.contact_id),
    platform_address = coalesce(excluded.platform_address, p.platform_address),
    last_inbound_at = greatest(p.last_inbound_at, excluded.last_inbound_at)
"""
