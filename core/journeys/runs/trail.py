"""The trail of runs: a row for each step that a run has left."""

from datetime import datetime, timedelta

from core.foundation.database import db

KEPT = timedelta(days=90)
SWEEP_SIZE = 10_000


async def sweep_trail(*, at: datetime) -> int:
    """Delete a batch of what is older than 90 days; answers how many rows."""
    return await db.execute(SWEEP, at - KEPT, SWEEP_SIZE)


async def forget_test_trail(organization_id: str) -> None:
    """Delete the trail of a sandbox's runs, before its runs go."""
    await db.execute(FORGET, organization_id)


OWN_TRAIL = "run_id IN (SELECT r.id FROM journey_runs r WHERE r.organization_id = $1)"
"""The rows of organization $1: no column of the trail says whose they are."""

SWEEP = """
DELETE FROM journey_trail WHERE ctid = ANY (ARRAY (
    SELECT ctid FROM journey_trail WHERE at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))
"""

FORGET = """
DELETE FROM journey_trail t USING journey_runs r
WHERE t.run_id = r.id AND r.organization_id = $1 AND r.env = 'test'
"""
