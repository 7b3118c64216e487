"""A batch of runs on its way through the steps, and how it is written down."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson

from core.foundation.database import db
from core.journeys.runs.batch import Passed, Result, RunAtStep, RunBatch, StepKind, StepOutcome
from core.journeys.runs.counts import WHOLE
from core.journeys.runs.kinds import KINDS
from core.journeys.runs.models import CountKind, RunState
from core.journeys.runs.program import Program, ProgramStep
from core.journeys.tell import tell_completed, tell_moved, told_of

AT_THE_END = "fim"
"""Why a run ended that came to a step from which no way leads on."""

Place = tuple[int, int, datetime | None, str | None, datetime | None, str | None, bool]
"""Where a run has come to: the step, the state, when it is due, the event that it waits for and since when
where the step says so, why it ended, and whether it is held out from now on.
"""

Way = tuple[tuple[Passed, ...], Place]
"""The steps that runs have left, and where they have come to."""


@dataclass(slots=True)
class Walk:
    """A batch on its way: where each run has come to, and what is to be written of it. `done`: who came to the
    end, by the reason.
    """

    program: Program
    at: datetime
    failed: set[int] = field(default_factory=set)
    _by_step: defaultdict[int, list[RunAtStep]] = field(default_factory=lambda: defaultdict(list))
    _stay: list[tuple[RunAtStep, StepOutcome]] = field(default_factory=list)
    moves: defaultdict[Way, list[RunAtStep]] = field(default_factory=lambda: defaultdict(list))
    counts: Counter[tuple[int, int, str]] = field(default_factory=Counter)
    done: defaultdict[str, list[tuple[UUID, str]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    async def go(
        self, step: int, runs: list[RunAtStep], *, kinds: Mapping[str, StepKind] = KINDS
    ) -> None:
        """Walk from a step until everybody waits or is at an end. Who comes to one step over
        several ways is one batch there: the steps that others lead to come last. `kinds`: what each
        kind of step does.
        """
        self._by_step[step] = runs
        ranks = self.program.ranks
        while self._by_step:
            place = min(self._by_step, key=lambda place: ranks[place])
            here = self.program.steps[place]
            batch = RunBatch(self.program, here, self._by_step.pop(place), self.at)
            self.note(here, batch.runs, await kinds[here.kind](batch))

    def note(
        self, here: ProgramStep, runs: Sequence[RunAtStep], outcomes: Sequence[StepOutcome]
    ) -> None:
        """What a step decided for each run. Most of a batch share a few outcomes."""
        alike: dict[int, tuple[StepOutcome, list[RunAtStep]]] = {}
        for run, outcome in zip(runs, outcomes, strict=True):
            alike.setdefault(id(outcome), (outcome, []))[1].append(run)
        for outcome, some in alike.values():
            self._note(here, some, outcome)

    def _note(self, here: ProgramStep, runs: list[RunAtStep], outcome: StepOutcome) -> None:
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
        self.counts[following, CountKind.ENTERED, ""] += len(runs)
        self._by_step[following] += runs

    async def save(self) -> None:
        """Where everybody stands, the trail and the counts."""
        if self.moves:
            await self._write_moves()
        if self._stay:
            rows = [
                (run.id, out.due_at, out.wait_event, out.wait_since or run.since)
                for run, out in self._stay
            ]
            await db.execute(STAY, *db.columns(rows, 4))
        await write_counts(self.program, self.counts)
        await tell_moved(self.program)
        done = [told_of(self.program, runs, reason) for reason, runs in self.done.items()]
        await tell_completed(done, at=self.at)

    async def _write_moves(self) -> None:
        """Everybody who took a way to a place, with the steps that were left on it."""
        runs = [(run.id, n) for n, some in enumerate(self.moves.values()) for run in some]
        program = self.program
        values = (program.organization_id, program.env, self.at, *columns_of(self.moves))
        await db.execute(MOVE, *values, *db.columns(runs, 2))

    def _count(self, here: ProgramStep, outcome: StepOutcome, number: int) -> None:
        if outcome.result is Result.FAILED:
            self.failed.add(here.place)
            self.counts[here.place, CountKind.FAILED, ""] += number
            return
        self.counts[here.place, CountKind.LEFT, ""] += number
        if outcome.result in (Result.SKIPPED, Result.PASSED):
            self.counts[here.place, CountKind.SKIPPED, outcome.reason or ""] += number

    def _wait(self, here: ProgramStep, runs: list[RunAtStep], outcome: StepOutcome) -> None:
        assert outcome.due_at is not None, "every wait has an end"
        for run in runs:
            if not run.passed:  # it waits longer where it stood
                self._stay.append((run, outcome))
                continue
            since = None if outcome.wait_since == run.since else outcome.wait_since
            waits = (outcome.due_at, outcome.wait_event, since)
            place = (here.place, int(RunState.ACTIVE), *waits, None, run.control)
            self.moves[tuple(run.passed), place].append(run)

    def _end(self, here: ProgramStep, runs: list[RunAtStep], outcome: StepOutcome) -> None:
        failed = outcome.result is Result.FAILED
        state = RunState.FAILED if failed else outcome.state or RunState.DONE
        reason = outcome.reason if outcome.state or failed else AT_THE_END
        for run in runs:
            place = (here.place, int(state), None, None, None, reason, run.control)
            self.moves[tuple(run.passed), place].append(run)
        if state is RunState.DONE:
            self.done[reason or AT_THE_END] += [(run.id, run.contact_id) for run in runs]
        self.counts[WHOLE, RunState.ACTIVE, ""] -= len(runs)
        self.counts[WHOLE, state, ""] += len(runs)


def columns_of(ways: Iterable[Way]) -> list[list[object]]:
    """Ways as PLACED takes them from $4 to $17, by their number."""
    places: list[tuple[Any, ...]] = []
    passed_by: list[tuple[Any, ...]] = []
    for number, (passed, place) in enumerate(ways):
        ended = place[1] != RunState.ACTIVE
        places.append((number, len(passed) - ended, *place))
        passed_by += [(number, n, *one) for n, one in enumerate(passed)]
    return [*db.columns(places, 9), *db.columns(passed_by, 5)]


def _facts(outcome: StepOutcome) -> str | None:
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
    await db.execute_for(
        changes,
        COUNT,
        program.organization_id,
        program.env,
        program.version_id,
        *db.columns(changes, 4),
    )


# Who goes to wait without having passed a step before keeps since when it looks back; over others, they all came now.
PLACED = """
ways AS MATERIALIZED (
    SELECT * FROM unnest($4::int[], $5::int[], $6::smallint[], $7::smallint[], $8::timestamptz[], $9::text[],
                         $10::timestamptz[], $11::text[], $12::boolean[])
        AS w (number, moves, step, state, due_at, wait_event, since, reason, control)
), passed AS MATERIALIZED (
    SELECT number, n, step, outcome, facts::jsonb AS facts
    FROM unnest($13::int[], $14::int[], $15::smallint[], $16::smallint[], $17::text[])
        AS p (number, n, step, outcome, facts)
), moved AS (
    UPDATE journey_runs r SET step = w.step, seq = r.seq + w.moves, state = w.state, due_at = w.due_at,
        step_at = CASE WHEN w.moves > 0 THEN $3::timestamptz ELSE r.step_at END,
        wait_since = CASE WHEN w.due_at IS NULL THEN NULL
                          ELSE coalesce(w.since, CASE WHEN w.moves = 1 THEN r.step_at ELSE $3 END) END,
        wait_event = w.wait_event, woken_by = NULL, end_reason = w.reason, control = {control},
        ended_at = CASE WHEN w.state <> 1 THEN $3 END
    FROM chosen m JOIN ways w USING (number)
    WHERE r.id = m.id AND r.organization_id = $1 AND r.env = $2
    RETURNING r.id, r.contact_id, r.state, r.seq - w.moves AS first, w.number
), told AS (
    INSERT INTO journey_trail (run_id, seq, at, step, outcome, facts)
    SELECT m.id, m.first + p.n, $3, p.step, p.outcome, p.facts FROM moved m JOIN passed p USING (number)
)"""
"""For WITH: puts the runs of `chosen (id, number)` where the way of that number leads, with their trail."""

MOVE = f"""
WITH chosen AS MATERIALIZED (
    SELECT * FROM unnest($18::uuid[], $19::int[]) AS m (id, number)
), {PLACED.format(control="w.control")}
SELECT FROM moved
"""

STAY = """
UPDATE journey_runs r SET due_at = m.due_at, wait_event = m.wait_event, wait_since = m.wait_since, woken_by = NULL
FROM unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::timestamptz[]) AS m (id, due_at, wait_event, wait_since)
WHERE r.id = m.id
"""

COUNT = """/* whole */
INSERT INTO journey_step_counts (organization_id, env, version_id, step, kind, reason, delta)
SELECT $1, $2, $3, c.* FROM unnest($4::smallint[], $5::smallint[], $6::text[], $7::bigint[]) AS c
"""
