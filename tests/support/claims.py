"""DeliveryClaimer of webhook deliveries, as a worker with many places makes them."""

from datetime import datetime

from core.webhooks.delivery.bulkhead import OrganizationBulkhead
from core.webhooks.delivery.claim import DeliveryClaimer, DueDelivery
from core.webhooks.delivery.concurrency import AdaptiveConcurrencyLimiter, ConcurrencyBounds


async def claim_due(*, at: datetime, limit: int) -> list[DueDelivery]:
    """One claim of somebody who gives all places to whoever is first."""
    wide = ConcurrencyBounds(initial=limit, maximum=limit, minimum=limit)
    return await DeliveryClaimer(
        AdaptiveConcurrencyLimiter(wide),
        AdaptiveConcurrencyLimiter(wide),
        OrganizationBulkhead(limit),
    ).claim(at=at, limit=limit)
