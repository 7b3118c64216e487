"""A condition behind a step that everybody leaves: one statement claims a batch, asks, moves and tells it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from core.foundation.database import db
from core.foundation.database.rows import column
from core.journeys.runs.batch import RunAtStep, RunBatch, StepKind, StepOutcome, go_on
from core.journeys.runs.kinds import KINDS
from core.journeys.runs.kinds.condition import NO, YES, condition_of
from core.journeys.runs.program import START, Program, ProgramStep
from core.journeys.runs.steady import is_left_at_once, waits_for_hours
from core.journeys.runs.walk import PLACED, Walk, columns_of, write_counts
from core.journeys.tell import SOME, RunGroup, tell_completed, tell_moved

NOBODY = UUID(int=0)
WAYS = (YES, NO)
"""By their number."""


@dataclass(frozen=True, slots=True)
class Fork:
    """From a step to a condition, and from there to where everybody who goes one way waits equally long or
    ends. `ways`: what is written of one run that goes so, by the number of the way.
    """

    step: int
    tree: Mapping[str, Any]
    ways: Sequence[Walk]


async def fork_behind(program: Program, step: int, *, at: datetime) -> Fork | None:
    """The fork behind a step, where nothing but its condition has to be asked of anybody.

    It is not remembered: its ways are written with the times that follow from `at`, and to walk
    them takes less than a tenth of a millisecond for a batch of a thousand.
    """
    here = program.steps[step]
    place = here.next.get("proximo") if is_left_at_once(here) else None
    if place is None:
        return None
    asked = program.steps[place]
    if asked.kind != "condicao" or not all(_is_told_ahead(program, asked, way) for way in WAYS):
        return None
    ways = [await _walked(program, step, way, at=at) for way in WAYS]
    return Fork(step, asked.config["filterTree"], ways)


def _is_told_ahead(program: Program, asked: ProgramStep, way: str) -> bool:
    """Whether it needs no look at a run to say what becomes of it on this way."""
    place = asked.next.get(way)
    if place is None:
        return True
    return program.steps[place].kind == "saida" or waits_for_hours(program.steps[place])


async def _walked(program: Program, step: int, way: str, *, at: datetime) -> Walk:
    """The walk of one run that the condition sends this way."""

    async def answer(batch: RunBatch) -> list[StepOutcome]:
        return [go_on(way)] * len(batch.runs)

    kinds: dict[str, StepKind] = {**KINDS, "condicao": answer}
    one = RunAtStep(NOBODY, "", "", 1, at, at, at, control=False, returned=True, woken_by=None)
    walk = Walk(program, at)
    await walk.go(step, [one], kinds=kinds)
    return walk


async def move_apart(program: Program, fork: Fork, *, at: datetime, most: int) -> int:
    """Move a batch through a fork; answers how many."""
    waits = program.steps[fork.step].kind != START
    values: list[object] = [
        program.organization_id,
        program.env,
        at,
        *columns_of([way for walk in fork.ways for way in walk.moves]),
        program.version_id,
        fork.step,
        most,
        waits,
    ]
    condition = await condition_of(program, fork.tree, values, at=at)
    rows = await db.fetch(MOVE.replace("{condition}", condition), *values)
    counts: Counter[tuple[int, int, str]] = Counter()
    done: list[RunGroup] = []
    for row in rows:
        walk, many = fork.ways[row["number"]], row["many"]
        counts.update({count: n * many for count, n in walk.counts.items()})
        who = list(zip(row["runs"], row["contacts"], strict=True))
        owner = (program.organization_id, program.env, program.version_id)
        done += [RunGroup(*owner, many, who, reason) for reason in walk.done]
    if rows:
        await write_counts(program, counts)
        await tell_moved(program)
        await tell_completed(done, at=at)
    return sum(column(rows, "many"))


# OFFSET 0: by the ids alone, whatever the organization is taken to have.
MOVE = f"""/* whole */
WITH due AS MATERIALIZED (
    SELECT r.id, r.contact_id FROM journey_runs r
    WHERE r.version_id = $18 AND r.step = $19 AND r.state = 1 AND r.due_at <= $3
      AND (NOT $21::boolean OR r.wait_since IS NOT NULL)
    ORDER BY r.due_at LIMIT $20 FOR UPDATE SKIP LOCKED
), matching AS MATERIALIZED (
    SELECT c.id FROM (SELECT * FROM contacts WHERE id = ANY (ARRAY(SELECT contact_id FROM due)) OFFSET 0) AS c
    WHERE c.organization_id = $1 AND c.env = $2 AND {{condition}}
), chosen AS MATERIALIZED (
    SELECT d.id, CASE WHEN m.id IS NULL THEN 1 ELSE 0 END AS number
    FROM due d LEFT JOIN matching m ON m.id = d.contact_id
), {PLACED.format(control="r.control")}
SELECT w.number, (SELECT count(*) FROM moved m WHERE m.number = w.number) AS many,
       ARRAY(SELECT m.id FROM moved m WHERE m.number = w.number AND m.state <> 1 ORDER BY m.id LIMIT {SOME}) AS runs,
       ARRAY(SELECT m.contact_id FROM moved m WHERE m.number = w.number AND m.state <> 1 ORDER BY m.id LIMIT {SOME})
           AS contacts
FROM ways w WHERE EXISTS (SELECT FROM moved m WHERE m.number = w.number)
"""
