"""Hourly statistics of messages, counted once when an hour is closed.

An hour is closed by the clock when its last message is old enough. What changes later is added by
the triggers of the table: a delta beside the hour, whoever makes the change, so that the sums of a
closed hour are exact at any time.

Why nothing is lost in between: a trigger writes a delta for what is more than an hour old, by
PostgreSQL's clock. An hour is closed behind a fence: a moment more than an hour after its end,
before which every transaction has begun that might have held a change too fresh for a delta, and
all of which have ended. Its messages are counted, and the deltas that this count has seen are
dropped, in one statement: in one snapshot. A delta that it did not see stays.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby

from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.database.where import Where
from core.messaging.figures import ADD, COUNT, COUNTED
from core.messaging.models import Channel, ClosedHours, Status

HOUR, INSTANT = timedelta(hours=1), timedelta(microseconds=1)
NEVER = datetime.min.replace(tzinfo=UTC)
MAX_CLOSED_AT_ONCE = timedelta(days=1)
"""At most so much is closed in one transaction."""
MERGE_BATCH_SIZE = 10_000
"""Deltas that are added to their hours in one transaction, at least: all of an hour's are."""

OPEN = timedelta(hours=1, minutes=5)
"""How long after its end an hour may be fenced: the hour of the triggers, and time for clocks that
were set.
"""

THE_ROW = 1
"""The id of the only row of `closed_hours`."""

DIMENSIONS = ("channel", "direction", "status", "campaign_id", "number_id")
"""What can be asked of an hour apart from its figures."""


async def close_hours() -> bool:
    """Close the hours that are due, or fence those that will be. Answers whether there is more to
    be done at once.
    """
    async with transaction():
        await db.execute(BEGIN)
        # Another worker that is at it does the same.
        state = await db.fetchrow(STATE, OPEN)
        if state is None:
            return False
        begin, fence = state["closed_until"], state["fence_until"]
        if fence is None or fence <= begin or state["unknown"]:
            if state["due"] > begin:
                await db.execute(FENCE, state["due"])
            return False
        if not state["passed"]:
            return False
        end = min(fence, begin + MAX_CLOSED_AT_ONCE)
        await db.execute(CLOSE, begin, end)
        await ClosedHours.filter(id=THE_ROW).update(closed_until=end)
        return bool(end < fence)


async def merge_hours() -> int:
    """Add the deltas of closed hours to them. Answers how many hours of owners there were."""
    async with transaction():
        state = await db.fetchrow(STATE, OPEN)
        if state is None:
            return 0
        merged: int = await db.fetchval(MERGE, state["closed_until"], MERGE_BATCH_SIZE)
        return merged


Part = tuple[datetime, datetime]
"""From an instant to before another one."""


@dataclass(frozen=True, slots=True)
class Split:
    """A period as it is counted: from closed hours `since` up to before `until`, and from the messages
    of the `open` parts.

    Of an hour that lies on both sides of an edge the shorter part is counted from its messages, and
    taken from what the hour counts: `moved`, each with the instant at which its hour counts. That
    is the first one of an hour; the last one of those in `late`.
    """

    since: datetime
    until: datetime
    late: Sequence[datetime]
    moved: Sequence[tuple[Part, datetime]]
    open: Sequence[Part]


def split(
    begin: datetime, end: datetime, *, edges: Sequence[datetime] = (), closed_until: datetime
) -> Split | None:
    """How to count the messages from `begin` to before `end`, those on both sides of an edge apart.

    None: there is no closed hour in it.
    """
    since, until = _full_hour_at_or_after(begin), min(full_hour(end), closed_until)
    if since >= until:
        return None
    late, moved = [], []
    inside = [edge for edge in sorted(edges) if since < edge < until and edge != full_hour(edge)]
    for hour, within in groupby(inside, full_hour):
        cuts = list(within)
        before, behind = (hour, cuts[-1]), (cuts[0], hour + HOUR)
        if cuts[-1] - hour < hour + HOUR - cuts[0]:
            late.append(hour)
            moved.append((before, hour + HOUR - INSTANT))
        else:
            moved.append((behind, hour))
    open = [(begin, since), (until, end)]
    return Split(since, until, late, moved, [part for part in open if part[0] < part[1]])


def full_hour(at: datetime) -> datetime:
    """When the hour of an instant began, in UTC."""
    return at.replace(minute=0, second=0, microsecond=0)


def _full_hour_at_or_after(at: datetime) -> datetime:
    return at if at == full_hour(at) else full_hour(at) + HOUR


async def closed_until() -> datetime:
    """Before which all hours are closed. It only moves on: an older answer is as good, and only a
    little slower.
    """
    found: datetime | None = await db.fetchval("SELECT closed_until FROM closed_hours")
    return NEVER if found is None else found


OWNER = "SELECT DISTINCT organization_id, env, channel FROM message_counts"

# From the first message on. There is an index of each owner's messages in their order, and none of
# all.
BEGIN = f"""
INSERT INTO closed_hours (id, closed_until)
SELECT {THE_ROW}, date_trunc('hour', least(min(first), clock_timestamp()), 'UTC')
FROM ({OWNER}) AS o CROSS JOIN LATERAL (
    SELECT min(m.created_at) AS first FROM messages m
    WHERE m.organization_id = o.organization_id AND m.env = o.env AND m.channel = o.channel) AS of_owner
WHERE NOT EXISTS (SELECT FROM closed_hours)
HAVING NOT EXISTS (SELECT FROM closed_hours)
ON CONFLICT DO NOTHING
"""


