"""Retention of webhook events and attempts: deleting what is older than the settings keep.

They hold personal data.
"""

from datetime import datetime, timedelta

from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.database.transactions import transaction
from core.foundation.moved_clocks import narrowed
from core.foundation.settings import current

BATCH_SIZE = 5_000
A_DAY = timedelta(days=1)
"""For which the feed knows an epoch longer than anybody may ask for it: clocks differ."""


def event_retention() -> timedelta:
    """How long events and their deliveries can be read and sent again."""
    return timedelta(days=current().keep_events_days)


async def delete_expired_events(*, at: datetime) -> int:
    """Delete the oldest events that are past their time, with their deliveries and the attempts at
    these.

    Answers how many events went. A batch at a time, so that no transaction is long; call it until
    it answers 0.
    """
    async with transaction():
        # Deliveries first, in the order in which outcomes are written: else the two could wait for
        # each other.
        old = await db.fetch(*narrowed(OLD, at - event_retention(), BATCH_SIZE))
        ids = column(old, "id")
        await db.execute(DELETE_DELIVERIES, ids)
        deleted = await db.execute(DELETE_EVENTS, ids, at - event_retention(), BATCH_SIZE)
        if not deleted:
            await db.execute(DELETE_EPOCHS, at - event_retention() - A_DAY)
        return deleted


async def delete_expired_attempts(*, at: datetime) -> int:
    """Delete the oldest attempts whose own time is over, a batch; call it until it answers 0.
    Answers how many went.

    They are numbered as they are made, so the oldest are found without an index of their times.
    """
    return await db.execute(
        *narrowed(DELETE_ATTEMPTS, at - timedelta(days=current().keep_attempts_days), BATCH_SIZE)
    )


OLD = "SELECT id FROM webhook_events WHERE created_at < $1 /* whose */ ORDER BY created_at LIMIT $2"

NEXT_RETENTION = """
SELECT date_trunc('day', f.created_at, 'UTC') + interval '1 day' * ($2::int + 1) FROM webhook_feed f
WHERE f.organization_id = $1 AND f.env = 'test' ORDER BY f.position LIMIT 1
"""
"""When events of a sandbox are deleted next, under a clock that is moved: once a day of its time. $2: the
days that they are kept.
"""

DELETE_ATTEMPTS = """
WITH oldest AS (SELECT id, at FROM webhook_attempts WHERE true /* whose */ ORDER BY id LIMIT $2)
DELETE FROM webhook_attempts a USING oldest o WHERE a.id = o.id AND o.at < $1
"""

DELETE_DELIVERIES = """
WITH deleted AS (DELETE FROM webhook_deliveries WHERE event_id = ANY ($1) RETURNING id, organization_id)
DELETE FROM webhook_attempts a USING deleted g WHERE a.delivery_id = g.id AND a.organization_id = g.organization_id
"""

# The oldest of an owner come first in its feed.
DELETE_EVENTS = """
WITH deleted AS (
    DELETE FROM webhook_events WHERE id = ANY ($1) RETURNING organization_id, env
), fed AS (
    SELECT f.organization_id, f.env, f.position FROM (SELECT DISTINCT organization_id, env FROM deleted) AS o
    CROSS JOIN LATERAL (
        SELECT f.* FROM webhook_feed f WHERE f.organization_id = o.organization_id AND f.env = o.env
        ORDER BY f.position LIMIT $3
    ) AS f
    WHERE f.created_at < $2
), unfed AS (
    DELETE FROM webhook_feed f USING fed
    WHERE f.organization_id = fed.organization_id AND f.env = fed.env AND f.position = fed.position
)
SELECT FROM deleted
"""

DELETE_EPOCHS = """
DELETE FROM webhook_feed_heads h WHERE EXISTS (
    SELECT FROM webhook_feed_heads later
    WHERE later.organization_id = h.organization_id AND later.env = h.env AND later.position > h.position
      AND later.began_at < $1
)
"""
