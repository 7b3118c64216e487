"""Steps whose runs all go one way and wait equally long: one statement claims, moves, tells and counts
them.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from core.foundation.database import db
from core.journeys.runs.batch import Result
from core.journeys.runs.program import START, Program, ProgramStep
from core.journeys.tell import tell_moved


@dataclass(frozen=True, slots=True)
class SteadyWay:
    """From a step to one on which everybody waits for `hours`."""

    step: int
    to: int
    hours: float


def steady_way(program: Program, step: int) -> SteadyWay | None:
    """The way of the runs that are due on a step, where nothing has to be asked of any of them."""
    here = program.steps[step]
    place = here.next.get("proximo") if is_left_at_once(here) else None
    if place is None or not waits_for_hours(program.steps[place]):
        return None
    return SteadyWay(step, place, program.steps[place].config["duracaoHoras"])


def is_left_at_once(step: ProgramStep) -> bool:
    """Whether everybody goes on who is due on a step: the start, and a wait, whatever it was for."""
    return step.kind in (START, "espera")


def waits_for_hours(step: ProgramStep) -> bool:
    """Whether everybody who comes to a step waits there equally long."""
    return step.kind == "espera" and "duracaoHoras" in step.config


async def move_steadily(program: Program, way: SteadyWay, *, at: datetime, most: int) -> int:
    """Move a batch along a steady way; answers how many."""
    step = way.step
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
    if moved:
        await tell_moved(program)
    return int(moved)


# A run on a wait that has not waited has no `wait_since`, after a migration or a pause: its step is asked first.
MOVE = """/* whole */
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
