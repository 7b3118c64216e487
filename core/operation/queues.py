"""Everything that waits to be done later, as data: one line for each table with due rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.foundation import db

MOST_COUNTED = 100_000
"""A longer queue is shown as this long: counting all of it would cost what the workers need."""


@dataclass(frozen=True, slots=True)
class Queue:
    """Rows of `table` are due when the time in `due` has come; an index begins with that column."""

    name: str
    table: str
    due: str = "due_at"


QUEUES = (
    Queue("webhook_deliveries", "webhook_deliveries"),
    Queue("sandbox_reports", "sandbox_reports"),
    Queue("messages_to_settle", "messages", due="settle_at"),
    Queue("parked_receipts", "parked_receipts"),
    Queue("platform_notices", "platform_notices"),
    Queue("waiting_messages", "waiting_messages"),
    Queue("templates", "templates"),
    Queue("push_dispatches", "push_dispatches"),
    Queue("unheld_files", "unheld_blobs"),
)


@dataclass(frozen=True, slots=True)
class Backlog:
    """How many rows of a queue are due, and for how many seconds the oldest of them has been."""

    queue: str
    due: int
    oldest_seconds: float


async def measure_queues(queues: Sequence[Queue] = QUEUES, *, at: datetime) -> list[Backlog]:
    """All queues in one round trip."""
    rows = await db.fetch(" UNION ALL ".join(map(_measure, queues)), at)
    return [Backlog(row["queue"], row["due"], max(0.0, row["oldest"])) for row in rows]


def _measure(queue: Queue) -> str:
    due = f"FROM {queue.table} WHERE {queue.due} <= $1"
    return (
        f"SELECT '{queue.name}' AS queue, (SELECT count(*) FROM (SELECT {due} LIMIT {MOST_COUNTED}) AS d) AS due, "
        f"coalesce(extract(epoch FROM $1 - (SELECT min({queue.due}) {due})), 0)::float8 AS oldest"
    )
