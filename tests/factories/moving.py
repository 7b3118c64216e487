"""Runs that stand on a step, and what the step says of them: as a mover asks it, one step at a time."""

from collections.abc import Sequence
from datetime import datetime

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.journeys.runs.batch import Result, RunAtStep, RunBatch, StepOutcome
from core.journeys.runs.enrol import enrol
from core.journeys.runs.kinds import KINDS
from core.journeys.runs.program import Program

THESE = "SELECT unnest($1::text[]) AS contact_id"


async def stand_on(program: Program, place: int, contact_ids: Sequence[str]) -> list[RunAtStep]:
    """Let contacts in, and put them onto a step; their runs in the order of the contacts."""
    at = now()
    await enrol(program, THESE, [list(contact_ids)], at=at)
    rows = await db.fetch(
        "UPDATE journey_runs SET step = $2, seq = 2 WHERE version_id = $1 AND contact_id = ANY ($3) RETURNING *",
        program.version_id,
        place,
        list(contact_ids),
    )
    runs = {
        row["contact_id"]: RunAtStep(
            row["id"],
            row["contact_id"],
            "",
            2,
            at,
            at,
            at,
            control=False,
            returned=False,
            woken_by=None,
        )
        for row in rows
    }
    return [runs[id] for id in contact_ids]


async def asked(
    program: Program, place: int, runs: Sequence[RunAtStep], *, at: datetime, returned: bool = False
) -> list[StepOutcome]:
    """What the step says of these runs; those that wait are due when it says."""
    step = program.steps[place]
    for run in runs:
        run.returned = returned
    async with transaction():
        outcomes = await KINDS[step.kind](RunBatch(program, step, list(runs), at))
        waiting = [
            (run.id, outcome.due_at)
            for run, outcome in zip(runs, outcomes, strict=True)
            if outcome.result is Result.WAITS
        ]
        await db.execute(
            "UPDATE journey_runs r SET due_at = w.due_at FROM unnest($1::uuid[], $2::timestamptz[]) AS w (id, due_at) "
            "WHERE r.id = w.id",
            *db.columns(waiting, 2),
        )
    return outcomes
