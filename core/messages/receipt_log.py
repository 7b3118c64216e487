"""Keeping what providers report: every receipt as it came, and those whose message is not known
yet.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from core.foundation.database import db

TRY_AGAIN = timedelta(seconds=30)
GIVE_UP = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class LoggedReceipt:
    """A receipt for a known message, and whether it moved it."""

    organization_id: str
    env: str
    message_id: str
    status: str | None
    reason: str | None
    body: Mapping[str, Any]
    applied: bool


@dataclass(frozen=True, slots=True)
class Parked:
    """A report without its message, to be tried again."""

    id: int
    organization_id: str
    env: str
    provider: str
    kind: str
    body: dict[str, Any]
    received_at: datetime


async def log_receipts(receipts: Sequence[LoggedReceipt], *, at: datetime) -> None:
    """Write receipts down, those too that changed nothing."""
    if receipts:
        await db.execute(
            """
            INSERT INTO message_receipts
                (organization_id, env, message_id, status, reason, body, applied, received_at)
            SELECT r.*, $8 FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::jsonb[],
                                       $7::bool[]) AS r
            """,
            [receipt.organization_id for receipt in receipts],
            [receipt.env for receipt in receipts],
            [receipt.message_id for receipt in receipts],
            [receipt.status for receipt in receipts],
            [receipt.reason for receipt in receipts],
            [receipt.body for receipt in receipts],
            [receipt.applied for receipt in receipts],
            at,
        )


async def park(
    organization_id: str,
    env: str,
    provider: str,
    kind: str,
    bodies: Sequence[Mapping[str, Any]],
    *,
    at: datetime,
) -> None:
    """Keep reports whose message is unknown; they are tried again for 24 hours."""
    if bodies:
        await db.execute(
            "INSERT INTO parked_receipts (organization_id, env, provider, kind, body, received_at, due_at) "
            "SELECT $1, $2, $3, $4, b, $6, $7 FROM unnest($5::jsonb[]) AS b",
            organization_id,
            env,
            provider,
            kind,
            list(bodies),
            at,
            at + TRY_AGAIN,
        )


async def take_parked(*, at: datetime, limit: int, kinds: Sequence[str]) -> list[Parked]:
    """Take due parked reports of these kinds out of the table; park again what is still unknown and
    not too old.

    They are gone only when the transaction that tries them commits.
    """
    rows = await db.fetch(
        """
        DELETE FROM parked_receipts WHERE id = ANY (ARRAY(
            SELECT id FROM parked_receipts WHERE due_at <= $1 AND kind = ANY ($3)
            ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED))
        RETURNING id, organization_id, env, provider, kind, body, received_at
        """,
        at,
        limit,
        list(kinds),
    )
    return sorted((Parked(*row.values()) for row in rows), key=lambda parked: parked.id)


async def park_again(parked: Sequence[Parked], *, at: datetime, seldom: bool = False) -> None:
    """Put back what is still without its message, unless its 24 hours are over. `seldom`: the
    older, the longer it waits, for reports that mostly are about other people's messages.
    """
    young = [one for one in parked if at - one.received_at < GIVE_UP]
    if young:
        await db.execute(
            """
            INSERT INTO parked_receipts (organization_id, env, provider, kind, body, received_at, due_at)
            SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::jsonb[], $6::timestamptz[],
                                 $7::timestamptz[])
            """,
            [one.organization_id for one in young],
            [one.env for one in young],
            [one.provider for one in young],
            [one.kind for one in young],
            [one.body for one in young],
            [one.received_at for one in young],
            [_due_again(one, at=at, seldom=seldom) for one in young],
        )


def _due_again(parked: Parked, *, at: datetime, seldom: bool) -> datetime:
    if not seldom:
        return at + TRY_AGAIN
    return min(at + TRY_AGAIN + (at - parked.received_at), parked.received_at + GIVE_UP)
