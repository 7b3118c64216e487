"""Carrying events to subscriptions: claim due deliveries, post them, write down how it went.

No transaction is open while posting. A claim is a lease: whoever dies with it leaves the delivery due again.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

import aiohttp

from core.foundation import db
from core.foundation.outbound import Reply, post
from core.webhooks.models import DeliveryStatus
from core.webhooks.park import park
from core.webhooks.payload import body_of
from core.webhooks.request import headers_of
from core.webhooks.retry_plan import next_due, spent
from core.webhooks.secret_box import open_headers, open_secret

LEASE = timedelta(seconds=60)
"""Longer than the 15 seconds that one attempt may take, so that nobody else claims it meanwhile."""


@dataclass(frozen=True, slots=True)
class DueDelivery:
    """All that one attempt needs, read with the claim."""

    id: str
    subscription_id: str
    organization_id: str
    env: str
    attempts: int
    url: str
    secret_cipher: str
    headers: list[dict[str, str]]
    pii_full: bool
    api_version: str
    max_attempts: int
    backoff_seconds: int
    event_id: str
    type: str
    data: dict[str, Any]
    occurred_at: datetime
    previous_secret_cipher: str | None = None
    """Signs too while a rotation overlaps."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one attempt went and what follows from it. `attempts`: those made before this one."""

    delivery_id: str
    subscription_id: str
    attempts: int
    ok: bool
    status: DeliveryStatus
    due_at: datetime | None
    status_code: int | None
    latency_ms: int
    error: str | None
    at: datetime


async def claim_due(
    *, at: datetime, limit: int, share: int | None = None, room: Mapping[str, int] | None = None
) -> list[DueDelivery]:
    """Lease the oldest due deliveries; several workers never get the same one.

    At most `share` of one subscription, or what `room` says for it: whoever has much in its queue, or hangs, leaves
    places to the others.
    """
    wanted: list[DueDelivery] = []
    silent: list[DueDelivery] = []
    rooms = room or {}
    full = [subscription for subscription, left in rooms.items() if left <= 0]
    for listens, *values in await db.fetch(
        CLAIM, at, limit, at + LEASE, full, share or limit, list(rooms), list(rooms.values())
    ):
        due = DueDelivery(*values)
        (wanted if listens else silent).append(due)
    if silent:
        await park([due.id for due in silent])
    return wanted


async def attempt(http: aiohttp.ClientSession, due: DueDelivery, *, at: datetime) -> Outcome:
    """Post one delivery once, signed now. Never raises for what the receiver does."""
    number = due.attempts + 1
    body = body_of(
        event_id=due.event_id,
        type=due.type,
        occurred_at=due.occurred_at,
        env=due.env,
        organization_id=due.organization_id,
        api_version=due.api_version,
        data=due.data,
        unmasked=due.pii_full,
    )
    ciphers = (due.secret_cipher, due.previous_secret_cipher)
    headers = headers_of(
        secrets=[_secret(due.subscription_id, cipher) for cipher in ciphers if cipher is not None],
        custom=open_headers(due.subscription_id, due.headers) if due.headers else {},
        subscription_id=due.subscription_id,
        delivery_id=due.id,
        event_id=due.event_id,
        type=due.type,
        attempt=number,
        body=body,
        at=int(at.timestamp()),
    )
    reply = await post(http, due.url, body=body, headers=headers)
    return outcome_of(due, reply, at=at)


def outcome_of(due: DueDelivery, reply: Reply, *, at: datetime) -> Outcome:
    """What an attempt's reply means for the delivery: done, tried again later, or dead."""
    number = due.attempts + 1
    due_at = None
    if reply.ok:
        status = DeliveryStatus.DELIVERED
    elif spent(number, due.max_attempts):
        status = DeliveryStatus.DEAD
    else:
        status = DeliveryStatus.RETRYING
        due_at = next_due(
            at,
            n_failed=number,
            backoff_seconds=due.backoff_seconds,
            jitter=random.uniform(-1, 1),  # noqa: S311 - it spreads load, it guards nothing
            status=reply.status,
            retry_after=reply.retry_after,
        )
    return Outcome(
        due.id,
        due.subscription_id,
        due.attempts,
        reply.ok,
        status,
        due_at,
        reply.status,
        reply.latency_ms,
        reply.error,
        at,
    )


