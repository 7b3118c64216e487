"""Exact counts of messages: deltas by triggers, summed when asked, merged in between.

A delta per statement instead of a counter per owner: two writers never wait for each other's
counter. The triggers (migration of message_counts) see every insert, change of status and delete,
whoever makes it.
"""

from core.foundation.database import db
from core.foundation.database.bounded_pool import LONG_SECONDS
from core.foundation.database.transactions import statements_within
from core.foundation.moved_clocks import unless_moved

MAX_UNMERGED_DELTAS = 64
"""Deltas of one count that are left alone; more are merged into one."""


async def merge_counts() -> int:
    """Merge the deltas of each count into one row. Answers how many counts were merged.

    Readers see the old rows or the merged one, never both: it is one transaction.
    """
    async with statements_within(LONG_SECONDS):
        return await db.execute(*unless_moved(MERGE, MAX_UNMERGED_DELTAS))


async def take_off_counts(part: str) -> None:
    """Take the messages of a partition off the counts, in the transaction that detaches it.

    The triggers are of the whole table: a detached partition does not fire them.
    """
    await db.execute(TAKE_OFF.format(part=part))


TAKE_OFF = """
INSERT INTO message_counts (organization_id, env, channel, direction, status, delta)
SELECT organization_id, env, channel, direction, status, -count(*) FROM {part} GROUP BY 1, 2, 3, 4, 5
"""

MERGE = """
WITH many AS (
    SELECT organization_id, env, channel, direction, status FROM message_counts WHERE true /* unless moved */
    GROUP BY 1, 2, 3, 4, 5 HAVING count(*) > $1
), gone AS (
    DELETE FROM message_counts WHERE id IN (
        SELECT c.id FROM message_counts c JOIN many USING (organization_id, env, channel, direction, status)
        ORDER BY c.id FOR UPDATE OF c SKIP LOCKED)
    RETURNING organization_id, env, channel, direction, status, delta
)
INSERT INTO message_counts (organization_id, env, channel, direction, status, delta)
SELECT organization_id, env, channel, direction, status, sum(delta) FROM gone GROUP BY 1, 2, 3, 4, 5
"""
