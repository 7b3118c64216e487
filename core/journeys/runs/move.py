"""Moving runs: all that are due on one step of one version, in one transaction.

A batch is claimed, walks as far as it can without waiting, and is written down with its trail and its
counts. What a step does is written in the same transaction, so it happens once, whoever dies when.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import itemgetter
from typing import Any
from uuid import UUID

import orjson
import structlog

from core.foundation.database import db
from core.foundation.database.availability import is_outage
from core.foundation.database.transactions import transaction
from core.foundation.moved_clocks import narrowed
from core.journeys.models import JourneyStatus
from core.journeys.runs.batch import (
    Batch,
    Outcome,
    Passed,
    Result,
    Standing,
    VersionPaused,
    fail,
)
from core.journeys.runs.counts import WHOLE
from core.journeys.runs.due import DUE_STEPS, STOOD_ON
from core.journeys.runs.kinds import KINDS
from core.journeys.runs.models import CountKind, RunState
from core.journeys.runs.pause import pause_by_system, pause_if_it_fails
from core.journeys.runs.program import PROGRAM, Program, ProgramStep, read_program
from core.journeys.runs.steady import move_steadily, steady_way
from core.journeys.tell import tell_completed, tell_moved, told_of

log = structlog.get_logger()

BATCH_SIZE = 1_000
"""Runs of one transaction. More cost a little less, and hold up whoever waits for one of them."""
AT_THE_END = "fim"
"""Why a run ended that came to a step from which no way leads on."""
BROKEN = "erro_interno"
"""Why a run ended whose step raised what nobody expected."""


async def move_due(*, at: datetime) -> int:
    """Move a batch of each step on which runs are due; answers how many were moved. It may run twice, and
    any number of workers may run it.
    """
    moved = 0
    if not await db.fetch_planned(*narrowed(IS_DUE, at)):
        return moved
    for row in await db.fetch_planned(*narrowed(IN_LINE, at)):
        moved += await move_step(row["version_id"], row["step"], at=at)
    return moved


async def move_step(version_id: str, step: int, *, at: datetime) -> int:
    """Move a batch of the runs that are due on a step; answers how many."""
    try:
        return await _move(version_id, step, None, at=at)
    except VersionPaused as paused:
        await pause_by_system(version_id, paused.reason, step, at=at)
        return 0
    except Exception as error:
        if is_outage(error):
            raise
        rows = await db.fetch(DUE_IDS, version_id, step, at, BATCH_SIZE)
        return await _move_apart(version_id, step, [row["id"] for row in rows], at=at)


async def _move_apart(version_id: str, step: int, ids: Sequence[UUID], *, at: datetime) -> int:
    """Move these in halves, down to the one that cannot be moved: that one ends in error."""
    try:
        return await _move(version_id, step, ids, at=at)
    except VersionPaused as paused:
        await pause_by_system(version_id, paused.reason, step, at=at)
        return 0
    except Exception as error:
        if is_outage(error):
            raise
        if len(ids) <= 1:
            log.exception("journey_step_failed", version=version_id, step=step)
            return await _move(version_id, step, ids, at=at, broken=True)
        half = len(ids) // 2
        return await _move_apart(version_id, step, ids[:half], at=at) + await _move_apart(
            version_id, step, ids[half:], at=at
        )


async def hold_still(version_id: str) -> None:
    """Nobody moves runs of this version until the transaction ends, and whoever does so later sees what it
    wrote. Waits for the batches that are under way.
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
    """One batch in one transaction: of these runs, or of those that are due. `broken`: they end in error,
    without the step being asked.
    """
    async with transaction():
        await db.execute(HOLD, version_id)
        row = await db.fetchrow(PROGRAM, version_id)
        if row is None or row["status"] == JourneyStatus.PAUSED or row["is_emptied"]:
            return 0
        program = read_program(row)
        way = steady_way(program, step) if ids is None else None
        if way is not None and (moved := await move_steadily(program, way, at=at, most=BATCH_SIZE)):
            await tell_moved(program)
            return moved
        runs = await _claim(program, step, ids, at=at)
        if not runs:
            return 0
        walk = Walk(program, at)
        if broken:
            walk.note(program.steps[step], runs, [fail(BROKEN)] * len(runs))
        else:
            await walk.go(step, runs)
        await walk.write_down()
    if walk.failed:
        await pause_if_it_fails(program, walk.failed, at=at)
    return len(runs)


async def _claim(
    program: Program, step: int, ids: Sequence[UUID] | None, *, at: datetime
) -> list[Standing]:
    """Lock runs that are due on a step, in the order of their contacts."""
    which = None if ids is None else list(ids)
    rows = await db.fetch(
        CLAIM if which is None else CLAIM_THESE, program.version_id, step, at, which or BATCH_SIZE
    )
    rows.sort(key=itemgetter("contact_id"))
    return [
        Standing(
            id, contact, key, seq, entered, came, since or came, control, since is not None, event
        )
        for id, contact, key, seq, entered, came, control, since, event in rows
    ]


