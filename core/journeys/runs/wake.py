"""Waking runs: a worker looks at them now, and their step is asked again."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.jobs import Job, wake
from core.journeys.tell import announce

if TYPE_CHECKING:
    from core.journeys.runs.audience import Change


async def wake_runs(ids: Sequence[UUID], steps: Sequence[int], *, at: datetime) -> None:
    """Wake runs that still stand on the step named beside each, and tell those who look on at their
    journeys. Waking twice does no harm: the step looks anew at what it waits for.
    """
    rows = await db.fetch(WAKE, list(ids), list(steps), at)
    if any(column(rows, "woken")):
        await wake(Job.MOVE_RUNS)
    for row in rows:
        await announce(row["organization_id"], row["env"], [row["version_id"]])


async def wake_by_events(changes: Sequence["Change"], at: datetime) -> None:
    """Wake the runs that wait for one of these customer events: the first that has what the step
    asks for.
    """
    events = [
        (change.organization_id, change.env, change.ref, change.contact_id, change.event_id)
        for change in changes
        if change.event_id is not None
    ]
    await db.execute_for(events, WAKE_BY_EVENTS, at, *db.columns(events, 5))


WAKE = """/* whole */
WITH woken AS (
    UPDATE journey_runs r SET due_at = $3
    FROM unnest($1::uuid[], $2::smallint[]) AS w (id, step)
    WHERE r.id = w.id AND r.step = w.step AND r.state = 1 AND r.due_at > $3
    RETURNING r.id
)
SELECT r.organization_id, r.env, r.version_id, count(w.id) > 0 AS woken
FROM journey_runs r LEFT JOIN woken w ON w.id = r.id
WHERE r.id = ANY ($1) GROUP BY 1, 2, 3
"""

# What came after the deadline is too late, whenever it is looked at.
WAKE_BY_EVENTS = """
UPDATE journey_runs r SET due_at = $1, woken_by = w.event_id, wait_event = NULL
FROM (
    SELECT DISTINCT ON (o.id) o.id, o.seq, o.wait_event, e.id AS event_id
    FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
        AS c (organization_id, env, name, contact_id, event_id)
    JOIN customer_events e ON e.id = c.event_id
    JOIN journey_runs o ON o.contact_id = c.contact_id AND o.state = 1 AND o.wait_event = c.name
        AND o.organization_id = c.organization_id AND o.env = c.env
    JOIN journeys j ON j.id = o.version_id
    WHERE e.created_at >= o.wait_since AND e.created_at <= o.due_at
      AND coalesce(e.properties, '{}') @> coalesce(j.program #> ARRAY['steps', o.step::text, 'config', 'filtros'], '{}')
    ORDER BY o.id, e.created_at, e.id) AS w
WHERE r.id = w.id AND r.seq = w.seq AND r.wait_event = w.wait_event AND r.state = 1
"""
