"""Who is in the segments that journeys watch, kept so that whoever comes into one or leaves it is
noticed.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import asyncpg
import structlog
from tortoise.queryset import QuerySet

from core import segments
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.database.transactions import statements_within, transaction
from core.foundation.errors import ServiceError
from core.foundation.moved_clocks import is_moving, narrowed, unless_moved
from core.foundation.security.caller import Caller, system_caller
from core.journeys.runs.models import JourneyWatch, WatchKind

log = structlog.get_logger()

DIRTY_BATCH = 2_000
"""Changed contacts that are looked at in one transaction."""
COMPARED_EVERY = timedelta(minutes=5)
"""How often the members of a segment are compared as a whole: time passes without a change."""
COMPARED_EVERY_UNDER_A_CLOCK = timedelta(hours=1)
"""The same where a clock is moved, by weeks in a minute."""
AT_ONCE_SECONDS = 3.0
SETTLED_AFTER = timedelta(seconds=2)
"""How long after a segment began to be watched it is compared once more: what others were writing
at that moment was neither seen nor noted.
"""
WHOLE_SECONDS = 120.0


async def look_at_changed(*, at: datetime) -> int:
    """Look at contacts of which something changed, owner by owner; answers how many rows were
    taken.

    One worker at a time looks at an owner's: of two, the one that saw less could write last.
    """
    owner = await db.fetchrow(*narrowed(OWNER_WITH_CHANGES))
    if owner is None:
        return 0
    caller = system_caller(owner["organization_id"], owner["env"])
    async with transaction():
        if not await _alone(caller):
            return 0
        taken = await db.fetch(TAKE, caller.organization_id, caller.env)
        contacts = sorted(set(column(taken, "contact_id")))
        for segment in await _compared_segments(caller):
            await _note(caller, segment, contacts, at=at)
    return len(taken)


async def compare_due(*, at: datetime) -> int:
    """Compare the members of the segment that was compared longest ago as a whole; answers how many
    were.
    """
    every = COMPARED_EVERY_UNDER_A_CLOCK if is_moving() else COMPARED_EVERY
    due = await db.fetchrow(*narrowed(DUE, at - every, at - SETTLED_AFTER))
    if due is None:
        return 0
    caller = system_caller(due["organization_id"], due["env"])
    try:
        async with statements_within(WHOLE_SECONDS):
            if not await _alone(caller):
                return 0
            await _compare(caller, due["ref"], first=due["first"], at=at)
    except (ServiceError, asyncpg.QueryCanceledError) as failed:
        log.warning("segment_not_compared", segment=due["ref"], error=type(failed).__name__)
        # Tried again after a while; one that was never compared stays so.
        compared = _watches_of(caller, due["ref"]).filter(checked_at__isnull=False)
        await compared.update(checked_at=at)
    return 1


async def compare_at_once(caller: Caller, segment: str, *, at: datetime) -> None:
    """Write down who is in a segment that begins to be watched; where that takes long, a worker
    does it. In the transaction of the activation.
    """
    watches = _watches_of(caller, segment)
    if await watches.filter(checked_at__isnull=False).exists():
        await watches.update(checked_at=at)
        return
    try:
        async with statements_within(AT_ONCE_SECONDS):
            await _compare(caller, segment, first=True, at=at)
    except asyncpg.QueryCanceledError:
        return


async def forget_unwatched() -> None:
    """Forget who was in segments that no journey watches any more."""
    for row in await db.fetch(UNWATCHED):
        while await db.execute(*unless_moved(FORGET, row["segment_id"])):
            pass


def _watches_of(caller: Caller, segment: str) -> QuerySet[JourneyWatch]:
    """Those of every version that is interested in the segment."""
    return JourneyWatch.visible_to(caller).filter(kind=WatchKind.SEGMENT.value, ref=segment)


async def _alone(caller: Caller) -> bool:
    """Whether nobody else looks at this owner's members until the transaction ends."""
    found: bool = await db.fetchval(ALONE, caller.organization_id, caller.env)
    return found


async def _compared_segments(caller: Caller) -> list[str]:
    """Those of which all members are written down."""
    rows = await db.fetch(ALL_COMPARED, caller.organization_id, caller.env)
    return column(rows, "ref")


async def _note(caller: Caller, segment: str, contacts: Sequence[str], *, at: datetime) -> None:
    values: list[Any] = [caller.organization_id, caller.env, segment, list(contacts), at]
    condition = await segments.members_condition(caller, segment, values, at=at)
    if condition is not None:
        await db.execute(NOTE.format(condition=condition), *values)


async def _compare(caller: Caller, segment: str, *, first: bool, at: datetime) -> None:
    """`first`: who is in it was there already, and comes into it by that no more."""
    values: list[Any] = [caller.organization_id, caller.env, segment, at]
    condition = await segments.members_condition(caller, segment, values, at=at)
    if condition is not None:
        statement = FIRST if first else WHOLE
        await db.execute(statement.format(condition=condition), *values)
    await _watches_of(caller, segment).update(checked_at=at)


