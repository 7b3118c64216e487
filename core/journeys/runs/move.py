"""Moving runs: all that are due on one step of one version, in one transaction.

A batch is claimed, walks as far as it can without waiting, and is written down with its trail and its
counts. What a step does is written in the same transaction, so it happens once, whoever dies when.
"""

from collections.abc import Sequence
from datetime import datetime
from operator import itemgetter
from uuid import UUID

import structlog

from core.foundation.database import db
from core.foundation.database.availability import is_outage
from core.foundation.database.rows import column
from core.foundation.database.transactions import transaction
from core.foundation.moved_clocks import narrowed
from core.journeys.models import JourneyStatus
from core.journeys.runs.batch import RunAtStep, VersionPaused, fail
from core.journeys.runs.due import DUE_STEPS, STOOD_ON
from core.journeys.runs.fork import fork_behind, move_apart
from core.journeys.runs.pause import pause_by_system, pause_if_it_fails
from core.journeys.runs.program import PROGRAM, Program, read_program
from core.journeys.runs.steady import move_steadily, steady_way
from core.journeys.runs.walk import Walk

log = structlog.get_logger()

BATCH_SIZE = 1_000
"""Runs of one transaction. More cost a little less, and hold up whoever waits for one of them."""
BROKEN = "erro_interno"
"""Why a run ended whose step raised what nobody expected."""


async def move_due(*, at: datetime) -> int:
    """Move a batch of each step on which runs are due; answers how many were moved. It may run
    twice, and any number of workers may run it.
    """
    moved = 0
    if not await db.fetch_planned(*narrowed(IS_DUE, at)):
        return moved
    for row in await db.fetch_planned(*narrowed(IN_LINE, at)):
        moved += await move_step(row["version_id"], row["step"], at=at)
    return moved


async def move_step(
    version_id: str, step: int, ids: Sequence[UUID] | None = None, *, at: datetime
) -> int:
    """Move a batch of the runs that are due on a step, or these; answers how many.

    Where that fails they are moved in halves, down to the one that cannot be moved: that one ends in
    error.
    """
    try:
        return await _move(version_id, step, ids, at=at)
    except VersionPaused as paused:
        await pause_by_system(version_id, paused.reason, step, at=at)
        return 0
    except Exception as error:
        if is_outage(error):
            raise
        if ids is not None and len(ids) <= 1:
            log.exception("journey_step_failed", version=version_id, step=step)
            return await _move(version_id, step, ids, at=at, broken=True)
        if ids is None:
            ids = column(await db.fetch(DUE_IDS, version_id, step, at, BATCH_SIZE), "id")
            return await move_step(version_id, step, ids, at=at)
        half = len(ids) // 2
        first = await move_step(version_id, step, ids[:half], at=at)
        return first + await move_step(version_id, step, ids[half:], at=at)


async def hold_still(version_id: str) -> None:
    """Nobody moves runs of this version until the transaction ends, and whoever does so later sees
    what it wrote. Waits for the batches that are under way.
    """
    await db.execute(HOLD_STILL, version_id)


async def _move(
    version_id: str,
    step: int,
    ids: Sequence[UUID] | None,
    *,
    at: datetime,
    broken: bool = False,
) -> int:
    """One batch in one transaction: of these runs, or of those that are due. `broken`: they end in
    error, without the step being asked.
    """
    async with transaction():
        await db.execute(HOLD, version_id)
        row = await db.fetchrow(PROGRAM, version_id)
        if row is None or row["status"] == JourneyStatus.PAUSED or row["is_emptied"]:
            return 0
        program = read_program(row)
        if ids is None and (moved := await _move_at_once(program, step, at=at)):
            return moved
        runs = await _claim(program, step, ids, at=at)
        if not runs:
            return 0
        walk = Walk(program, at)
        if broken:
            walk.note(program.steps[step], runs, [fail(BROKEN)] * len(runs))
        else:
            await walk.go(step, runs)
        await walk.save()
    if walk.failed:
        await pause_if_it_fails(program, walk.failed, at=at)
    return len(runs)


async def _move_at_once(program: Program, step: int, *, at: datetime) -> int:
    """A batch by a single statement, where nothing has to be known of its runs one by one; answers
    how many, which may be none.
    """
    if (way := steady_way(program, step)) is not None:
        return await move_steadily(program, way, at=at, most=BATCH_SIZE)
    if (fork := await fork_behind(program, step, at=at)) is not None:
        return await move_apart(program, fork, at=at, most=BATCH_SIZE)
    return 0


async def _claim(
    program: Program, step: int, ids: Sequence[UUID] | None, *, at: datetime
) -> list[RunAtStep]:
    """Lock runs that are due on a step, in the order of their contacts."""
    which = None if ids is None else list(ids)
    rows = await db.fetch(
        CLAIM if which is None else CLAIM_THESE,
        program.version_id,
        step,
        at,
        BATCH_SIZE if which is None else which,
    )
    rows.sort(key=itemgetter("contact_id"))
    return [
        RunAtStep(
            id, contact, key, seq, entered, came, since or came, control, since is not None, event
        )
        for id, contact, key, seq, entered, came, control, since, event in rows
    ]


# A small number of workers share it; whoever stops the version waits for them, and they for nobody.
HOLD = "SELECT pg_advisory_xact_lock_shared(hashtextextended('journey ' || $1::text, 0))"
HOLD_STILL = "SELECT pg_advisory_xact_lock(hashtextextended('journey ' || $1::text, 0))"

NEXT_MOVE = """
SELECT r.due_at FROM journey_runs r JOIN journeys j ON j.id = r.version_id AND j.organization_id = r.organization_id
WHERE r.organization_id = $1 AND r.env = 'test' AND r.due_at IS NOT NULL AND j.status <> 'pausada'
ORDER BY r.due_at LIMIT 1
"""
"""When the first run of a sandbox is due."""

IS_DUE = "SELECT FROM journey_runs r WHERE r.due_at <= $1 /* whose r. */ ORDER BY r.due_at LIMIT 1"
"""In the order of the index: without it a plan for any values reads the table whole."""

IN_LINE = f"""
WITH RECURSIVE {STOOD_ON}
{DUE_STEPS} /* whose j. */
ORDER BY first.due_at, s.version_id, s.step
"""

DUE_IDS = """
SELECT id FROM journey_runs WHERE version_id = $1 AND step = $2 AND state = 1 AND due_at <= $3 ORDER BY due_at LIMIT $4
"""

CLAIMED = "r.id, r.contact_id, r.entry_key, r.seq, r.entered_at, r.step_at, r.control, r.wait_since, r.woken_by"

CLAIM = f"""
SELECT {CLAIMED} FROM journey_runs r
WHERE r.version_id = $1 AND r.step = $2 AND r.state = 1 AND r.due_at <= $3
ORDER BY r.due_at LIMIT $4 FOR UPDATE SKIP LOCKED
"""

CLAIM_THESE = f"""
SELECT {CLAIMED} FROM journey_runs r
WHERE r.version_id = $1 AND r.step = $2 AND r.state = 1 AND r.due_at <= $3 AND r.id = ANY ($4::uuid[])
FOR UPDATE SKIP LOCKED
"""
