"""Use cases: read who is, or was, on the way through a journey, and the trail of each."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from core.foundation.absent import existing
from core.foundation.database import db
from core.foundation.database.pages import (
    EPOCH,
    MICROSECOND,
    NOT_OF_THIS_LIST,
    UnreadableCursor,
    cursor_of,
    cut,
    values_of,
)
from core.foundation.database.rows import pairs_of
from core.foundation.database.where import Where
from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.ids import well_formed_id
from core.foundation.records import WrittenPage, read_rows
from core.foundation.run_id import key_of_run
from core.foundation.security.caller import Caller, Scope
from core.journeys.runs.conditions import are_in_line, narrow_runs
from core.journeys.runs.inputs import RunFilter
from core.journeys.runs.record import RUN, RunPage, WholeRunRecord, trail_of

STEP_ID = """(
    SELECT j.program->'steps'->{r}.step::int->>'id' FROM journeys j
    WHERE j.id = {r}.version_id AND j.organization_id = {r}.organization_id)"""
"""SQL, with `{r}` for the alias of the runs: what the journey calls the step that a run stands on."""

TRAIL = """(
    SELECT coalesce(jsonb_agg(jsonb_build_array(
        t.at, t.outcome, t.facts, j.program->'steps'->t.step::int->>'id') ORDER BY t.seq), '[]')
    FROM journey_trail t JOIN journeys j ON j.id = {r}.version_id AND j.organization_id = {r}.organization_id
    WHERE t.run_id = {r}.id)"""
"""The same of its trail: the steps that it has left, the oldest first."""

NOWHERE = -1
"""The place of a step that the journey does not have."""

Place = tuple[Any, ...]


async def list_runs(caller: Caller, id: str, filter: RunFilter) -> WrittenPage[RunPage]:
    """A page of the runs of a version, newest first. Those who are on their way (`estado=ativa`),
    or stand on a step, are in the order in which they go on. Raises NotFound.
    """
    caller.require(Scope.CAMPAIGNS_READ)
    step = None
    if filter.step is not None:
        step = (await _steps_of(caller, id)).get(filter.step, NOWHERE)
    where = Where.visible_to(caller, alias="r")
    told = {"status": filter.status, "step": step, "contact_id": filter.contact_id}
    narrow_runs(where, version_id=id, **told)  # type: ignore[arg-type]  # each is of its own type
    in_line = are_in_line(**told)  # type: ignore[arg-type]
    if filter.cursor is not None:
        _narrow_behind(where, filter.cursor, in_line=in_line)
    keys = ("step", "due_at", "id") if in_line else ("id",)
    direction = "" if in_line else " DESC"
    limit = cut(filter.limit)
    order = ", ".join(f"{{of}}{key}{direction}" for key in keys)
    read = await read_rows(
        caller,
        RUN,
        f"SELECT r.*, {STEP_ID.format(r='r')} AS step_id FROM journey_runs r WHERE {where} "
        f"ORDER BY {order.format(of='r.')} LIMIT {limit + 1}",
        where.values,
        order=order.format(of=""),
        place=keys,
        limit=limit,
        keeps_plan=filter.is_plain,
    )
    if not read.items and filter.step is None:
        await _steps_of(caller, id)  # whether there is such a version at all
    return WrittenPage(read.items, None, None if read.last is None else _cursor(read.last))


async def get_run(caller: Caller, id: str) -> WholeRunRecord:
    """One run with its trail. Raises NotFound."""
    caller.require(Scope.CAMPAIGNS_READ)
    row = existing(await db.fetchrow(ONE, caller.organization_id, caller.env, key_of_run(id)))
    return {**RUN.make_for(caller, row), "trilha": trail_of(row["trail"])}


async def places_of(caller: Caller, ids: Sequence[str], step: str) -> dict[str, int]:
    """The place of a step in the programs of versions, by their ids; NOWHERE where one has none."""
    rows = await db.fetch(PLACES, caller.organization_id, caller.env, list(ids), step)
    return dict.fromkeys(ids, NOWHERE) | pairs_of(rows, "id", "place")


async def _steps_of(caller: Caller, id: str) -> dict[str, int]:
    """The places of the steps of a version, by their ids. Raises NotFound."""
    row = existing(
        await db.fetchrow(STEPS, caller.organization_id, caller.env, well_formed_id("jor", id))
    )
    return {id: place for place, id in enumerate(row["ids"] or ()) if id}


def _narrow_behind(where: Where, cursor: str, *, in_line: bool) -> None:
    """Only what stands behind the place of a cursor. Raises ValidationFailed."""
    try:
        place = _place(cursor, in_line=in_line)
    except ValueError:
        said = NOT_OF_THIS_LIST
        raise ValidationFailed(
            errors=[FieldError("parameter", "cursor", "wrong_format", said)]
        ) from None
    if in_line:
        where.narrow("(r.step, r.due_at, r.id) > ({}, {}, {})", *place)
    else:
        where.narrow("r.id < {}", *place)


def _place(cursor: str, *, in_line: bool) -> Place:
    match values_of(cursor):
        case [str(key)] if not in_line:
            return (UUID(key),)
        case [int(step), int(micros), str(key)] if in_line and abs(step) < 1 << 15:
            try:
                return (step, EPOCH + micros * MICROSECOND, UUID(key))
            except OverflowError:
                raise UnreadableCursor from None
    raise UnreadableCursor


def _cursor(place: Place) -> str:
    return cursor_of(
        [
            (one - EPOCH) // MICROSECOND
            if isinstance(one, datetime)
            else str(one)
            if isinstance(one, UUID)
            else one
            for one in place
        ]
    )


STEPS = """
SELECT ARRAY(SELECT step->>'id' FROM jsonb_array_elements(program->'steps') AS step) AS ids
FROM journeys WHERE organization_id = $1 AND env = $2 AND id = $3
"""

PLACES = """
SELECT j.id, (p.place - 1)::int AS place
FROM journeys j CROSS JOIN LATERAL jsonb_array_elements(j.program->'steps') WITH ORDINALITY AS p (step, place)
WHERE j.organization_id = $1 AND j.env = $2 AND j.id = ANY ($3::text[]) AND p.step->>'id' = $4
"""

ONE = f"""
SELECT r.*, {STEP_ID.format(r="r")} AS step_id, {TRAIL.format(r="r")} AS trail
FROM journey_runs r WHERE r.organization_id = $1 AND r.env = $2 AND r.id = $3
"""
