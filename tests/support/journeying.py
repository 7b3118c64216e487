"""Journeys that are moved on by a test, and what became of their runs."""

from collections import Counter
from datetime import datetime
from typing import Any

from core import journeys
from core.foundation.clock import clock_set_to
from core.foundation.database import db
from core.foundation.moved_clocks import only_sandbox_of
from core.journeys.runs.batch import Result
from core.journeys.runs.counts import counts_of
from core.journeys.runs.enrol import enrol
from core.journeys.runs.program import Program

THESE = "SELECT unnest($1::text[]) AS contact_id"


async def let_in(program: Program, contacts: list[str], *, at: datetime) -> int:
    """Put contacts at the start."""
    return await enrol(program, THESE, [contacts], at=at)


async def move_on(program: Program, *, at: datetime) -> int:
    """Take up what changed, and move all that is due in the program's sandbox at an instant; answers how
    many moves there were.
    """
    moved = 0
    with only_sandbox_of(program.organization_id), clock_set_to(at):
        await journeys.AudienceWatcher().take(at=at)
        while taken := await journeys.move_due(at=at):
            moved += taken
    return moved


async def standing(program: Program) -> dict[str, Any]:
    """Where each contact's run stands: the step's id, or how and why it ended."""
    rows = await db.fetch(
        "SELECT contact_id, step, state, end_reason FROM journey_runs WHERE version_id = $1",
        program.version_id,
    )
    return {
        row["contact_id"]: program.steps[row["step"]].id
        if row["state"] == 1
        else (row["state"], row["end_reason"])
        for row in rows
    }


async def due_of(program: Program) -> set[datetime]:
    """When runs are due."""
    rows = await db.fetch(
        "SELECT due_at FROM journey_runs WHERE version_id = $1 AND state = 1", program.version_id
    )
    return {row["due_at"] for row in rows}


async def recount(program: Program) -> None:
    """The counts of the version are what a recount of its runs and its trail finds."""
    counts = (await counts_of([program.version_id]))[program.version_id]
    runs = await db.fetch(
        "SELECT step, state FROM journey_runs WHERE version_id = $1", program.version_id
    )
    trail = await db.fetch(TRAIL, program.version_id)
    states = Counter(row["state"] for row in runs)
    assert {state: n for state, n in counts.states.items() if n} == states
    waiting = Counter(row["step"] for row in runs if row["state"] == 1)
    failed = Counter(row["step"] for row in trail if row["outcome"] == Result.FAILED)
    left = Counter(row["step"] for row in trail) - failed
    passed = (Result.SKIPPED, Result.PASSED)
    skipped = Counter((row["step"], row["reason"]) for row in trail if row["outcome"] in passed)
    for place in range(len(program.steps)):
        step = counts.steps[place]
        assert (step.left, step.failed) == (left[place], failed[place])
        assert step.waiting == waiting[place]
        assert {(place, reason): n for reason, n in step.skipped.items()} == {
            key: n for key, n in skipped.items() if key[0] == place
        }
    assert len({(row["run_id"], row["seq"]) for row in trail}) == len(trail)


TRAIL = """
SELECT t.run_id, t.seq, t.step, t.outcome, t.facts->>'motivo' AS reason
FROM journey_trail t JOIN journey_runs r ON r.id = t.run_id WHERE r.version_id = $1
"""
