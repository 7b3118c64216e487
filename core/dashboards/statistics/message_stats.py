"""How many messages were sent, arrived and came in over time, and what they cost."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.dashboards.messages import MESSAGE, readable_channels
from core.dashboards.reading import Arguments
from core.dashboards.statistics.counting import CHARGED, DELIVERED, FAILED, READ, RECEIVED, SENT
from core.dashboards.statistics.inputs import Axis, Group, MessageStatsQuery
from core.foundation import db
from core.foundation.caller import Caller
from core.foundation.clock import now, wire_time
from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.where import Where

MOST_POINTS = 10_000

FIGURES = ("sent", "delivered", "read", "failed", "received", "coins")
GROUPS = {
    Group.CHANNEL: ("channel", "m.channel"),
    Group.STATUS: ("status", "m.status"),
    Group.CAMPAIGN: ("campaignId", "m.campaign_id"),
    Group.NUMBER: ("numberId", "m.number_id"),
}

Key = tuple[str | None, ...]


async def message_stats(caller: Caller, query: MessageStatsQuery, filter: Arguments | None = None) -> dict[str, Any]:
    """`{totals, points}` of the messages that the caller may list by this filter: sent, delivered, read, failed,
    received, coins.

    A point for each bucket, also the empty ones, and within it for each combination of what is grouped by that the
    period has at all; what is not grouped by is absent. `coins` is what was charged for good, for replies too.
    Raises Forbidden and ValidationFailed.
    """
    groups = [GROUPS[group] for group in dict.fromkeys(query.group_by)]
    axis = query.axis(at=now())
    where = Where([caller.organization_id, caller.env, axis.starts], ["organization_id = $1 AND env = $2"])
    MESSAGE.add_filter(where, caller, filter or {})
    where.narrow("channel = ANY ({}::text[])", readable_channels(caller))
    where.narrow("created_at >= {} AND created_at < {}", axis.since, axis.until)
    rows = await db.fetch(_sql(where, groups), *where.values)
    return {
        "totals": {figure: sum(row[figure] for row in rows) for figure in FIGURES},
        "points": _points(rows, axis, [name for name, _ in groups]),
    }


def _sql(where: Where, groups: Sequence[tuple[str, str]]) -> str:
    return COUNT.format(
        groups="".join(f', {column} AS "{name}"' for name, column in groups),
        where=where,
        places=", ".join(str(1 + place) for place in range(1 + len(groups))),
    )


def _points(rows: Sequence[db.Row], axis: Axis, names: Sequence[str]) -> list[dict[str, Any]]:
    """Every bucket of every group. Without any message: of one group, whose names are null."""
    found = {(row["bucket"], _key(row, names)): row for row in rows}
    keys: list[Key] = sorted({key for _, key in found}, key=_nulls_first) or [(None,) * len(names)]
    if len(axis.starts) * len(keys) > MOST_POINTS:
        message = f"More than {MOST_POINTS:,} points: send fewer groups, larger buckets or a shorter period"
        raise ValidationFailed(errors=[FieldError("pointer", "/groupBy", "too_many", message)])
    return [
        {"at": at, **dict(zip(names, key, strict=True)), **_figures(found.get((bucket, key)))}
        for bucket, at in enumerate(map(wire_time, axis.starts), 1)
        for key in keys
    ]


def _key(row: db.Row, names: Sequence[str]) -> Key:
    return tuple(row[name] for name in names)


def _nulls_first(key: Key) -> tuple[str, ...]:
    return tuple(part or "" for part in key)


def _figures(row: db.Row | None) -> Mapping[str, int]:
    return NOTHING if row is None else {figure: row[figure] for figure in FIGURES}


NOTHING = dict.fromkeys(FIGURES, 0)

COUNT = f"""
SELECT width_bucket(m.created_at, $3::timestamptz[]) AS bucket{{groups}},
       count(*) FILTER (WHERE {SENT}) AS sent,
       count(*) FILTER (WHERE {DELIVERED}) AS delivered,
       count(*) FILTER (WHERE {READ}) AS read,
       count(*) FILTER (WHERE {FAILED}) AS failed,
       count(*) FILTER (WHERE {RECEIVED}) AS received,
       coalesce(sum({CHARGED}), 0)::bigint AS coins
FROM messages m
WHERE {{where}}
GROUP BY {{places}}
LIMIT {MOST_POINTS + 1}
"""
