"""What a change of an audience does: who reached the goal leaves, and contacts come into journeys."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from core.foundation.database import db
from core.journeys.entry.sources import MAY_ENTER
from core.journeys.models import TriggerMove
from core.journeys.runs.enrol import enrol
from core.journeys.runs.finish import finish_runs
from core.journeys.runs.models import RunState, WatchKind
from core.journeys.runs.program import Program, read_program

if TYPE_CHECKING:
    from core.journeys.runs.audience import Change

GOAL = "meta"
"""The reason of a run that ended because its contact got there."""


async def end_by_goal(changes: Sequence["Change"], at: datetime) -> None:
    """End the runs whose contacts did what their journey is there for."""
    events = [change for change in changes if change.kind is WatchKind.EVENT]
    for program, _ in await _versions(events):
        if reached := [change for change in events if _is_goal(program, change)]:
            await _end(program, reached, at=at)


async def let_in(changes: Sequence["Change"], at: datetime) -> None:
    """Let in whoever came into a segment or left it, came onto a list, or did what a journey begins
    with.
    """
    for program, takes in await _versions(changes):
        coming = [change for change in changes if _lets_in(program, change)]
        if takes and coming:
            await _let_in(program, coming, at=at)


async def _versions(changes: Sequence["Change"]) -> list[tuple[Program, bool]]:
    """Versions that watch for one of them, and whether they let anybody in."""
    watched = {
        (change.organization_id, change.env, change.kind.value, change.ref) for change in changes
    }
    rows = await db.fetch_for(watched, VERSIONS, *db.columns(sorted(watched), 4))
    return [(read_program(row), row["takes"]) for row in rows]


def _is_owners(program: Program, change: "Change") -> bool:
    return (change.organization_id, change.env) == (program.organization_id, program.env)


def _is_goal(program: Program, change: "Change") -> bool:
    return change.ref == program.goal_event and _is_owners(program, change)


def _lets_in(program: Program, change: "Change") -> bool:
    return _is_owners(program, change) and _is_entry(program.trigger, change)


def _is_entry(trigger: Mapping[str, Any], change: "Change") -> bool:
    match change.kind:
        case WatchKind.EVENT:
            return change.ref == trigger.get("nome")
        case WatchKind.LIST:
            return change.entered and change.ref == trigger.get("listId")
        case WatchKind.SEGMENT:
            leaves = trigger.get("ao") == TriggerMove.OUT
            return change.ref == trigger.get("segmentId") and change.entered is not leaves
        case WatchKind.OPT_OUT:
            return False


async def _end(program: Program, reached: Iterable["Change"], *, at: datetime) -> None:
    """What was done before somebody came in is no goal reached."""
    latest: dict[str, datetime] = {}
    for change in reached:
        latest[change.contact_id] = max(change.at, latest.get(change.contact_id, change.at))
    await finish_runs(
        program.organization_id,
        program.env,
        REACHED,
        [program.version_id, *db.columns(sorted(latest.items()), 2)],
        state=RunState.DONE,
        reason=GOAL,
        at=at,
    )


async def _let_in(program: Program, coming: Sequence["Change"], *, at: datetime) -> None:
    key = program.trigger.get("chave")
    if key is None:
        contacts = sorted({change.contact_id for change in coming})
        await enrol(program, COMING, [contacts], at=at)
        return
    events = [change.event_id for change in coming]
    await enrol(program, COMING_BY_KEY, [events, key], at=at, entry_key_sql="e.key")


VERSIONS = """
SELECT j.id, j.organization_id, j.env, j.lineage_id, j.program, j.steps, j.entry_step_id, j.trigger, j.quiet,
       j.frequency_cap, j.goal, j.exit_when, j.reentry, j.reentry_hours,
       j.status = 'ativa' AND j.entries_ended IS NOT TRUE AS takes
FROM journeys j
WHERE j.id IN (
    SELECT w.version_id FROM journey_watches w
    JOIN unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS u (organization_id, env, kind, ref)
      ON w.organization_id = u.organization_id AND w.env = u.env AND w.kind = u.kind AND w.ref = u.ref)
ORDER BY j.id
"""

REACHED = """
r.version_id = $7 AND EXISTS (
    SELECT FROM unnest($8::text[], $9::timestamptz[]) AS u (contact_id, at)
    WHERE u.contact_id = r.contact_id AND u.at >= r.entered_at)
"""

COMING = f"SELECT c.id AS contact_id FROM contacts c WHERE c.id = ANY ($1::text[]) AND {MAY_ENTER}"

COMING_BY_KEY = f"""
SELECT c.id AS contact_id, v.properties ->> $2::text AS key
FROM customer_events v JOIN contacts c ON c.id = v.contact_id AND c.organization_id = v.organization_id
WHERE v.id = ANY ($1::text[]) AND {MAY_ENTER}
"""
