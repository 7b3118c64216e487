"""Setting aside what is queued for a subscription that must not be called now, and taking it up
again.

A parked delivery is unfinished and not due. Neither a pause nor a resumption writes anything of
this: deliveries are parked when they come due and taken up afterwards, so that both cost the same
whatever is queued.
"""

from collections.abc import Sequence
from datetime import datetime

import structlog

from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.jobs import Job, wake
from core.webhooks.delivery.slow_start import SECONDS_UNTIL
from core.webhooks.delivery.unconfirmed import PER_HOST, WINDOW

log = structlog.get_logger()

AT_ONCE = 100
"""Subscriptions whose backlogs one call takes up."""


async def park(subscription_ids: Sequence[str], *, at: datetime, most: int) -> None:
    """Park what is due, at most so many of each, if it is paused, failing or revoked now and not
    only before.
    """
    await db.execute(PARK, subscription_ids, at, most)


async def take_up(*, at: datetime) -> int:
    """Make the backlogs due of subscriptions that are active again, gently; answers how many there
    were.

    The oldest delivery is due at once, the others follow along the curve.
    """
    rows = await db.fetch(RESUMED, at, AT_ONCE)
    for row in rows:
        await _take_up(row["id"], at=at)
    return len(rows)


async def _take_up(id: str, *, at: datetime) -> None:
    """The row of the subscription stays free meanwhile: outcomes are written to it, and a backlog
    may be long.

    Once it is active nothing more is parked, and if it is stopped again, what comes due is parked
    again.
    """
    async with transaction():
        if not await db.fetchval(
            "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0))", f"backlog:{id}"
        ):
            return
        count = await db.execute(UNPARK, id, at)
        await db.execute(TAKEN_UP, id, at, WINDOW)
        if count:
            log.info("backlog_taken_up", subscription=id, deliveries=count)
            await wake(Job.DELIVER_WEBHOOKS)


# The share lock waits for a resumption under way and then looks again: parked after it, a delivery
# would stay so.
PARK = """
WITH silent AS (
    SELECT id FROM webhook_subscriptions WHERE id = ANY ($1::text[]) AND status <> 'active' ORDER BY id FOR SHARE
), due AS (
    SELECT d.id FROM silent s CROSS JOIN LATERAL (
        SELECT d.id FROM webhook_deliveries d WHERE d.subscription_id = s.id AND d.due_at <= $2
        ORDER BY d.due_at LIMIT $3 FOR UPDATE OF d SKIP LOCKED
    ) AS d
)
UPDATE webhook_deliveries d SET due_at = NULL FROM due WHERE d.id = due.id
"""

RESUMED = """
SELECT id FROM webhook_subscriptions WHERE probe_at <= $1 AND status = 'active' ORDER BY probe_at LIMIT $2
"""

UNPARK = f"""
UPDATE webhook_deliveries d SET due_at = $2::timestamptz + make_interval(secs => {SECONDS_UNTIL.format(n="q.place")})
FROM (
    SELECT id, row_number() OVER (ORDER BY created_at, id) - 1 AS place FROM webhook_deliveries
    WHERE subscription_id = $1 AND due_at IS NULL AND status IN ('pendente', 'falhando')
    ORDER BY created_at, id
    LIMIT (SELECT CASE WHEN confirmed_at IS NULL THEN {PER_HOST} END FROM webhook_subscriptions WHERE id = $1)
) AS q
WHERE d.id = q.id AND d.due_at IS NULL
"""

# Where the address is unconfirmed the rest waits on; where it was confirmed meanwhile it is taken
# up next.
TAKEN_UP = """
UPDATE webhook_subscriptions s
SET probe_at = CASE WHEN NOT EXISTS (
        SELECT FROM webhook_deliveries d
        WHERE d.subscription_id = s.id AND d.due_at IS NULL AND d.status IN ('pendente', 'falhando')
    ) THEN NULL WHEN s.confirmed_at IS NULL THEN $2 + $3::interval ELSE s.probe_at END
WHERE s.id = $1 AND s.status = 'active' AND s.probe_at <= $2
"""
