"""Unmatched delivery reports: those that overtook their message, retried for 24 hours."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.foundation.database import db
from core.foundation.moved_clocks import unless_moved
from core.messaging.timeouts import UNMATCHED_RETRY_INTERVAL, UNMATCHED_TTL


@dataclass(frozen=True, slots=True)
class UnmatchedReport:
    """A delivery report, or a reply, whose message is not known yet: to be tried again."""

    id: int
    organization_id: str
    env: str
    provider: str
    kind: str
    body: dict[str, Any]
    received_at: datetime


async def keep_unmatched(
    organization_id: str,
    env: str,
    provider: str,
    kind: str,
    bodies: Sequence[Mapping[str, object]],
    *,
    at: datetime,
) -> None:
    """Keep reports whose message is unknown; they are tried again for 24 hours."""
    await db.execute_for(
        bodies,
        "INSERT INTO parked_receipts (organization_id, env, provider, kind, body, "
        "received_at, due_at) "
        "SELECT $1, $2, $3, $4, b, $6, $7 FROM unnest($5::jsonb[]) AS b",
        organization_id,
        env,
        provider,
        kind,
        list(bodies),
        at,
        at + UNMATCHED_RETRY_INTERVAL,
    )


async def take_due_unmatched(
    *, at: datetime, limit: int, kinds: Sequence[str]
) -> list[UnmatchedReport]:
    """Take due reports of these kinds out of the table; `requeue_unmatched` puts back what is still
    unmatched and not too old.

    They are gone only when the transaction that tries them commits.
    """
    rows = await db.fetch(*unless_moved(TAKE_DUE, at, limit, list(kinds)))
    return sorted((UnmatchedReport(*row.values()) for row in rows), key=lambda report: report.id)


async def requeue_unmatched(
    reports: Sequence[UnmatchedReport], *, at: datetime, seldom: bool = False
) -> None:
    """Put back what is still unmatched, unless its 24 hours are over. `seldom`: the
    older, the longer it waits, for reports that mostly are about other people's messages.
    """
    young = [
        (
            one.organization_id,
            one.env,
            one.provider,
            one.kind,
            one.body,
            one.received_at,
            _next_attempt(one, at=at, seldom=seldom),
        )
        for one in reports
        if at - one.received_at < UNMATCHED_TTL
    ]
    await db.execute_for(
        young,
        """
        INSERT INTO parked_receipts (organization_id, env, provider, kind, body, received_at, due_at)
        SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::jsonb[], $6::timestamptz[],
                             $7::timestamptz[])
        """,
        *db.columns(young, 7),
    )


def _next_attempt(report: UnmatchedReport, *, at: datetime, seldom: bool) -> datetime:
    if not seldom:
        return at + UNMATCHED_RETRY_INTERVAL
    return min(
        at + UNMATCHED_RETRY_INTERVAL + (at - report.received_at),
        report.received_at + UNMATCHED_TTL,
    )


TAKE_DUE = """
DELETE FROM parked_receipts WHERE id = ANY (ARRAY(
    SELECT id FROM parked_receipts WHERE due_at <= $1 AND kind = ANY ($3) /* unless moved */
    ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED))
RETURNING id, organization_id, env, provider, kind, body, received_at
"""
