"""Applying status updates to messages, many at once: a status never goes back."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from core.foundation.database import db
from core.foundation.database.transactions import after_commit
from core.foundation.observability.metrics import Counter as Metric
from core.foundation.observability.metrics import Histogram
from core.messaging.announce import announce_messages
from core.messaging.moves import MOVES, REVIVABLE
from core.messaging.stored_message import StoredMessage, fetch_messages
from core.providers.sandbox import ScheduledReport

MOVED = Metric(
    "svc_receipts_total",
    "Reports that moved a message, by its new status.",
    ("channel", "env", "status"),
)
LATENCY = Histogram(
    "svc_message_delivery_latency_seconds",
    "From the provider's acceptance of a message to its delivery, by the provider's word.",
    ("channel", "env"),
    bounds=(1, 2.5, 5, 10, 30, 60, 300, 1800, 21600, 86400),
)


@dataclass(frozen=True, slots=True)
class StatusUpdate:
    """The new status of one message, and the moment that its provider gives for it. `error` and
    `code`: why it failed, in the provider's words; what arrived after all has none any more.
    """

    message_id: str
    organization_id: str
    env: str
    status: str
    reason: str | None
    at: datetime
    provider_receipt: Mapping[str, Any] | None = None
    error: str | None = None
    code: str | None = None

    @classmethod
    def told(
        cls, report: ScheduledReport, at: datetime, receipt: Mapping[str, Any] | None = None
    ) -> Self:
        """What the sandbox tells of a message. `receipt`: what the message keeps of it."""
        return cls(
            report.message_id,
            report.organization_id,
            report.env,
            report.status,
            report.reason,
            at,
            receipt,
        )


def count_moved(channel: str, env: str, status: str, times: int = 1) -> None:
    """So many messages, or devices of a push, came to this status by what their provider said."""
    MOVED.labels(channel, env, status).add(times)


async def apply_status_updates(
    updates: Sequence[StatusUpdate], *, at: datetime
) -> list[StoredMessage]:
    """Move the messages whose updates raise their rank, and answer these rows as each move left
    them.

    Several updates for one message in a batch are applied one after the other, in their order.
    Runs inside the caller's transaction, beside the events that the moves cause.
    """
    moved = [row for batch in _batches(updates) for row in await _apply(batch, at=at)]

    async def count() -> None:
        for row in moved:
            count_moved(row["channel"], row["env"], row["status"])
            sent_at, delivered_at = row["sent_at"], row["delivered_at"]
            if row["status"] == "delivered" and sent_at is not None and delivered_at is not None:
                # The provider's clock may be behind ours.
                seconds = max(0.0, (delivered_at - sent_at).total_seconds())
                LATENCY.labels(row["channel"], row["env"]).observe(seconds)

    await after_commit(count)
    await announce_messages(moved)
    return moved


def _batches(updates: Sequence[StatusUpdate]) -> list[list[StatusUpdate]]:
    """The updates in batches that hold no message twice; nearly always one batch."""
    batches: list[list[StatusUpdate]] = []
    seen: Counter[str] = Counter()
    for update in updates:
        place = seen[update.message_id]
        seen[update.message_id] += 1
        if place == len(batches):
            batches.append([])
        batches[place].append(update)
    return batches


async def _apply(updates: Sequence[StatusUpdate], *, at: datetime) -> list[StoredMessage]:
    told = [
        (
            update.message_id,
            update.organization_id,
            update.env,
            update.status,
            update.reason,
            update.at,
            update.provider_receipt,
            update.error and update.error[:200],
            update.code and update.code[:20],
        )
        for update in updates
    ]
    moves = db.columns(MOVES, 2)
    return await fetch_messages(APPLY, *db.columns(told, 9), *moves, list(REVIVABLE), at)


APPLY = """
WITH updates AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[],
                         $7::jsonb[], $8::text[], $9::text[])
        AS r (id, organization_id, env, status, reason, at, provider_receipt, error, code)
), locked AS (
    SELECT m.id, m.status, m.reason FROM messages m WHERE m.id = ANY ($1) ORDER BY m.id FOR UPDATE
), move AS (
    SELECT * FROM unnest($10::text[], $11::text[]) AS v (old, new)
)
UPDATE messages m
SET status = r.status,
    reason = r.reason,
    provider_receipt = coalesce(r.provider_receipt, m.provider_receipt),
    last_error = r.error, original_error = coalesce(m.original_error, r.error), upstream_code = r.code,
    -- Whoever reads has received; a report of it may be lost, or come later.
    delivered_at = CASE WHEN r.status = 'delivered' THEN r.at
                        WHEN r.status = 'read' THEN coalesce(m.delivered_at, r.at) ELSE m.delivered_at END,
    read_at = CASE WHEN r.status = 'read' THEN r.at ELSE m.read_at END,
    failed_at = CASE WHEN r.status IN ('failed', 'undelivered', 'bounced') THEN r.at
                     WHEN r.status IN ('delivered', 'read') THEN NULL ELSE m.failed_at END,
    updated_at = $13
FROM updates r
JOIN locked l ON l.id = r.id
WHERE m.id = r.id AND m.organization_id = r.organization_id AND m.env = r.env
  AND (EXISTS (SELECT FROM move v WHERE v.old = l.status AND v.new = r.status)
       OR (l.status = 'failed' AND l.reason = ANY ($12) AND r.status IN ('delivered', 'read')))
RETURNING m.*
"""


async def correct_times(told: Sequence[tuple[str, str, datetime]]) -> None:
    """Earlier times of steps that messages have taken already: message, status, and when it was."""
    await db.execute_for(told, CORRECT, *db.columns(told, 3))


CORRECT = """
WITH told AS (
    SELECT id, min(at) FILTER (WHERE status = 'delivered') AS delivered_at,
           min(at) FILTER (WHERE status = 'read') AS read_at, min(at) AS arrived_at
    FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS t (id, status, at) GROUP BY id
)
UPDATE messages m
SET delivered_at = CASE WHEN t.arrived_at < m.delivered_at THEN t.arrived_at ELSE m.delivered_at END,
    read_at = CASE WHEN t.read_at < m.read_at THEN t.read_at ELSE m.read_at END
FROM told t
WHERE m.id = t.id AND m.status IN ('delivered', 'read')
  AND (t.arrived_at < m.delivered_at OR t.read_at < m.read_at)
"""
