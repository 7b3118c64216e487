"""Ending runs from outside: the goal, an erasure, a journey that is put away."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from core import messaging
from core.foundation.database import db
from core.foundation.database.rows import column
from core.journeys.runs.batch import Result
from core.journeys.runs.models import RunState
from core.journeys.runs.sending.caps import give_back_unsent
from core.journeys.tell import SOME, RunGroup, announce, tell_completed

CANCELED = "canceled"
"""Why the message of such a run failed."""


async def finish_runs(
    organization_id: str,
    env: str,
    which_sql: str,
    args: Sequence[Any] = (),
    *,
    state: RunState = RunState.CANCELED,
    reason: str,
    at: datetime,
) -> int:
    """End the active runs of an owner for which the condition over `journey_runs r` holds; answers
    how many.

    The condition's values are `args`, from $7 on. Trail and counts are written with it, and what
    waits to be sent for such a run is not sent any more; what is being handed over is not called
    back.
    """
    statement = FINISH.replace("{which}", which_sql).replace("{some}", str(SOME))
    rows = await db.fetch(
        statement, organization_id, env, int(state), reason, at, int(Result.ENDED), *args
    )
    told = [
        RunGroup(
            organization_id,
            env,
            row["version_id"],
            row["many"],
            list(zip(row["runs"], row["contacts"], strict=True)),
            reason,
        )
        for row in rows
    ]
    waiting = [id for row in rows for id in row["messages"]]
    if waiting:
        await messaging.withdraw(waiting, reason=CANCELED, at=at)
        await give_back_unsent(waiting)
    if state is RunState.DONE:
        await tell_completed(told, at=at)
    else:
        await announce(organization_id, env, column(rows, "version_id"))
    return sum(one.many for one in told)


FINISH = """/* whole */
WITH chosen AS (
    SELECT r.id FROM journey_runs r
    WHERE r.organization_id = $1::text AND r.env = $2::text AND r.state = 1 AND ({which})
    ORDER BY r.contact_id, r.id FOR UPDATE
), ended AS (
    UPDATE journey_runs r SET state = $3::smallint, ended_at = $5::timestamptz, end_reason = $4::text, due_at = NULL, wait_event = NULL,
        wait_since = NULL, woken_by = NULL
    FROM chosen c WHERE r.id = c.id
    RETURNING r.id, r.version_id, r.contact_id, r.step, r.seq
), told AS (
    INSERT INTO journey_trail (run_id, seq, at, step, outcome, facts)
    SELECT id, seq, $5::timestamptz, step, $6::smallint, jsonb_build_object('motivo', $4::text) FROM ended
), counted AS (
    INSERT INTO journey_step_counts (organization_id, env, version_id, step, kind, delta)
    SELECT $1::text, $2::text, of.version_id, of.step, of.kind, of.delta
    FROM (SELECT version_id, step, 2::smallint AS kind, count(*) AS delta FROM ended GROUP BY 1, 2
          UNION ALL SELECT version_id, -1::smallint, 1::smallint, -count(*) FROM ended GROUP BY 1
          UNION ALL SELECT version_id, -1::smallint, $3::smallint, count(*) FROM ended GROUP BY 1) AS of
)
SELECT e.version_id, count(*) AS many,
       ARRAY(SELECT f.id FROM ended f WHERE f.version_id = e.version_id ORDER BY f.id LIMIT {some}) AS runs,
       ARRAY(SELECT f.contact_id FROM ended f WHERE f.version_id = e.version_id ORDER BY f.id LIMIT {some}) AS contacts,
       ARRAY(SELECT m.ref FROM ended f JOIN journey_effects m ON m.run_id = f.id AND m.seq = f.seq AND m.kind LIKE 'm%'
                            AND m.organization_id = $1
             WHERE f.version_id = e.version_id) AS messages
FROM ended e GROUP BY 1
"""
