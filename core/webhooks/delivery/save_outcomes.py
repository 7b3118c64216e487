"""Saving attempt outcomes: deliveries, the log of attempts and the circuit breaker, in one go."""

from collections.abc import Sequence
from typing import cast

import structlog

from core.foundation.clock import real_now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.jobs import Job, wake
from core.webhooks.delivery.attempt import AttemptOutcome
from core.webhooks.delivery.circuit_breaker import (
    FAILURE_PERIOD,
    FAILURE_THRESHOLD,
    PROBE_INTERVAL,
    STATE_CHANGES,
    RevokedRow,
    record_revocations,
)
from core.webhooks.delivery.unconfirmed import host_of, reset_counts
from core.webhooks.models import SubscriptionStatus

log = structlog.get_logger()

GONE = 410


async def save_outcomes(outcomes: Sequence[AttemptOutcome]) -> None:
    """Save outcomes, in one statement.

    Only a delivery that is still due and at the attempt the outcome speaks of counts, so writing
    the same outcome twice changes nothing.
    """
    if not outcomes:
        return
    if not any(outcome.status_code == GONE for outcome in outcomes):
        await _announce(await _save(outcomes))
        return
    async with transaction():
        moved = await _save(outcomes)
        revoked = [
            row for row in moved if row["moved"] and row["status"] == SubscriptionStatus.REVOKED
        ]
        await record_revocations(
            cast("list[RevokedRow]", revoked), at=max(outcome.at for outcome in outcomes)
        )
        await _announce(moved)


async def _save(outcomes: Sequence[AttemptOutcome]) -> list[db.Row]:
    """The subscriptions whose status moved, or whose address answered for the first time."""
    columns = zip(
        *(
            (
                one.delivery_id,
                one.ok,
                one.status.value,
                one.due_at,
                one.status_code,
                one.latency_ms,
                one.error,
                one.at,
                one.attempts,
                one.probe,
                one.body or None,
            )
            for one in outcomes
        ),
        strict=True,
    )
    return list(
        await db.fetch(SAVE, *map(list, columns), FAILURE_THRESHOLD, FAILURE_PERIOD, PROBE_INTERVAL)
    )


async def _announce(moved: Sequence[db.Row]) -> None:
    if answered := [
        (row["organization_id"], host_of(row["authority"])) for row in moved if row["answers"]
    ]:
        await reset_counts(answered, at=real_now())
    for row in moved:
        match row["moved"] and row["status"]:
            case SubscriptionStatus.FAILING:
                STATE_CHANGES.labels("failing").add()
                log.info("webhook_failing", subscription=row["id"])
            case SubscriptionStatus.ACTIVE:
                STATE_CHANGES.labels("active").add()
                log.info("webhook_recovered", subscription=row["id"])
                await wake(Job.RESUME_WEBHOOKS)


