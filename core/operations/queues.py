"""Everything that waits to be done later, as data: one line for each table with due rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.foundation.database import db
from core.foundation.database.rows import by_column
from core.journeys.runs.due import DUE_STEPS, STOOD_ON
from core.messaging import Channel

MAX_COUNTED = 100_000
"""A longer queue is shown as this long: counting all of it would cost what the workers need."""


@dataclass(frozen=True, slots=True)
class DueQueue:
    """Rows of `table` are due when the time in `due` has come; an index begins with that column.

    With `of`, it begins with that one and `due` comes second: a queue for each value of `of`, in
    one table. With `line`, every row is due at once, and the first by this column is the oldest.
    `served`: of the queues in one table (`h`), which are: what nobody can take now is not late.
    `owned`: its rows say whose they are. `measured_by`: a statement of its own, where none of these
    fits.
    """

    name: str
    table: str
    due: str = "due_at"
    of: str | None = None
    line: str | None = None
    served: str = "true"
    owned: bool = True
    measured_by: str | None = None


HAS_A_BIND = """EXISTS (
    SELECT FROM smpp_binds b WHERE b.account_id = h.account_id AND b.alive_until > $1 AND b.mode <> 'transmitter'
)"""
"""Receipts and replies wait up to three days for a client that is not there: that is no fault of
ours.
"""

GOES_ON = """NOT EXISTS (
    SELECT FROM webhook_subscriptions s JOIN organizations o ON o.id = s.organization_id
    WHERE s.id = h.subscription_id AND s.env = 'test' AND o.has_sandbox_clock
)"""
"""Nothing is late in a sandbox that has a clock of its own: it waits for whoever moves it."""

JOURNEY_RUNS = f"""
(WITH RECURSIVE {STOOD_ON}, late AS MATERIALIZED ({DUE_STEPS}
    AND NOT (j.env = 'test' AND EXISTS (
        SELECT FROM organizations o WHERE o.id = j.organization_id AND o.has_sandbox_clock))
)
SELECT '{{name}}' AS queue,
       (SELECT count(*) FROM (
            SELECT FROM late l CROSS JOIN LATERAL (
                SELECT FROM journey_runs r
                WHERE r.version_id = l.version_id AND r.step = l.step AND r.state = 1 AND r.due_at <= $1 LIMIT {{most}}
            ) AS d LIMIT {{most}}
       ) AS counted) AS due,
       coalesce(extract(epoch FROM $1 - (SELECT min(due_at) FROM late)), 0)::float8 AS oldest)
"""

SANDBOX_REPORTS = f"""
(WITH found AS MATERIALIZED (
    SELECT first.due_at FROM unnest(ARRAY{[channel.value for channel in Channel]}) AS c (channel) CROSS JOIN LATERAL (
        SELECT due_at FROM sandbox_reports r WHERE r.channel = c.channel AND due_at <= $1 AND {{counts}}
        ORDER BY due_at LIMIT {{most}}) AS first
)
SELECT '{{name}}' AS queue, (SELECT least(count(*), {{most}}) FROM found) AS due,
       coalesce(extract(epoch FROM $1 - (SELECT min(due_at) FROM found)), 0)::float8 AS oldest)