Place = tuple[int, int, datetime | None, str | None, datetime | None, str | None, bool]
"""Where a run has come to: the step, the state, when it is due, the event that it waits for and since when
where the step says so, why it ended, and whether it is held out from now on.
"""


@dataclass(slots=True)
class Walk:
    """A batch on its way: where each run has come to, and what is to be written of it."""

    program: Program
    at: datetime
    failed: set[int] = field(default_factory=set)
    _standing: defaultdict[int, list[Standing]] = field(default_factory=lambda: defaultdict(list))
    _stay: list[tuple[Standing, Outcome]] = field(default_factory=list)
    _move: defaultdict[tuple[tuple[Passed, ...], Place], list[Standing]] = field(
        default_factory=lambda: defaultdict(list)
    )
    _counts: Counter[tuple[int, int, str]] = field(default_factory=Counter)
    _done: defaultdict[str, list[tuple[UUID, str]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    async def go(self, step: int, runs: list[Standing]) -> None:
        """Walk from a step until everybody waits or is at an end. Who comes to one step over several ways is
        one batch there: the steps that others lead to come last.
        """
        self._standing[step] = runs
        ranks = self.program.ranks
        while self._standing:
            place = min(self._standing, key=lambda place: ranks[place])
            here = self.program.steps[place]
            batch = Batch(self.program, here, self._standing.pop(place), self.at)
            self.note(here, batch.runs, await KINDS[here.kind](batch))

    def note(
        self, here: ProgramStep, runs: Sequence[Standing], outcomes: Sequence[Outcome]
    ) -> None:
        """What a step decided for each run. Most of a batch share a few outcomes."""
        alike: dict[int, tuple[Outcome, list[Standing]]] = {}
        for run, outcome in zip(runs, outcomes, strict=True):
            alike.setdefault(id(outcome), (outcome, []))[1].append(run)
        for outcome, some in alike.values():
            self._note(here, some, outcome)

    def _note(self, here: ProgramStep, runs: list[Standing], outcome: Outcome) -> None:
        following = here.next.get(outcome.way) if outcome.way is not None else None
        if outcome.result is Result.WAITS:
            self._wait(here, runs, outcome)
            return
        passed = (here.place, int(outcome.result), _facts(outcome))
        self._count(here, outcome, len(runs))
        for run in runs:
            run.passed.append(passed)
        if following is None:
            self._end(here, runs, outcome)
            return
        for run in runs:
            run.seq += 1
            run.since, run.step_at = run.step_at, self.at
            run.returned, run.woken_by = False, None
            run.control = run.control or outcome.control
        self._counts[following, CountKind.ENTERED, ""] += len(runs)
        self._standing[following] += runs

    async def write_down(self) -> None:
        """Where everybody stands, the trail and the counts."""
        if self._move:
            await self._write_moves()
        if self._stay:
            rows = [
                (run.id, out.due_at, out.wait_event, out.wait_since or run.since)
                for run, out in self._stay
            ]
            await db.execute(STAY, *db.columns(rows, 4))
        await write_counts(self.program, self._counts)
        await tell_moved(self.program)
        done = [told_of(self.program, runs, reason) for reason, runs in self._done.items()]
        await tell_completed(done, at=self.at)

    async def _write_moves(self) -> None:
        """Everybody who took a way to a place, with the steps that were left on it."""
        runs: list[tuple[UUID, int]] = []
        ways: list[tuple[Any, ...]] = []
        passed_by: list[tuple[Any, ...]] = []
        for number, ((passed, place), some) in enumerate(self._move.items()):
            ended = place[1] != RunState.ACTIVE
            runs += [(run.id, number) for run in some]
            ways.append((number, len(passed) - ended, *place))
            passed_by += [(number, n, *one) for n, one in enumerate(passed)]
        columns = (*db.columns(runs, 2), *db.columns(ways, 9), *db.columns(passed_by, 5))
        await db.execute(MOVE, self.at, *columns)

    def _count(self, here: ProgramStep, outcome: Outcome, number: int) -> None:
        if outcome.result is Result.FAILED:
            self.failed.add(here.place)
            self._counts[here.place, CountKind.FAILED, ""] += number
            return
        self._counts[here.place, CountKind.LEFT, ""] += number
        if outcome.result in (Result.SKIPPED, Result.PASSED):
            self._counts[here.place, CountKind.SKIPPED, outcome.reason or ""] += number

    def _wait(self, here: ProgramStep, runs: list[Standing], outcome: Outcome) -> None:
        assert outcome.due_at is not None, "every wait has an end"
        for run in runs:
            if not run.passed:  # it waits longer where it stood
                self._stay.append((run, outcome))
                continue
            since = None if outcome.wait_since == run.since else outcome.wait_since
            waits = (outcome.due_at, outcome.wait_event, since)
            place = (here.place, int(RunState.ACTIVE), *waits, None, run.control)
            self._move[tuple(run.passed), place].append(run)

    def _end(self, here: ProgramStep, runs: list[Standing], outcome: Outcome) -> None:
        failed = outcome.result is Result.FAILED
        state = RunState.FAILED if failed else outcome.state or RunState.DONE
        reason = outcome.reason if outcome.state or failed else AT_THE_END
        for run in runs:
            place = (here.place, int(state), None, None, None, reason, run.control)
            self._move[tuple(run.passed), place].append(run)
        if state is RunState.DONE:
            self._done[reason or AT_THE_END] += [(run.id, run.contact_id) for run in runs]
        self._counts[WHOLE, RunState.ACTIVE, ""] -= len(runs)
        self._counts[WHOLE, state, ""] += len(runs)


def _facts(outcome: Outcome) -> str | None:
    """What the trail keeps besides the outcome."""
    facts: dict[str, Any] = {**(outcome.facts or {})}
    if outcome.reason is not None:
        facts["motivo"] = outcome.reason
    if outcome.way is not None and outcome.way != "proximo":
        facts["caminho"] = outcome.way
    return orjson.dumps(facts).decode() if facts else None


async def write_counts(program: Program, counts: Counter[tuple[int, int, str]]) -> None:
    """Add changes of counts, by step, kind and reason."""
    changes = [(step, kind, reason, n) for (step, kind, reason), n in counts.items() if n]
    if changes:
        await db.execute(
            COUNT,
            program.organization_id,
            program.env,
            program.version_id,
            *db.columns(changes, 4),
        )


# A small number of workers share it; whoever stops the version waits for them, and they for nobody.
HOLD = "SELECT pg_advisory_xact_lock_shared(hashtextextended('journey ' || $1::text, 0))"
HOLD_STILL = "SELECT pg_advisory_xact_lock(hashtextextended('journey ' || $1::text, 0))"

NEXT_MOVE = """
SELECT r.due_at FROM journey_runs r JOIN journeys j ON j.id = r.version_id AND j.organization_id = r.organization_id
WHERE r.organization_id = $1 AND r.env = 'test' AND r.due_at IS NOT NULL AND j.status <> 'pausada'
ORDER BY r.due_at LIMIT 1
"""
"""When the first run of a sandbox is due."""

IS_DUE = "SELECT FROM journey_runs r WHERE r.due_at <= $1 /* whose r. */ LIMIT 1"

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

# Who goes to wait without having passed a step before keeps since when it looks back; over others, they all came now.
MOVE = """
WITH ways AS MATERIALIZED (
    SELECT * FROM unnest($4::int[], $5::int[], $6::smallint[], $7::smallint[], $8::timestamptz[], $9::text[],
                         $10::timestamptz[], $11::text[], $12::boolean[])
        AS w (number, moves, step, state, due_at, wait_event, since, reason, control)
), moved AS (
    UPDATE journey_runs r SET step = w.step, seq = r.seq + w.moves, state = w.state, due_at = w.due_at,
        step_at = CASE WHEN w.moves > 0 THEN $1::timestamptz ELSE r.step_at END,
        wait_since = CASE WHEN w.due_at IS NULL THEN NULL
                          ELSE coalesce(w.since, CASE WHEN w.moves = 1 THEN r.step_at ELSE $1 END) END,
        wait_event = w.wait_event, woken_by = NULL, end_reason = w.reason, control = w.control,
        ended_at = CASE WHEN w.state <> 1 THEN $1 END
    FROM unnest($2::uuid[], $3::int[]) AS m (id, number) JOIN ways w USING (number)
    WHERE r.id = m.id
    RETURNING r.id, r.seq - w.moves AS first, w.number
)
INSERT INTO journey_trail (run_id, seq, at, step, outcome, facts)
SELECT m.id, m.first + p.n, $1, p.step, p.outcome, p.facts::jsonb
FROM moved m JOIN unnest($13::int[], $14::int[], $15::smallint[], $16::smallint[], $17::text[])
    AS p (number, n, step, outcome, facts) USING (number)
"""

STAY = """
UPDATE journey_runs r SET due_at = m.due_at, wait_event = m.wait_event, wait_since = m.wait_since, woken_by = NULL
FROM unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::timestamptz[]) AS m (id, due_at, wait_event, wait_since)
WHERE r.id = m.id
"""

COUNT = """
INSERT INTO journey_step_counts (organization_id, env, version_id, step, kind, reason, delta)
SELECT $1, $2, $3, c.* FROM unnest($4::smallint[], $5::smallint[], $6::text[], $7::bigint[]) AS c
"""