def count_between(
    where: Where,
    closed: Where,
    channels: Iterable[str],
    since: datetime | None,
    until: datetime | None,
) -> str:
    """The SQL of how many messages a period holds, of which `until` is the first instant that does
    not belong to it.

    `where` finds the messages, `closed` the same of hours: it knows their dimensions alone, and no
    time. The values of both are those of the statement. Counted from hours is only what is there:
    from the oldest message on.
    """
    first, last = (f"${len(where.values) + place}" for place in (1, 2))
    where.values += [since, until]
    oldest = " UNION ALL ".join(
        "(SELECT created_at FROM messages WHERE organization_id = $1 AND env = $2 "
        f"AND channel = '{channel}' ORDER BY created_at LIMIT 1)"
        for channel in channels
    )
    return f"""(
        WITH period AS MATERIALIZED (
            SELECT greatest({first}::timestamptz, (SELECT min(created_at) FROM ({oldest}) AS o)) AS since,
                   coalesce({last}::timestamptz, 'infinity') AS until,
                   (SELECT closed_until FROM closed_hours) AS closed
        ), hours AS MATERIALIZED (
            SELECT date_trunc('hour', since + interval '1 hour' - interval '1 microsecond', 'UTC') AS since,
                   least(date_trunc('hour', until, 'UTC'), coalesce(closed, '-infinity')) AS until
            FROM period
        )
        SELECT (SELECT coalesce(sum(messages), 0) FROM message_hours
                WHERE {closed} AND hour >= (SELECT since FROM hours) AND hour < (SELECT until FROM hours))
             + (SELECT count(*) FROM messages
                WHERE {where} AND created_at >= (SELECT since FROM period)
                  AND created_at < (SELECT least(h.since, p.until) FROM hours h, period p))
             + (SELECT count(*) FROM messages
                WHERE {where} AND created_at >= (SELECT greatest(h.since, h.until) FROM hours h)
                  AND created_at < (SELECT until FROM period)))::bigint"""


def where_there_are(channel: str, statuses: Iterable[str]) -> str:
    """The SQL of a condition that only keeps a search for messages of a channel in some statuses
    short.

    It searches for nothing where there are none, and not behind the hour of the first.
    """
    of = "organization_id = $1 AND env = $2 AND channel = '{}' AND status IN ({})".format(
        Channel(channel).value, ", ".join(f"'{Status(status).value}'" for status in statuses)
    )
    return (
        f"(SELECT coalesce(sum(delta), 0) FROM message_counts WHERE {of}) > 0 AND created_at >= coalesce(least("
        f"(SELECT min(hour) FROM message_hours WHERE {of}), "
        "(SELECT coalesce(min(closed_until), '-infinity') FROM closed_hours)), '-infinity')"
    )


STATE = """
SELECT closed_until, fence_until, date_trunc('hour', clock_timestamp() - $1::interval, 'UTC') AS due,
       fence_transaction <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS passed,
       -- of the server that this database was moved from
       fence_transaction > pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS unknown
FROM closed_hours FOR UPDATE SKIP LOCKED
"""

FENCE = """/* whole */
UPDATE closed_hours
SET fence_until = $1, fence_transaction = pg_current_xact_id()::text::bigint
"""

KEY = ", ".join(("organization_id", "env", "hour", *DIMENSIONS))

CLOSE = f"""
WITH owner AS MATERIALIZED (
    {OWNER}
), dropped AS (
    DELETE FROM message_hours WHERE late AND hour >= $1 AND hour < $2
)
INSERT INTO message_hours ({KEY}, messages, {", ".join(COUNTED)})
SELECT o.organization_id, o.env, counted.*
FROM owner o CROSS JOIN LATERAL (
    SELECT date_trunc('hour', m.created_at, 'UTC') AS hour, {", ".join(f"m.{name}" for name in DIMENSIONS)},
           count(*) AS messages, {COUNT}
    FROM messages m
    WHERE m.organization_id = o.organization_id AND m.env = o.env AND m.channel = o.channel
      AND m.created_at >= $1 AND m.created_at < $2
    GROUP BY 1, 2, 3, 4, 5, 6
) AS counted
"""

MERGE = f"""
WITH changed AS MATERIALIZED (
    SELECT DISTINCT organization_id, env, hour FROM (
        SELECT organization_id, env, hour FROM message_hours WHERE late AND hour < $1 LIMIT $2) AS deltas
), gone AS (
    DELETE FROM message_hours h USING changed c
    WHERE h.organization_id = c.organization_id AND h.env = c.env AND h.hour = c.hour
    RETURNING h.*
), merged AS (
    INSERT INTO message_hours ({KEY}, messages, {", ".join(COUNTED)})
    SELECT {KEY}, sum(messages), {ADD} FROM gone
    GROUP BY {KEY} HAVING {" OR ".join(f"sum({name}) <> 0" for name in ("messages", *COUNTED))}
)
SELECT count(*) FROM changed
"""