"""
"""Their index begins with the channel."""

QUEUES = (
    DueQueue("journey_runs", "journey_runs", measured_by=JOURNEY_RUNS),
    DueQueue("webhook_deliveries", "webhook_deliveries", of="subscription_id", served=GOES_ON),
    DueQueue("event_feed", "webhook_feed_queue", due="created_at", line="id"),
    DueQueue("sandbox_reports", "sandbox_reports", measured_by=SANDBOX_REPORTS),
    DueQueue("messages_to_settle", "messages", due="settle_at"),
    DueQueue("parked_receipts", "parked_receipts"),
    DueQueue("platform_notices", "platform_notices"),
    DueQueue("waiting_messages", "waiting_messages"),
    DueQueue("smpp_receipts", "smpp_receipts", of="account_id", served=HAS_A_BIND),
    DueQueue("smpp_replies", "smpp_replies", of="account_id", served=HAS_A_BIND),
    DueQueue("smpp_link_reports", "smpp_link_reports", owned=False),
    DueQueue("email_senders", "email_sender_verifications"),
    DueQueue("templates", "templates"),
    DueQueue("push_dispatches", "push_dispatches"),
    DueQueue("unheld_files", "unheld_blobs"),
)


@dataclass(frozen=True, slots=True)
class Backlog:
    """How many rows of a queue are due, and for how many seconds the oldest of them has been."""

    queue: str
    due: int
    oldest_seconds: float


async def measure_queues(queues: Sequence[DueQueue] = QUEUES, *, at: datetime) -> list[Backlog]:
    """All queues in one round trip, in the order in which they were asked for."""
    rows = await db.fetch(" UNION ALL ".join(map(_measure, queues)), at)
    found = by_column(rows, "queue")
    return [
        Backlog(queue.name, found[queue.name]["due"], max(0.0, found[queue.name]["oldest"]))
        for queue in queues
    ]


def _measure(queue: DueQueue) -> str:
    names = {
        "table": queue.table,
        "due": queue.due,
        "of": queue.of,
        "line": queue.line,
        "most": MAX_COUNTED,
        "served": queue.served,
        "counts": NOT_MOVED if queue.owned else "true",
    }
    statement = queue.measured_by or (
        FROM_ONE_TO_THE_NEXT if queue.of else IN_LINE if queue.line else AT_ONCE
    )
    return statement.format(name=queue.name, **names)


NOT_MOVED = """NOT (env = 'test' AND organization_id = ANY (ARRAY(
        SELECT o.id FROM organizations o WHERE o.has_sandbox_clock)))"""
"""Not of a sandbox that has a clock of its own."""

AT_ONCE = """
(WITH found AS MATERIALIZED (
    SELECT {due} FROM {table}
    WHERE {due} <= $1 AND {counts}
    ORDER BY {due} LIMIT {most}
)
SELECT '{name}' AS queue, (SELECT count(*) FROM found) AS due,
       coalesce(extract(epoch FROM $1 - (SELECT min({due}) FROM found)), 0)::float8 AS oldest)
"""

IN_LINE = """
(SELECT '{name}' AS queue,
        (SELECT count(*) FROM (SELECT FROM {table} ORDER BY {line} LIMIT {most}) AS d) AS due,
        coalesce(extract(epoch FROM $1 - (SELECT {due} FROM {table} ORDER BY {line} LIMIT 1)), 0)::float8 AS oldest)
"""

# The oldest of all could stand anywhere in such an index: the heads of its queues are looked at,
# one step for each.
FROM_ONE_TO_THE_NEXT = """
(WITH RECURSIVE heads AS (
    (SELECT {of}, {due} FROM {table} WHERE {due} IS NOT NULL ORDER BY {of}, {due} LIMIT 1)
    UNION ALL
    SELECT next.* FROM heads h CROSS JOIN LATERAL (
        SELECT t.{of}, t.{due} FROM {table} t
        WHERE t.{due} IS NOT NULL AND t.{of} > h.{of} ORDER BY t.{of}, t.{due} LIMIT 1
    ) AS next
), late AS MATERIALIZED (
    SELECT * FROM heads h WHERE {due} <= $1 AND {served}
)
SELECT '{name}' AS queue,
       (SELECT count(*) FROM (
            SELECT FROM late l CROSS JOIN LATERAL (
                SELECT FROM {table} t WHERE t.{of} = l.{of} AND t.{due} <= $1 ORDER BY t.{due} LIMIT {most}
            ) AS d LIMIT {most}
       ) AS counted) AS due,
       coalesce(extract(epoch FROM $1 - (SELECT min({due}) FROM late)), 0)::float8 AS oldest)
"""
