"""Letting contacts in: any number in one statement."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from core.foundation.database import db
from core.journeys.runs.program import PLACE_OF_START, Program
from core.journeys.tell import SOME, RunGroup, tell_entered


async def enrol(
    program: Program,
    contacts_sql: str,
    args: Sequence[Any] = (),
    *,
    at: datetime,
    entry_key_sql: str | None = None,
) -> int:
    """Put contacts at the start of a version; answers how many came in.

    `contacts_sql`: a SELECT of `contact_id` and, with `entry_key_sql` (an expression over its row
    `e`), of what the key is made of; its values are `args`, from $1 on. Nobody is in twice with one
    key, and who has been through enters again only as the version's re-entry says: all versions of
    a journey are one.
    """
    first = len(args)
    types = ("text", "text", "text", "text", "timestamptz", "smallint", "timestamptz")
    places = [f"${first + place}::{type}" for place, type in enumerate(types, start=1)]
    organization, env, version, lineage, now, step, since = places
    key = entry_key_sql or "''"
    statement = ENROL.format(
        contacts=contacts_sql,
        key=key,
        organization=organization,
        env=env,
        version=version,
        lineage=lineage,
        at=now,
        step=step,
        since=since,
        some=SOME,
    )
    row = await db.fetch_one(
        statement,
        *args,
        program.organization_id,
        program.env,
        program.version_id,
        program.lineage_id,
        at,
        PLACE_OF_START,
        may_enter_again(program, at=at),
    )
    taken: int = row["entered"]
    told = RunGroup(
        program.organization_id,
        program.env,
        program.version_id,
        taken,
        list(zip(row["runs"], row["contacts"], strict=True)),
    )
    await tell_entered([told], at=at)
    return taken


def may_enter_again(program: Program, *, at: datetime) -> datetime | None:
    """Whoever ended by then may enter again; None: nobody does."""
    if program.reentry != "apos_concluir":
        return None
    return at - timedelta(hours=program.reentry_hours or 0)


# The owner of contacts is asked here, whatever the statement of the source says.
ENROL = """/* whole */
WITH asked AS (
    SELECT DISTINCT e.contact_id::varchar AS contact_id, left(coalesce(({key})::text, ''), 200) AS entry_key
    FROM ({contacts}) AS e
), entered AS (
    INSERT INTO journey_runs (id, organization_id, env, version_id, lineage_id, contact_id, entry_key, state, step, seq,
                              due_at, entered_at, step_at)
    SELECT svc_run_id({at}), c.organization_id, c.env, {version}, {lineage}, c.id, a.entry_key, 1,
           {step}, 1, {at}, {at}, {at}
    FROM asked a JOIN contacts c ON c.id = a.contact_id
    WHERE c.organization_id = {organization} AND c.env = {env} AND NOT EXISTS (
        SELECT FROM journey_runs o
        WHERE o.contact_id = c.id AND o.organization_id = c.organization_id AND o.lineage_id = {lineage} AND o.entry_key = a.entry_key
          AND (o.state = 1 OR {since} IS NULL OR o.ended_at > {since}))
    ORDER BY c.id
    ON CONFLICT (contact_id, lineage_id, entry_key) WHERE state = 1 DO NOTHING
    RETURNING id, contact_id
), counted AS (
    INSERT INTO journey_step_counts (organization_id, env, version_id, step, kind, delta)
    SELECT {organization}, {env}, {version}, of.step, of.kind, of.delta
    FROM (SELECT {step} AS step, 1::smallint AS kind, count(*) AS delta FROM entered
          UNION ALL SELECT -1::smallint, 1::smallint, count(*) FROM entered) AS of
    WHERE of.delta > 0
)
SELECT (SELECT count(*) FROM entered) AS entered,
       ARRAY(SELECT id FROM entered ORDER BY id LIMIT {some}) AS runs,
       ARRAY(SELECT contact_id FROM entered ORDER BY id LIMIT {some}) AS contacts
"""
