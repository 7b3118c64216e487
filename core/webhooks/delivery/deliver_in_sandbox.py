"""Delivering what is due in one sandbox at an instant of its clock, for whoever moves the clock.

The attempts are real ones: signed with the real time, at a real receiver, which is not called
oftener than any other while it never answered. What follows from them happens at the instant of the
clock.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime

import structlog

from core.foundation.clock import real_now
from core.foundation.database import db
from core.foundation.gathering import run_all
from core.foundation.http_client import GuardedClient
from core.webhooks.delivery.attempt import AttemptOutcome, attempt_delivery
from core.webhooks.delivery.claim import DueDelivery, claim_probes, fair_shares, lease
from core.webhooks.delivery.metrics import count_attempt
from core.webhooks.delivery.pause import pause_queues
from core.webhooks.delivery.save_outcomes import save_outcomes
from core.webhooks.delivery.unconfirmed import (
    WINDOW,
    UnconfirmedTarget,
    host_of,
    postpone,
    reserve,
)
from core.webhooks.models import SubscriptionStatus

log = structlog.get_logger()

BATCH_SIZE = 500
MAX_AT_ONCE = 64
"""Attempts of a sandbox that run at a time."""


async def deliver_in_sandbox(http: GuardedClient, organization_id: str, *, at: datetime) -> int:
    """Make a batch of the attempts that are due, or try those of failing subscriptions whose probe
    has come. Answers how many deliveries it took, put off or paused.
    """
    probes = await claim_probes(at=at, limit=MAX_AT_ONCE)
    rows = await db.fetch(DUE, organization_id, at, BATCH_SIZE)
    stopped = [row["id"] for row in rows if row["status"] != SubscriptionStatus.ACTIVE]
    if stopped:
        await pause_queues(stopped, at=at, limit=BATCH_SIZE)
    active = [row for row in rows if row["status"] == SubscriptionStatus.ACTIVE]
    allowed, waiting = await _allowed(active, at=at)
    claimed = await lease(allowed, at=at)
    outcomes = await _attempt_all(http, [*probes, *claimed], at=at)
    await save_outcomes(outcomes)
    return len(outcomes) + len(stopped) + waiting


async def _allowed(rows: Sequence[db.Row], *, at: datetime) -> tuple[dict[str, int], int]:
    """How many attempts each subscription has now, and how many have to wait for an hour: those of
    addresses that never answered, which are counted by the real time.
    """
    due = {row["id"]: row["due"] for row in rows}
    targets = [
        UnconfirmedTarget(row["id"], row["organization_id"], host_of(row["host"]), row["due"])
        for row in rows
        if not row["confirmed"]
    ]
    if targets:
        granted, _ = await reserve(targets, at=real_now())
        later = {one.id: at + WINDOW for one in targets if not granted.get(one.id)}
        if later:
            await postpone(later, at=at, limit=BATCH_SIZE)
        due |= {one.id: granted.get(one.id, 0) for one in targets}
        return fair_shares({id: n for id, n in due.items() if n}, BATCH_SIZE), len(later)
    return fair_shares(due, BATCH_SIZE), 0


async def _attempt_all(
    http: GuardedClient, due: Sequence[DueDelivery], *, at: datetime
) -> list[AttemptOutcome]:
    outcomes: list[AttemptOutcome] = []
    waiting = iter(due)

    async def line(waiting: Iterator[DueDelivery]) -> None:
        for one in waiting:
            try:
                outcome = await attempt_delivery(http, one, at=at)
            except Exception:  # a fault of ours: the lease runs out and it is tried again
                log.exception("delivery_failed", delivery=one.id)
            else:
                outcomes.append(outcome)
                count_attempt(one, outcome)

    await run_all(line(waiting) for _ in range(min(MAX_AT_ONCE, len(due))))
    return outcomes


DUE = """
SELECT s.id, s.status, s.organization_id, s.confirmed_at IS NOT NULL AS confirmed,
       substring(s.url FROM '//([^/?#]*)') AS host, d.due::int
FROM webhook_subscriptions s CROSS JOIN LATERAL (
    SELECT count(*) AS due FROM (
        SELECT FROM webhook_deliveries d WHERE d.subscription_id = s.id AND d.due_at <= $2 LIMIT $3
    ) AS d) AS d
WHERE s.organization_id = $1 AND s.env = 'test' AND d.due > 0
ORDER BY s.created_at, s.id
"""

NEXT_DELIVERY = """
SELECT min(first.due_at)
FROM webhook_subscriptions s CROSS JOIN LATERAL (
    SELECT d.due_at FROM webhook_deliveries d WHERE d.subscription_id = s.id AND d.due_at IS NOT NULL
    ORDER BY d.due_at LIMIT 1) AS first
WHERE s.organization_id = $1 AND s.env = 'test'
"""
"""When the next delivery of a sandbox is due."""

NEXT_PROBE = """
SELECT min(probe_at) FROM webhook_subscriptions
WHERE organization_id = $1 AND env = 'test' AND status = 'failing' AND probe_at IS NOT NULL
"""
"""When a failing subscription of a sandbox is tried next."""

NEXT_RESUMPTION = """
SELECT min(probe_at) FROM webhook_subscriptions
WHERE organization_id = $1 AND env = 'test' AND status = 'active' AND probe_at IS NOT NULL
"""
"""When what was paused for a subscription of a sandbox is resumed."""

NEXT_REVOCATION = """
SELECT min(failing_since) + interval '120 hours' FROM webhook_subscriptions
WHERE organization_id = $1 AND env = 'test' AND status = 'failing' AND probe_at IS NOT NULL
"""
"""When a failing subscription of a sandbox is given up."""
