"""What a number sent lately, in all and by hours or days."""

from datetime import datetime, timedelta

from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.database.rows import pairs_of
from core.foundation.security.caller import Caller, Scope
from core.numbers.inputs import UsageQuery, UsageSeriesQuery
from core.numbers.models import UsageBucket, UsageWindow
from core.numbers.queries import the_number
from core.numbers.record import NumberUsage, NumberUsageSeries

WINDOWS = {
    UsageWindow.DAY: timedelta(hours=24),
    UsageWindow.WEEK: timedelta(days=7),
    UsageWindow.MONTH: timedelta(days=30),
}
BUCKETS = {UsageBucket.HOUR: timedelta(hours=1), UsageBucket.DAY: timedelta(days=1)}


async def get_usage(caller: Caller, id: str, query: UsageQuery) -> NumberUsage:
    """What was handed over in the window. Raises NotFound.

    `marketingSent` is null where a template that was sent is no longer known.
    """
    caller.require(Scope.NUMBERS_READ)
    await the_number(caller, id)
    until = now()
    since = until - WINDOWS[query.window]
    row = await db.fetchrow(USAGE, caller.organization_id, caller.env, id, since, until)
    assert row is not None
    return {
        "window": query.window,
        "sent": row["sent"],
        "marketingSent": None if row["unknown"] else row["marketing"],
        "since": wire_time(since),
        "until": wire_time(until),
    }


async def get_usage_series(caller: Caller, id: str, query: UsageSeriesQuery) -> NumberUsageSeries:
    """A point for every bucket that the window touches, in whole buckets.

    Hence `since` is the start of the first of them, in UTC. Raises NotFound.
    """
    caller.require(Scope.NUMBERS_READ)
    await the_number(caller, id)
    until = now()
    since = _start_of(until - WINDOWS[query.window], query.bucket)
    rows = await db.fetch(
        SERIES, caller.organization_id, caller.env, id, since, until, query.bucket
    )
    sent = pairs_of(rows, "at", "sent")
    step = BUCKETS[query.bucket]
    starts = [since + step * place for place in range((until - since) // step + 1)]
    return {
        "window": query.window,
        "bucket": query.bucket,
        "since": wire_time(since),
        "until": wire_time(until),
        "points": [{"at": wire_time(start), "sent": sent.get(start, 0)} for start in starts],
    }


def _start_of(at: datetime, bucket: UsageBucket) -> datetime:
    start = at.replace(minute=0, second=0, microsecond=0)
    return start.replace(hour=0) if bucket is UsageBucket.DAY else start


SENT = """
FROM messages m
WHERE m.organization_id = $1 AND m.env = $2 AND m.number_id = $3 AND m.direction = 'outbound'
  AND m.sent_at >= $4 AND m.sent_at < $5
"""

USAGE = f"""
SELECT count(*) AS sent,
       count(*) FILTER (WHERE t.category = 'marketing') AS marketing,
       count(*) FILTER (WHERE s.template_id IS NOT NULL AND t.id IS NULL) > 0 AS unknown
FROM (SELECT m.template_id {SENT}) AS s
LEFT JOIN templates t ON t.organization_id = $1 AND t.env = $2 AND t.id = s.template_id
"""

SERIES = f"SELECT date_trunc($6::text, m.sent_at, 'UTC') AS at, count(*) AS sent {SENT} GROUP BY 1"
