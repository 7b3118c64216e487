"""Setting aside what is queued for a subscription that must not be called now, and taking it up again.

A parked delivery is unfinished and not due. A pause itself writes nothing of this: deliveries are parked when they
come due, so that pausing costs the same whatever is queued.
"""

from collections.abc import Sequence
from datetime import datetime

from core.foundation import db


async def park(delivery_ids: Sequence[str]) -> None:
    """Park claimed deliveries whose subscription is paused or revoked, now and not only when they were claimed."""
    await db.execute(PARK, delivery_ids)


async def unpark(subscription_id: str, *, at: datetime) -> int:
    """Make the parked deliveries of a subscription due, under the lock of its row; answers how many."""
    return await db.execute(UNPARK, subscription_id, at)


# The share lock waits for a resumption under way and then looks again: parked after it, a delivery would stay so.
PARK = """
WITH silent AS (
    SELECT id FROM webhook_subscriptions
    WHERE id IN (SELECT subscription_id FROM webhook_deliveries WHERE id = ANY ($1::text[]))
      AND status NOT IN ('active', 'failing')
    ORDER BY id FOR SHARE
)
UPDATE webhook_deliveries d SET due_at = NULL FROM silent s
WHERE d.id = ANY ($1::text[]) AND d.subscription_id = s.id AND d.due_at IS NOT NULL
"""

UNPARK = """
UPDATE webhook_deliveries SET due_at = $2
WHERE subscription_id = $1 AND due_at IS NULL AND status IN ('pendente', 'falhando')
"""