# A probe that failed leaves the delivery as it was. A success of any attempt ends a failure and
# confirms the address; what was paused then waits to be resumed: `probe_at` of an active
# subscription.
SAVE = """
WITH outcome AS (
    SELECT * FROM unnest($1::text[], $2::bool[], $3::text[], $4::timestamptz[], $5::int[], $6::int[], $7::text[],
                         $8::timestamptz[], $9::int[], $10::bool[], $11::text[])
        AS o (id, ok, status, due_at, status_code, latency_ms, error, at, attempts, probe, body)
), moved AS (
    UPDATE webhook_deliveries d
    SET status = CASE WHEN o.probe AND NOT o.ok THEN d.status ELSE o.status END,
        attempts = d.attempts + CASE WHEN o.probe AND NOT o.ok THEN 0 ELSE 1 END,
        due_at = o.due_at, last_status_code = o.status_code, last_latency_ms = o.latency_ms, last_error = o.error,
        finished_at = CASE WHEN o.due_at IS NULL THEN o.at END
    FROM outcome o
    WHERE d.id = o.id AND d.due_at IS NOT NULL AND d.attempts = o.attempts
      AND (NOT o.probe OR d.due_at IS DISTINCT FROM o.due_at)
    RETURNING d.organization_id, d.env, d.subscription_id, o.*
), logged AS (
    INSERT INTO webhook_attempts
        (organization_id, env, delivery_id, number, probe, at, status_code, latency_ms, error, response_body)
    SELECT organization_id, env, id, attempts + 1, probe, at, status_code, latency_ms, error, body FROM moved
), counted AS (
    SELECT subscription_id, max(success) AS success, max(at) FILTER (WHERE NOT ok) AS failure,
           count(*) FILTER (WHERE NOT ok AND (success IS NULL OR at > success)) AS failures,
           min(at) FILTER (WHERE NOT ok AND (success IS NULL OR at > success)) AS since,
           max(due_at) FILTER (WHERE probe AND NOT ok) AS probe_at,
           coalesce(bool_or(status_code = 410), false) AS gone
    FROM (SELECT *, max(at) FILTER (WHERE ok) OVER (PARTITION BY subscription_id) AS success FROM moved) AS m
    GROUP BY subscription_id
), breaker AS (
    SELECT c.subscription_id, c.success, c.failure, c.probe_at, w.status AS was,
           c.failures + CASE WHEN c.success IS NULL THEN w.consecutive_failures ELSE 0 END AS failures,
           CASE WHEN c.success IS NULL THEN coalesce(w.failures_since, c.since) ELSE c.since END AS since,
           w.confirmed_at IS NULL AND c.success IS NOT NULL AS answers,
           CASE WHEN w.status = 'revoked' OR c.gone THEN 'revoked'
                WHEN w.status = 'failing' AND c.success IS NOT NULL THEN 'active'
                WHEN w.status = 'active'
                     AND c.failures + CASE WHEN c.success IS NULL THEN w.consecutive_failures ELSE 0 END >= $12
                     AND c.failure - CASE WHEN c.success IS NULL THEN coalesce(w.failures_since, c.since)
                                     ELSE c.since END >= $13
                THEN 'failing'
                ELSE w.status END AS status
    FROM counted c JOIN webhook_subscriptions w ON w.id = c.subscription_id
    ORDER BY w.id FOR NO KEY UPDATE OF w
), changed AS (
    UPDATE webhook_subscriptions s
    SET consecutive_failures = t.failures,
        failures_since = t.since,
        last_success_at = greatest(t.success, s.last_success_at),
        last_failure_at = greatest(t.failure, s.last_failure_at),
        status = t.status,
        updated_at = CASE WHEN t.status <> t.was THEN greatest(t.success, t.failure) ELSE s.updated_at END,
        failing_since = CASE WHEN t.status <> 'failing' THEN NULL WHEN t.was = 'failing' THEN s.failing_since
                             ELSE t.failure END,
        confirmed_at = CASE WHEN t.answers THEN t.success ELSE s.confirmed_at END,
        probe_at = CASE WHEN t.status = 'revoked' THEN NULL
                        WHEN t.status = 'failing' AND t.was = 'failing' THEN greatest(s.probe_at, t.probe_at)
                        WHEN t.status = 'failing' THEN t.failure + $14::interval
                        WHEN t.was = 'failing' OR t.answers AND s.probe_at IS NOT NULL THEN t.success
                        ELSE s.probe_at END,
        revoked_reason = CASE WHEN t.status = 'revoked' AND t.was <> 'revoked' THEN 'gone'
                              ELSE s.revoked_reason END
    FROM breaker t WHERE s.id = t.subscription_id
    RETURNING s.id, s.organization_id, s.env, s.status, s.revoked_reason, t.was, t.answers,
              substring(s.url FROM '//([^/?#]*)') AS authority
)
SELECT id, organization_id, env, status, revoked_reason, status <> was AS moved, answers, authority FROM changed
WHERE status <> was OR answers
"""
