"""Use case: move those inside earlier versions of a journey to a newer one."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, TypedDict

from pydantic import Field

from core import audit
from core.foundation import jobs
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import statements_within
from core.foundation.errors import FieldError
from core.foundation.records import Doc, Id
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.inputs import Input
from core.journeys.errors import JourneyStatusConflict, WrongMap
from core.journeys.inputs import MAX_STEPS
from core.journeys.locks import lock_journey_in_use
from core.journeys.models import Journey, JourneyStatus, UnmappedRuns
from core.journeys.runs.finish import finish_runs
from core.journeys.runs.move import hold_still
from core.journeys.runs.program import PLACE_OF_START, Program, read_program
from core.journeys.step_configs import StepId

MOVED, ENDED = "migrada", "encerrada_na_migracao"
SECONDS = 120.0
"""How long one statement may take: everybody is moved at once."""
NOT_ACTIVE = "Contacts are moved to an active version; activate it, or let it go on."

Place = tuple[str, int]
"""A version, and a step of its program."""


class Migration(Input):
    """Where those inside earlier versions go on."""

    steps: Annotated[dict[StepId, StepId], Field(max_length=MAX_STEPS)] = Field(
        alias="mapa",
        description="For each step of the earlier versions, the step of this one at which those who "
        "stand there begin",
    )
    unmapped: UnmappedRuns | None = Field(
        default=None,
        alias="passosSemMapa",
        description="What becomes of those on other steps; required where somebody stands there",
    )
    rehearse: bool = Field(
        default=False, alias="simular", description="Count only, and move nobody"
    )


class MigratedRuns(TypedDict):
    """What became of those inside earlier versions, or would."""

    journeyId: Annotated[Id, Doc("The version that they were moved to")]
    movidas: Annotated[int, Doc("How many go on in this version")]
    encerradas: Annotated[int, Doc("How many were taken out")]
    mantidas: Annotated[int, Doc("How many stay in the version that they are in")]


async def migrate_runs(caller: Caller, id: str, how: Migration) -> MigratedRuns:
    """Let everybody inside earlier versions go on in this one, at the start of the step that the
    map names. All of them at once, or nobody.

    Raises NotFound, JourneyIsArchived, JourneyStatusConflict, and WrongMap with the place of each
    fault.
    """
    caller.require(Scope.CAMPAIGNS_WRITE)
    at = now()
    async with statements_within(SECONDS):
        journey = await lock_journey_in_use(caller, id)
        if journey.status is not JourneyStatus.ACTIVE:
            raise JourneyStatusConflict(journey.status, NOT_ACTIVE)
        target, earlier = await _programs(caller, journey)
        for program in earlier:
            await hold_still(program.version_id)
        runs_by_step = await _runs_by_step(caller, earlier)
        mapped = _mapped(target, earlier, how.steps)
        _refuse(target, earlier, runs_by_step, mapped, how)
        moved = sum(n for place, n in runs_by_step.items() if place in mapped)
        others = sum(runs_by_step.values()) - moved
        ends = how.unmapped is UnmappedRuns.END
        if not how.rehearse:
            await _move(caller, target, mapped, at=at)
            if ends:
                await _end(caller, earlier, at=at)
            facts = {"moved": moved, "ended": others if ends else 0}
            await audit.write_entry(caller, "journey.runs_migrated", id, facts, at=at)
            await jobs.wake(jobs.Job.MOVE_RUNS)
    return {
        "journeyId": id,
        "movidas": moved,
        "encerradas": others if ends else 0,
        "mantidas": 0 if ends else others,
    }


async def _programs(caller: Caller, journey: Journey) -> tuple[Program, list[Program]]:
    """That of the version, and those of the versions before it."""
    rows = await db.fetch(VERSIONS, caller.organization_id, caller.env, journey.lineage_id)
    programs = {row["id"]: read_program(row) for row in rows}
    earlier = [programs[row["id"]] for row in rows if row["version"] < journey.version]
    return programs[journey.id], earlier


async def _runs_by_step(caller: Caller, earlier: list[Program]) -> dict[Place, int]:
    """How many stand on each step of the earlier versions."""
    versions = [program.version_id for program in earlier]
    rows = await db.fetch(RUNS_BY_STEP, caller.organization_id, caller.env, versions)
    return {(row["version_id"], row["step"]): row["runs"] for row in rows}


def _mapped(target: Program, earlier: list[Program], steps: Mapping[str, str]) -> dict[Place, int]:
    """Where those on each step begin. Whoever has not begun yet begins at the start."""
    mapped = {(program.version_id, PLACE_OF_START): PLACE_OF_START for program in earlier}
    for before, after in steps.items():
        to = target.step_named(after)
        for program in earlier:
            step = program.step_named(before)
            if step is not None and to is not None:
                mapped[program.version_id, step.place] = to.place
    return mapped


def _refuse(
    target: Program,
    earlier: list[Program],
    runs_by_step: Mapping[Place, int],
    mapped: Mapping[Place, int],
    how: Migration,
) -> None:
    """Raises WrongMap."""
    wrong = []
    for before, after in how.steps.items():
        known = any(program.step_named(before) for program in earlier)
        if not known or target.step_named(after) is None:
            said = (
                "This version has no step with this id"
                if known
                else "No earlier version has a step with this id"
            )
            wrong.append(FieldError("pointer", f"/mapa/{before}", "PASSO_DESCONHECIDO", said))
    if how.unmapped is None and not runs_by_step.keys() <= mapped.keys():
        said = (
            "Somebody stands on a step that the map does not name: name it, or say what "
            "becomes of them"
        )
        wrong.append(FieldError("pointer", "/passosSemMapa", "MAPA_INCOMPLETO", said))
    if wrong:
        raise WrongMap(errors=wrong)


async def _move(
    caller: Caller, target: Program, mapped: Mapping[Place, int], *, at: datetime
) -> None:
    """The run in the earlier version ends, and one in this version begins: each keeps its trail."""
    places = [(version, step, to) for (version, step), to in sorted(mapped.items())]
    versions, steps, to = db.columns(places, 3)
    owner = (caller.organization_id, caller.env)
    await finish_runs(*owner, ON_THESE, [versions, steps], reason=MOVED, at=at)
    await db.execute(BEGIN, *owner, target.version_id, at, MOVED, versions, steps, to)


async def _end(caller: Caller, earlier: list[Program], *, at: datetime) -> None:
    owner, left = (caller.organization_id, caller.env), [one.version_id for one in earlier]
    await finish_runs(*owner, "r.version_id = ANY ($7::text[])", [left], reason=ENDED, at=at)


VERSIONS = """
SELECT id, organization_id, env, status, lineage_id, program, steps, entry_step_id, trigger, quiet, frequency_cap, goal,
       exit_when, reentry, reentry_hours, version