async def record(outcomes: Sequence[Outcome]) -> None:
    """Write outcomes down: the deliveries and the standing of their subscriptions, in one statement.

    Only a delivery that is still due and at the attempt the outcome speaks of counts, so writing the same outcome
    twice changes nothing.
    """
    if not outcomes:
        return
    await db.execute(
        RECORD,
        [outcome.delivery_id for outcome in outcomes],
        [outcome.ok for outcome in outcomes],
        [outcome.status.value for outcome in outcomes],
        [outcome.due_at for outcome in outcomes],
        [outcome.status_code for outcome in outcomes],
        [outcome.latency_ms for outcome in outcomes],
        [outcome.error for outcome in outcomes],
        [outcome.at for outcome in outcomes],
        [outcome.attempts for outcome in outcomes],
    )


@lru_cache(maxsize=4096)
def _secret(subscription_id: str, cipher: str) -> str:
    return open_secret(subscription_id, cipher)


CLAIM = """
WITH oldest AS MATERIALIZED (
    SELECT id, subscription_id, due_at FROM webhook_deliveries
    WHERE due_at <= $1 AND subscription_id <> ALL ($4::text[])
    ORDER BY due_at LIMIT $2 * 4
), fair AS (
    SELECT o.id, row_number() OVER (PARTITION BY o.subscription_id ORDER BY o.due_at) <= coalesce(r.room, $5) AS goes
    FROM oldest o LEFT JOIN unnest($6::text[], $7::int[]) AS r (subscription_id, room) USING (subscription_id)
), due AS (
    SELECT d.id, EXISTS (SELECT FROM webhook_subscriptions s WHERE s.id = d.subscription_id) AS wanted
    FROM webhook_deliveries d JOIN fair ON fair.id = d.id AND fair.goes
    WHERE d.due_at <= $1
    ORDER BY d.due_at LIMIT $2
    FOR UPDATE OF d SKIP LOCKED
), unwanted AS (
    -- Queued while its subscription was being removed.
    DELETE FROM webhook_deliveries d USING due WHERE d.id = due.id AND NOT due.wanted
), leased AS (
    UPDATE webhook_deliveries d SET due_at = $3 FROM due WHERE d.id = due.id AND due.wanted RETURNING d.*
)
SELECT s.status IN ('active', 'failing'), d.id, d.subscription_id, d.organization_id, d.env, d.attempts,
       s.url, s.secret_cipher, s.headers, s.pii_full, s.api_version, s.max_attempts, s.backoff_seconds,
       e.id, e.type, e.data, e.occurred_at,
       CASE WHEN s.previous_secret_until > $1 THEN s.previous_secret_cipher END
FROM leased d
JOIN webhook_subscriptions s ON s.id = d.subscription_id
JOIN webhook_events e ON e.id = d.event_id
"""

RECORD = """
WITH outcome AS (
    SELECT * FROM unnest($1::text[], $2::bool[], $3::text[], $4::timestamptz[], $5::int[], $6::int[], $7::text[],
                         $8::timestamptz[], $9::int[])
        AS o (id, ok, status, due_at, status_code, latency_ms, error, at, attempts)
), moved AS (
    UPDATE webhook_deliveries d
    SET status = o.status, attempts = d.attempts + 1, due_at = o.due_at, last_status_code = o.status_code,
        last_latency_ms = o.latency_ms, last_error = o.error,
        finished_at = CASE WHEN o.due_at IS NULL THEN o.at END
    FROM outcome o
    WHERE d.id = o.id AND d.due_at IS NOT NULL AND d.attempts = o.attempts
    RETURNING d.subscription_id, o.ok, o.at
), standing AS (
    SELECT subscription_id, max(success) AS success, max(at) FILTER (WHERE NOT ok) AS failure,
           count(*) FILTER (WHERE NOT ok AND (success IS NULL OR at > success)) AS failures
    FROM (SELECT *, max(at) FILTER (WHERE ok) OVER (PARTITION BY subscription_id) AS success FROM moved) AS m
    GROUP BY subscription_id
)
UPDATE webhook_subscriptions s
SET consecutive_failures = t.failures + CASE WHEN t.success IS NULL THEN s.consecutive_failures ELSE 0 END,
    last_success_at = greatest(t.success, s.last_success_at),
    last_failure_at = greatest(t.failure, s.last_failure_at)
FROM (SELECT standing.* FROM standing JOIN webhook_subscriptions w ON w.id = standing.subscription_id
      ORDER BY w.id FOR UPDATE OF w) AS t
WHERE s.id = t.subscription_id
"""
