"""How many messages were sent, arrived and came in over time, and what they cost."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.where import Where, end_of
from core.foundation.security.caller import Caller
from core.messaging import hours
from core.messaging.figures import ADD, COUNT, COUNTED
from core.read_models.messages import MESSAGE, readable_channels
from core.read_models.query_compiler import Arguments
from core.read_models.statistics.inputs import Axis, Group, MessageStatsQuery
from core.read_models.statistics.points import MAX_POINTS, FiguresOverTime, points_of

FIGURES = tuple(COUNTED)
GROUPS = {
    Group.CHANNEL: ("channel", "m.channel"),
    Group.STATUS: ("status", "m.status"),
    Group.CAMPAIGN: ("campaignId", "m.campaign_id"),
    Group.NUMBER: ("numberId", "m.number_id"),
}
OF_HOURS = ("channel", "direction", "status", "campaignId", "numberId")
"""What hours are known apart by; other filters have few messages, and an index of their own."""


async def message_stats(
    caller: Caller, query: MessageStatsQuery, filter: Arguments | None = None
) -> FiguresOverTime:
    """`{totals, points}` of the messages that the caller may list by this filter: sent, delivered,
    read, failed, received, coins.

    A point for each bucket, also the empty ones, and within it for each combination of what is
    grouped by that the period has at all; what is not grouped by is absent. `coins` is what was
    charged for good, for replies too. Raises Forbidden and ValidationFailed.
    """
    groups = [GROUPS[group] for group in dict.fromkeys(query.group_by)]
    axis = query.axis(at=now())
    rows = await _count(caller, axis, groups, filter or {})
    return {
        "totals": {figure: sum(row[figure] for row in rows) for figure in FIGURES},
        "points": points_of(rows, axis, [name for name, _ in groups], FIGURES),
    }


async def _count(
    caller: Caller, axis: Axis, groups: Sequence[tuple[str, str]], filter: Arguments
) -> Sequence[db.Row]:
    where = Where(
        [caller.organization_id, caller.env, axis.starts], ["organization_id = $1 AND env = $2"]
    )
    asked = {name: value for name, value in filter.items() if value is not None}
    period = asked.pop("createdAt", None) or {}
    MESSAGE.add_filter(where, caller, asked)
    where.narrow("channel = ANY ({}::text[])", readable_channels(caller))
    since, until = _narrowed(axis, period)
    if since >= until:
        return []
    names = {
        "groups": "".join(f', {column} AS "{name}"' for name, column in groups),
        "again": "".join(f', m."{name}"' for name, _ in groups),
        "places": ", ".join(str(1 + place) for place in range(1 + len(groups))),
    }
    found = None
    if all(name in OF_HOURS for name in asked):
        found = hours.split(
            since, until, edges=axis.starts, closed_until=await hours.closed_until()
        )
    if found is None:
        where.narrow("created_at >= {} AND created_at < {}", since, until)
        return await db.fetch(OF_MESSAGES.format(where=where, **names), *where.values)
    closed = Where(where.values, list(where.conditions))
    closed.narrow("hour >= {} AND hour < {}", found.since, found.until)
    late = Where(where.values)
    late.narrow("m.hour = ANY ({}::timestamptz[])", found.late)
    parts = [*((part, None) for part in found.open), *found.moved]
    read = Where(where.values)
    read.narrow(
        "unnest({}::timestamptz[], {}::timestamptz[], {}::timestamptz[])",
        [first for (first, _), _ in parts],
        [last for (_, last), _ in parts],
        [counts_at for _, counts_at in parts],
    )
    return await db.fetch(
        OF_HOURS_TOO.format(where=where, closed=closed, late=late, parts=read, **names),
        *where.values,
    )


def _narrowed(axis: Axis, period: Mapping[str, datetime | None]) -> tuple[datetime, datetime]:
    """The part of the axis that the filter leaves, whose end does not belong to it."""
    since, until = period.get("from"), end_of(period.get("to"))
    return (
        axis.since if since is None else max(axis.since, since),
        axis.until if until is None else min(axis.until, until),
    )


OF_MESSAGES = f"""
SELECT width_bucket(m.created_at, $3::timestamptz[]) AS bucket{{groups}}, {COUNT}
FROM messages m
WHERE {{where}}
GROUP BY {{places}}
LIMIT {MAX_POINTS + 1}
"""

OF_HOURS_TOO = f"""
WITH read AS (
    SELECT width_bucket(m.created_at, $3::timestamptz[]) AS bucket{{groups}}, p.counts_at, count(*) AS messages, {COUNT}
    FROM {{parts}} AS p (since, until, counts_at)
    CROSS JOIN LATERAL (
        SELECT * FROM messages WHERE {{where}} AND created_at >= p.since AND created_at < p.until OFFSET 0) AS m
    GROUP BY {{places}}, p.counts_at
), counted AS (
    SELECT width_bucket(
               CASE WHEN {{late}} THEN m.hour + interval '1 hour' - interval '1 microsecond' ELSE m.hour END,
               $3::timestamptz[]) AS bucket{{groups}}, sum(messages) AS messages, {ADD}
    FROM message_hours m
    WHERE {{closed}}
    GROUP BY {{places}}
    UNION ALL
    SELECT bucket{{again}}, messages, {", ".join(COUNTED)} FROM read m
    UNION ALL
    -- What the hour counts elsewhere is taken from there.
    SELECT width_bucket(counts_at, $3::timestamptz[]){{again}}, -messages, {", ".join(f"-{name}" for name in COUNTED)}
    FROM read m WHERE counts_at IS NOT NULL
)
SELECT bucket{{again}}, {ADD}
FROM counted m
GROUP BY {{places}}
-- What has left a status since, or is gone, may have left a group empty.
HAVING sum(messages) > 0
LIMIT {MAX_POINTS + 1}
"""