FROM journeys
WHERE organization_id = $1 AND env = $2 AND lineage_id = $3 AND status <> 'rascunho' ORDER BY version
"""

RUNS_BY_STEP = """
SELECT r.version_id, r.step, count(*) AS runs FROM journey_runs r
WHERE r.organization_id = $1 AND r.env = $2 AND r.version_id = ANY ($3::text[]) AND r.state = 1 GROUP BY 1, 2
"""

ON_THESE = """
EXISTS (SELECT FROM unnest($7::text[], $8::smallint[]) AS u (version_id, step)
        WHERE u.version_id = r.version_id AND u.step = r.step)
"""

BEGIN = """/* whole */
WITH begun AS (
    INSERT INTO journey_runs (id, organization_id, env, version_id, lineage_id, contact_id, entry_key, state, step, seq,
                              due_at, control, entered_at, step_at)
    SELECT svc_run_id($4::timestamptz), r.organization_id, r.env, $3::text, r.lineage_id, r.contact_id, r.entry_key, 1,
           u.to_step, 1, $4::timestamptz, r.control, r.entered_at, $4::timestamptz
    FROM unnest($6::text[], $7::smallint[], $8::smallint[]) AS u (version_id, step, to_step)
    JOIN journey_runs r ON r.version_id = u.version_id AND r.step = u.step
    WHERE r.organization_id = $1 AND r.env = $2 AND r.state = 3 AND r.end_reason = $5 AND r.ended_at = $4::timestamptz
    ORDER BY r.contact_id
    ON CONFLICT (contact_id, lineage_id, entry_key) WHERE state = 1 DO NOTHING
    RETURNING step
)
INSERT INTO journey_step_counts (organization_id, env, version_id, step, kind, delta)
SELECT $1::text, $2::text, $3::text, of.step, 1, of.delta
FROM (SELECT step, count(*) AS delta FROM begun GROUP BY step
      UNION ALL SELECT -1::smallint, count(*) FROM begun) AS of
WHERE of.delta > 0
"""
