"""How many sends were refused over time, and by which rule."""

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.read_models.decisions import readable_channels
from core.read_models.statistics.inputs import DecisionGroup, DecisionStatsQuery
from core.read_models.statistics.points import MAX_POINTS, FiguresOverTime, points_of

FIGURES = ("recusadas",)
GROUPS = {DecisionGroup.RULE: ("regra", "rule"), DecisionGroup.CHANNEL: ("canal", "channel")}


async def decision_stats(caller: Caller, query: DecisionStatsQuery) -> FiguresOverTime:
    """`{totals, points}` of refused sends on the channels that the caller may read, those included
    of which no trace is kept.

    A point for each bucket, and within it for each combination of what is grouped by that the
    period has at all; what is not grouped by is absent. A refusal counts at the beginning of its
    minute. Raises Forbidden and ValidationFailed.
    """
    channels = readable_channels(caller)
    groups = [GROUPS[group] for group in dict.fromkeys(query.group_by)]
    axis = query.axis(at=now())
    statement = COUNT.format(
        groups="".join(f", {column} AS {name}" for name, column in groups),
        places=", ".join(str(1 + place) for place in range(1 + len(groups))),
    )
    rows = await db.fetch(
        statement,
        caller.organization_id,
        caller.env,
        channels,
        axis.starts,
        axis.since,
        axis.until,
    )
    return {
        "totals": {"recusadas": sum(row["recusadas"] for row in rows)},
        "points": points_of(rows, axis, [name for name, _ in groups], FIGURES),
    }


COUNT = f"""
SELECT width_bucket(minute, $4::timestamptz[]) AS bucket{{groups}}, sum(refusals)::bigint AS recusadas
FROM refusal_counts
WHERE organization_id = $1 AND env = $2 AND channel = ANY ($3::text[]) AND minute >= $5 AND minute < $6
GROUP BY {{places}}
LIMIT {MAX_POINTS + 1}
"""
