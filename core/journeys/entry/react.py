"""What a change of an audience does: contacts come into journeys, and who reached the goal leaves."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.journeys.entry.sources import MAY_ENTER
from core.journeys.models import TriggerMove
from core.journeys.runs.enrol import enrol
from core.journeys.runs.finish import finish_runs
from core.journeys.runs.models import RunState, WatchKind
from core.journeys.runs.program import Program, read_program

GOAL = "meta"
"""The reason of a run that ended because its contact got there."""


@dataclass(frozen=True, slots=True)
class Change:
    """A contact came into or left a segment or a list (`ref`), or did something (`event_id`, whose
    name is `ref`).
    """

    kind: str
    ref: str
    contact_id: str
    entered: bool
    event_id: str | None
    at: datetime


async def react(caller: Caller, changes: Sequence[Change], *, at: datetime) -> None:
    """End runs that reached their goal, then let contacts in; changes of one owner, in the
    transaction that takes them.
    """
    rows = await db.fetch(
        VERSIONS,
        caller.organization_id,
        caller.env,
        *db.columns(sorted({(change.kind, change.ref) for change in changes}), 2),
    )
    versions = [(read_program(dict(row)), row["takes"]) for row in rows]
    for program, _ in versions:
        if reached := [change for change in changes if _is_goal(program, change)]:
            await _end(caller, program, reached, at=at)
    for program, takes in versions:
        coming = [change for change in changes if _lets_in(program.trigger, change)]
        if takes and coming:
            await _let_in(program, coming, at=at)


def _is_goal(program: Program, change: Change) -> bool:
    return change.kind == WatchKind.EVENT and change.ref == program.goal_event


def _lets_in(trigger: Mapping[str, Any], change: Change) -> bool:
    match change.kind:
        case WatchKind.EVENT:
            return change.ref == trigger.get("nome")
        case WatchKind.LIST:
            return change.entered and change.ref == trigger.get("listId")
    leaves = trigger.get("ao") == TriggerMove.OUT
    return change.ref == trigger.get("segmentId") and change.entered is not leaves


async def _end(
    caller: Caller, program: Program, reached: Iterable[Change], *, at: datetime
) -> None:
    """What was done before somebody came in is no goal reached."""
    latest: dict[str, datetime] = {}
    for change in reached:
        latest[change.contact_id] = max(change.at, latest.get(change.contact_id, change.at))
    await finish_runs(
        caller.organization_id,
        caller.env,
        REACHED,
        [program.version_id, *db.columns(sorted(latest.items()), 2)],
        state=RunState.DONE,
        reason=GOAL,
        at=at,
    )


async def _let_in(program: Program, coming: Sequence[Change], *, at: datetime) -> None:
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
WHERE j.organization_id = $1 AND j.env = $2 AND j.status <> 'rascunho' AND EXISTS (
    SELECT FROM journey_watches w JOIN unnest($3::text[], $4::text[]) AS u (kind, ref) ON (w.kind, w.ref) = (u.kind, u.ref)
    WHERE w.version_id = j.id AND w.organization_id = $1 AND w.env = $2)
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
FROM customer_events v JOIN contacts c ON c.id = v.contact_id
WHERE v.id = ANY ($1::text[]) AND {MAY_ENTER}
"""
