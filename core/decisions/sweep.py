"""Deleting refused sends that nobody will ask about any more."""

from datetime import datetime, timedelta

from core.foundation.database import db
from core.foundation.moved_clocks import narrowed

KEPT = timedelta(days=90)
SWEEP_BATCH_SIZE = 5_000


async def sweep_refusals(*, at: datetime) -> int:
    """Delete a batch of refusals and counts that are older than 90 days. Answers how many."""
    until = at - KEPT
    return await db.execute(*narrowed(DELETE_ROWS, until, SWEEP_BATCH_SIZE)) + await db.execute(
        *narrowed(DELETE_COUNTS, until, SWEEP_BATCH_SIZE)
    )


DELETE_ROWS = """
DELETE FROM refused_sends WHERE id = ANY (ARRAY(
    SELECT id FROM refused_sends WHERE at < $1 /* whose */ ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED
))
"""

DELETE_COUNTS = """
DELETE FROM refusal_counts WHERE id = ANY (ARRAY(
    SELECT id FROM refusal_counts WHERE minute < $1 /* whose */ ORDER BY minute LIMIT $2 FOR UPDATE SKIP LOCKED
))
"""

NEXT_RETENTION = f"""
SELECT date_trunc('day', min(at), 'UTC') + interval '{KEPT.days + 1} days' FROM refused_sends
WHERE organization_id = $1 AND env = 'test'
"""
"""When refused sends of a sandbox are deleted next, under a clock that is moved: once a day of its time."""
