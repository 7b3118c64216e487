"""Pausing and resuming the delivery queue of a subscription.

A paused delivery is unfinished and not due. Neither the pause nor the resumption of a subscription
writes anything of this: deliveries are paused when they come due and resumed afterwards, so that
both cost the same whatever is queued.
"""

from collections.abc import Sequence
from datetime import datetime

import structlog

from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.jobs import Job, wake
from core.foundation.moved_clocks import narrowed
from core.webhooks.delivery.slow_start import DELAY_SECONDS
from core.webhooks.delivery.unconfirmed import MAX_PER_HOST, WINDOW

log = structlog.get_logger()

RESUME_BATCH_SIZE = 100
"""Subscriptions whose queues one call resumes."""


async def pause_queues(subscription_ids: Sequence[str], *, at: datetime, limit: int) -> None:
    """Pause what is due, at most so many of each, if it is paused, failing or revoked now and not
    only before.
    """
    await db.execute(PAUSE, subscription_ids, at, limit)


async def resume_queues(*, at: datetime) -> int:
    """Make due what is queued for subscriptions that are active again, by slow start.

    Answers how many subscriptions there were. The oldest delivery is due at once.
    """
    rows = await db.fetch(*narrowed(TO_RESUME, at, RESUME_BATCH_SIZE))
    for row in rows:
        await _resume(row["id"], row["organization_id"], at=at)
    return len(rows)


async def _resume(id: str, organization_id: str, *, at: datetime) -> None:
    """The row of the subscription stays free meanwhile: outcomes are written to it, and a backlog
    may be long.

    Once it is active nothing more is paused, and if it is stopped again, what comes due is paused
    again.
    """
    async with transaction():
        if not await db.fetchval(
            "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0))", f"backlog:{id}"
        ):
            return
        count = await db.execute(RESUME, id, at, organization_id)
        await db.execute(FINISH_RESUMING, id, at, WINDOW, organization_id)
        if count:
            log.info("backlog_resumed", subscription=id, deliveries=count)
            await wake(Job.DELIVER_WEBHOOKS)


# The share lock waits for a resumption under way and then looks again: paused after it, a delivery
# would stay so.
PAUSE = """
WITH stopped AS (
    SELECT id FROM webhook_subscriptions WHERE id = ANY ($1::text[]) AND status <> 'active' ORDER BY id FOR SHARE
), due AS (
    SELECT d.id FROM stopped s CROSS JOIN LATERAL (
        SELECT d.id FROM webhook_deliveries d WHERE d.subscription_id = s.id AND d.due_at <= $2
        ORDER BY d.due_at LIMIT $3 FOR UPDATE OF d SKIP LOCKED
    ) AS d
)
UPDATE webhook_deliveries d SET due_at = NULL FROM due WHERE d.id = due.id
"""

TO_RESUME = """
SELECT id, organization_id FROM webhook_subscriptions WHERE probe_at <= $1 AND status = 'active' /* whose */
ORDER BY probe_at LIMIT $2
"""

RESUME = f"""
UPDATE webhook_deliveries d SET due_at = $2::timestamptz + make_interval(secs => {DELAY_SECONDS.format(n="q.place")})
FROM (
    SELECT id, row_number() OVER (ORDER BY created_at, id) - 1 AS place FROM webhook_deliveries
    WHERE subscription_id = $1 AND organization_id = $3 AND due_at IS NULL AND status IN ('pendente', 'falhando')
    ORDER BY created_at, id
    LIMIT (SELECT CASE WHEN confirmed_at IS NULL THEN {MAX_PER_HOST} END
           FROM webhook_subscriptions WHERE id = $1 AND organization_id = $3)
) AS q
WHERE d.id = q.id AND d.due_at IS NULL
"""

# Where the address is unconfirmed the rest waits on; where it was confirmed meanwhile it is resumed
# next.
FINISH_RESUMING = """
UPDATE webhook_subscriptions s
SET probe_at = CASE WHEN NOT EXISTS (
        SELECT FROM webhook_deliveries d
        WHERE d.subscription_id = s.id AND d.organization_id = s.organization_id
          AND d.due_at IS NULL AND d.status IN ('pendente', 'falhando')
    ) THEN NULL WHEN s.confirmed_at IS NULL THEN $2 + $3::interval ELSE s.probe_at END
WHERE s.id = $1 AND s.organization_id = $4 AND s.status = 'active' AND s.probe_at <= $2
"""
