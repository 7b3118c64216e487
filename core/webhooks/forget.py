"""Events are kept for 30 days, and no longer: they hold personal data."""

from datetime import datetime, timedelta

from core.foundation import db
from core.foundation.transactions import transaction

KEPT = timedelta(days=30)
BATCH = 5_000


async def forget_old_events(*, at: datetime) -> int:
    """Delete the oldest events that are past their time, with their deliveries and the attempts at these.

    Answers how many events went. A batch at a time, so that no transaction is long; call it until it answers 0.
    """
    async with transaction():
        # Deliveries first, in the order in which outcomes are written: else the two could wait for each other.
        old = await db.fetch(
            "SELECT id FROM webhook_events WHERE created_at < $1 ORDER BY created_at LIMIT $2", at - KEPT, BATCH
        )
        ids = [row["id"] for row in old]
        await db.execute(FORGET_DELIVERIES, ids)
        return await db.execute("DELETE FROM webhook_events WHERE id = ANY ($1)", ids)


FORGET_DELIVERIES = """
WITH gone AS (DELETE FROM webhook_deliveries WHERE event_id = ANY ($1) RETURNING id)
DELETE FROM webhook_attempts a USING gone g WHERE a.delivery_id = g.id
"""
