"""Reconciliation of messages whose outcome is unknown: their provider is asked about them."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.leases import LEASE, Lease
from core.messaging.models import Channel
from core.messaging.settle import Indeterminate, Verdict
from core.providers import registry
from core.providers.contracts import (
    Accepted,
    Lookup,
    LookupFailed,
    MessageFound,
    MessageNotFound,
    Unknown,
)

RECONCILE_AFTER = timedelta(seconds=60)
"""How long an open message is left to the request that made it, before reconciliation asks the provider.
"""
NOT_FOUND_TIMEOUT = timedelta(minutes=10)
"""How long a provider that does not know a message is asked again before the message counts as
indeterminate.
"""
RECONCILE_TIMEOUT = timedelta(hours=72)


async def claim_due(channel: Channel, *, at: datetime, limit: int) -> Sequence[db.Row]:
    """The channel's messages whose `settle_at` has come, leased for a minute: two workers never
    take the same one.
    """
    return await db.fetch(CLAIM, channel, at, limit, at + LEASE)


def leased(rows: Sequence[db.Row]) -> Lease:
    """The lease on what was claimed together: keep it while their provider is asked."""
    until = rows[0]["settle_at"] if rows else now()
    return Lease("messages", "settle_at", [row["id"] for row in rows], until=until)


async def ask(row: db.Row, *, id: str | None = None) -> Lookup:
    """Ask the provider that took the message; `id` where it went under another than its own."""
    provider = registry.named(row["provider"])
    return await provider.look_up(id or row["id"]) if provider else LookupFailed()


def verdict_of(found: Lookup, *, since: datetime, at: datetime) -> Verdict:
    """What an answer means for a message that was handed over at `since`."""
    if isinstance(found, MessageFound):
        return Accepted(found.reference)
    # A provider that cannot be asked has not said no: it is asked on, since the message has
    # probably left.
    timeout = NOT_FOUND_TIMEOUT if isinstance(found, MessageNotFound) else RECONCILE_TIMEOUT
    return Indeterminate() if at - since >= timeout else Unknown()


CLAIM = """
UPDATE messages SET settle_at = $4
WHERE id = ANY (ARRAY(
    SELECT id FROM messages WHERE channel = $1 AND settle_at <= $2 AND direction = 'outbound'
    ORDER BY settle_at LIMIT $3 FOR UPDATE SKIP LOCKED))
RETURNING *
"""