NEXT_LOOK = f"""
SELECT min(c.updated_at) FROM (
    SELECT contact_id FROM dirty_contacts WHERE organization_id = $1 AND env = 'test' ORDER BY id LIMIT {DIRTY_BATCH}
) AS d JOIN contacts c ON c.id = d.contact_id
"""
"""When the first change of a sandbox's contacts is due."""

NEXT_COMPARISON = """
SELECT min(w.checked_at) + interval '1 hour' FROM journey_watches w
WHERE w.organization_id = $1 AND w.env = 'test' AND w.kind = 'segment'
"""
"""When a watched segment of a sandbox is to be compared next."""

OWNER_WITH_CHANGES = """
SELECT d.organization_id, d.env FROM dirty_contacts d WHERE true /* whose d. */ ORDER BY d.id LIMIT 1
"""

# From one segment to the next, by the index alone.
UNWATCHED = """
WITH RECURSIVE known AS (
    (SELECT segment_id FROM segment_members ORDER BY segment_id LIMIT 1)
    UNION ALL
    SELECT n.segment_id FROM known k CROSS JOIN LATERAL (
        SELECT segment_id FROM segment_members WHERE segment_id > k.segment_id ORDER BY segment_id LIMIT 1) AS n
)
SELECT segment_id FROM known k
WHERE NOT EXISTS (SELECT FROM journey_watches w WHERE w.kind = 'segment' AND w.ref = k.segment_id)
"""

FORGET = """
DELETE FROM segment_members
WHERE id IN (SELECT id FROM segment_members WHERE segment_id = $1 /* unless moved */ LIMIT 10000)
"""

ALONE = """
SELECT pg_try_advisory_xact_lock(hashtextextended('segment members ' || $1 || $2, 0))
"""

TAKE = f"""
DELETE FROM dirty_contacts WHERE id = ANY (ARRAY(
    SELECT id FROM dirty_contacts WHERE organization_id = $1 AND env = $2 ORDER BY id LIMIT {DIRTY_BATCH}))
RETURNING contact_id
"""

ALL_COMPARED = """
SELECT ref FROM journey_watches WHERE organization_id = $1 AND env = $2 AND kind = 'segment'
GROUP BY ref HAVING bool_or(checked_at IS NOT NULL) ORDER BY ref
"""

# One that was changed is compared at once.
DUE = """
SELECT w.organization_id, w.env, w.ref, max(w.checked_at) IS NULL AS first
FROM journey_watches w
JOIN segments s ON s.organization_id = w.organization_id AND s.env = w.env AND s.id = w.ref
WHERE w.kind = 'segment' /* whose w. */
GROUP BY 1, 2, 3, s.updated_at
HAVING max(w.checked_at) IS NULL OR max(w.checked_at) < greatest($1, s.updated_at)
    OR max(w.created_at) <= $2 AND max(w.checked_at) <= max(w.created_at)
ORDER BY max(w.checked_at) NULLS FIRST LIMIT 1
"""

CHANGES = """
INSERT INTO audience_changes (organization_id, env, kind, ref, contact_id, entered, xid, at)
SELECT $1::text, $2::text, 'segment', $3::text, moved.contact_id, moved.entered, pg_current_xact_id()::text::bigint, {at}
FROM (SELECT contact_id, true AS entered FROM come UNION ALL SELECT contact_id, false FROM gone) AS moved
"""

NOTE = """/* whole */
WITH matching AS (
    SELECT c.id FROM contacts c
    WHERE c.organization_id = $1 AND c.env = $2 AND c.id = ANY ($4::text[]) AND ({condition})
), gone AS (
    DELETE FROM segment_members m
    WHERE m.organization_id = $1 AND m.segment_id = $3 AND m.contact_id = ANY ($4::text[])
      AND NOT EXISTS (SELECT FROM matching WHERE id = m.contact_id)
    RETURNING m.contact_id
), come AS (
    INSERT INTO segment_members (organization_id, env, segment_id, contact_id, since)
    SELECT $1::text, $2::text, $3::text, id, $5::timestamptz FROM matching ON CONFLICT (segment_id, contact_id) DO NOTHING
    RETURNING contact_id
)""" + CHANGES.format(at="$5::timestamptz")

ALL_MOVED = """/* whole */
WITH matching AS MATERIALIZED (
    SELECT c.id FROM contacts c WHERE c.organization_id = $1 AND c.env = $2 AND ({condition})
), gone AS (
    DELETE FROM segment_members m
    WHERE m.organization_id = $1 AND m.segment_id = $3 AND NOT EXISTS (SELECT FROM matching WHERE id = m.contact_id)
    RETURNING m.contact_id
), come AS (
    INSERT INTO segment_members (organization_id, env, segment_id, contact_id, since)
    SELECT $1::text, $2::text, $3::text, f.id, $4::timestamptz FROM matching f
    WHERE NOT EXISTS (SELECT FROM segment_members m WHERE m.segment_id = $3 AND m.contact_id = f.id)
    ON CONFLICT (segment_id, contact_id) DO NOTHING
    RETURNING contact_id
)"""
FIRST = ALL_MOVED + " SELECT 1"
WHOLE = ALL_MOVED + CHANGES.format(at="$4::timestamptz")
