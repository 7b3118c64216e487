"""How many contacts came, and how many said yes or no to messages, over time."""

from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.database.rows import by_column
from core.foundation.security.caller import Caller, Scope
from core.read_models.statistics.inputs import ContactStatsQuery

FIGURES = {"created": "created", "optIns": "opt_ins", "optOuts": "opt_outs"}


async def contact_stats(caller: Caller, query: ContactStatsQuery) -> dict[str, object]:
    """`{totals, points}`, a point for each bucket: created, total, optIns, optOuts.

    `created` and `total` are of the contacts that exist today: `total` of those that did by the end
    of the bucket. Opt-ins and opt-outs are moves of consent when they were recorded, on one channel
    or all; one person may make several, and an erased one's stay counted. Raises Forbidden and
    ValidationFailed.
    """
    caller.require(Scope.CONTACTS_READ)
    axis = query.axis(at=now())
    rows = await db.fetch(
        COUNT, caller.organization_id, caller.env, axis.since, axis.until, axis.starts
    )
    found = by_column(rows, "bucket")
    total = found[0]["created"]
    points = []
    for bucket, start in enumerate(axis.starts, 1):
        row = found.get(bucket)
        figures = {name: row[column] if row else 0 for name, column in FIGURES.items()}
        total += figures["created"]
        points.append({"at": wire_time(start), **figures, "total": total})
    totals = {name: sum(point[name] for point in points) for name in FIGURES}
    return {"totals": {**totals, "total": total}, "points": points}


# A denial that a new contact inherited was told before (contact.opted_out is not published for it
# either): it is older than its entry although nobody informed its date.
COUNT = """
SELECT 0 AS bucket, count(*) AS created, 0 AS opt_ins, 0 AS opt_outs
FROM contacts WHERE organization_id = $1 AND env = $2 AND created_at < $3
UNION ALL
SELECT bucket, sum(created)::bigint, sum(opt_ins)::bigint, sum(opt_outs)::bigint
FROM (
    SELECT width_bucket(created_at, $5::timestamptz[]) AS bucket, count(*) AS created, 0 AS opt_ins, 0 AS opt_outs
    FROM contacts
    WHERE organization_id = $1 AND env = $2 AND created_at >= $3 AND created_at < $4
    GROUP BY 1
    UNION ALL
    SELECT width_bucket(created_at, $5::timestamptz[]), 0,
           count(*) FILTER (WHERE status = 'granted'), count(*) FILTER (WHERE status = 'denied')
    FROM contact_consents
    WHERE organization_id = $1 AND env = $2 AND created_at >= $3 AND created_at < $4
      AND (date_informed OR at >= created_at)
    GROUP BY 1
) AS counted
GROUP BY bucket
"""
