"""Steps whose runs all go one way and wait equally long: one statement claims, moves, tells and counts
them.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from core.foundation.database import db
from core.journeys.runs.batch import Result
from core.journeys.runs.program import START, Program


@dataclass(frozen=True, slots=True)
class SteadyWay:
    """From a step over `passed`, which is the first of them, to one on which everybody waits for `hours`."""

    passed: tuple[int, ...]
    to: int
    hours: float


def steady_way(program: Program, step: int) -> SteadyWay | None:
    """The way of the runs that are due on a step, where nothing has to be asked of any of them."""
    if not _is_left_at_once(program, step):
        return None
    here = program.steps[step]
    place = here.next.get("proximo")
    if place is None:
        return None
    hours = program.steps[place].config.get("duracaoHoras")
    if program.steps[place].kind != "espera" or hours is None:
        return None
    return SteadyWay((step,), place, hours)


def _is_left_at_once(program: Program, step: int) -> bool:
    here = program.steps[step]
    return here.kind == START or (here.kind == "espera" and "duracaoHoras" in here.config)


async def move_steadily(program: Program, way: SteadyWay, *, at: datetime, most: int) -> int:
    """Move a batch along a steady way; answers how many."""
    step = way.passed[0]
    moved = await db.fetchval(
        MOVE,
        program.version_id,
        step,
        at,
        most,
        way.to,
        at + timedelta(hours=way.hours),
        int(Result.WENT_ON),
        program.organization_id,
        program.env,
        program.steps[step].kind != START,
    )
    return int(moved)


# A run that came to a wait and was moved there without having waited has no `wait_since`: it waits first.
MOVE = """
WITH due AS MATERIALIZED (
    SELECT r.id FROM journey_runs r
    WHERE r.version_id = $1 AND r.step = $2 AND r.state = 1 AND r.due_at <= $3
      AND (NOT $10::boolean OR r.wait_since IS NOT NULL)
    ORDER BY r.due_at LIMIT $4 FOR UPDATE SKIP LOCKED
), moved AS (
    UPDATE journey_runs r SET step = $5::smallint, seq = r.seq + 1, step_at = $3::timestamptz, due_at = $6::timestamptz,
        wait_since = r.step_at, wait_event = NULL, woken_by = NULL
    FROM due WHERE r.id = due.id
    RETURNING r.id, r.seq
), told AS (
    INSERT INTO journey_trail (run_id, seq, at, step, outcome)
    SELECT id, seq - 1, $3::timestamptz, $2::smallint, $7::smallint FROM moved
), counted AS (
    INSERT INTO journey_step_counts (organization_id, env, version_id, step, kind, delta)
    SELECT $8::text, $9::text, $1::text, c.step, c.kind, n.runs
    FROM (SELECT count(*) AS runs FROM moved) AS n
    CROSS JOIN (VALUES ($2::smallint, 2::smallint), ($5::smallint, 1::smallint)) AS c (step, kind)
    WHERE n.runs > 0
)
SELECT count(*) FROM moved
"""
