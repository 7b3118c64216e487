"""The sandbox's sender: it answers by the end of a token, so a batch is one statement."""

from datetime import datetime, timedelta

from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.database.transactions import transaction
from core.foundation.moved_clocks import narrowed
from core.providers.push import PushEnding
from core.push.audience import DENIED_TO
from core.push.models import TURN
from core.push.outcome_counts import count, counts_of

SANDBOX_BATCH_SIZE = 2_000
MAX_DISPATCHES = 20
"""Dispatches that take turns."""

ANSWER_TIMEOUT = timedelta(seconds=10)
"""How long a device that never answers is waited for."""


async def drain_sandbox(*, at: datetime, batch: int = SANDBOX_BATCH_SIZE) -> int:
    """Send a batch of each sandbox dispatch that is under way. Answers how many devices were taken.

    Where this process dies, a batch was not sent at all.
    """
    under_way = await db.fetch(*narrowed(UNDER_WAY, MAX_DISPATCHES))
    return sum([await _send(row["id"], at=at, limit=batch) for row in under_way])


async def _send(dispatch_id: str, *, at: datetime, limit: int) -> int:
    async with transaction():
        rows = await db.fetch(
            SEND,
            dispatch_id,
            at,
            limit,
            at + ANSWER_TIMEOUT,
            PushEnding.FAIL,
            PushEnding.GONE,
            PushEnding.SILENT,
        )
        final = [row for row in rows if row["status"] != "sending"]
        await count(counts_of(final), at=at)
    return sum(column(rows, "rows"))


UNDER_WAY = """
SELECT id FROM push_dispatches WHERE env = 'test' AND started_at IS NOT NULL AND completed_at IS NULL /* whose */
ORDER BY started_at LIMIT $1
"""

NEXT_SEND = f"""
SELECT min(coalesce(first.due_at, d.started_at))
FROM push_dispatches d CROSS JOIN LATERAL (
    SELECT q.due_at FROM push_deliveries q
    WHERE q.dispatch_id = d.id AND q.organization_id = d.organization_id AND q.status IN ('queued', 'sending')
    ORDER BY {TURN.format(t="q.")}, q.id LIMIT 1) AS first
WHERE d.organization_id = $1 AND d.env = 'test' AND d.started_at IS NOT NULL AND d.completed_at IS NULL
"""
"""When the next device of a sandbox's dispatches is sent to, or given up."""

SEND = f"""
WITH batch AS MATERIALIZED (
    SELECT q.id, q.organization_id, q.device_id, q.status FROM push_deliveries q
    WHERE q.dispatch_id = $1 AND q.status IN ('queued', 'sending') AND {TURN.format(t="q.")} <= $2
    ORDER BY {TURN.format(t="q.")}, q.id LIMIT $3 FOR UPDATE SKIP LOCKED
), answered AS MATERIALIZED (
    SELECT b.id, b.organization_id, b.device_id, coalesce(NOT d.opted_in, false) AS opted_out,
        CASE
            WHEN d.id IS NULL OR NOT d.opted_in OR d.deactivated_at IS NOT NULL OR d.denied THEN 'dropped'
            WHEN d.ending IN ($5, $6) THEN 'failed'
            WHEN d.ending = $7 AND b.status = 'queued' THEN 'sending'
            WHEN d.ending = $7 THEN 'failed'
            ELSE 'delivered' END AS status,
        CASE d.ending WHEN $5 THEN 'rejected' WHEN $6 THEN 'gone' WHEN $7 THEN 'no_answer' END AS reason
    FROM batch b
    LEFT JOIN LATERAL (
        SELECT id, opted_in, deactivated_at, substring(token from ':[a-z]+$') AS ending, {DENIED_TO} AS denied
        FROM push_devices d WHERE id = b.device_id AND organization_id = b.organization_id
    ) d ON true
), settled AS (
    UPDATE push_deliveries q SET
        status = a.status, attempts = q.attempts + 1,
        reason = CASE WHEN a.status = 'failed' THEN a.reason END,
        due_at = CASE WHEN a.status = 'sending' THEN $4::timestamptz END,
        settled_at = CASE WHEN a.status <> 'sending' THEN $2 END
    FROM answered a WHERE q.id = a.id
    RETURNING q.dispatch_id, q.status, q.platform, q.id, a.opted_out
), gone AS (
    UPDATE push_devices d SET deactivated_at = $2, updated_at = $2
    FROM answered a WHERE a.reason = 'gone' AND a.status = 'failed' AND d.id = a.device_id AND d.organization_id = a.organization_id
)
SELECT dispatch_id, status, platform, count(*) AS rows, min(id) AS first_row,
       count(*) FILTER (WHERE opted_out) AS opted_out
FROM settled GROUP BY 1, 2, 3
"""
