"""Claims of webhook deliveries, as a worker with many places makes them."""

from datetime import datetime

from core.webhooks.delivery.bulkhead import Doubtful
from core.webhooks.delivery.claim import Claims, DueDelivery
from core.webhooks.delivery.concurrency import Lanes, Width


async def claim_due(*, at: datetime, limit: int) -> list[DueDelivery]:
    """One claim of somebody who gives all places to whoever is first."""
    wide = Width(first=limit, most=limit, least=limit)
    return await Claims(Lanes(wide), Lanes(wide), Doubtful(limit)).take(at=at, limit=limit)
