"""Applying quality, tier and connection to a number's status, whoever reported them."""

from collections.abc import Sequence
from datetime import datetime

from core import webhooks
from core.numbers.models import Number, NumberStatus, Quality, Tier
from core.numbers.sender_accounts import SENDING

PER_SECOND = 80
"""Messages that the platform takes from a number in a second, unless it was told otherwise."""

PER_DAY = {
    Tier.TIER_250: 250,
    Tier.TIER_1K: 1_000,
    Tier.TIER_2K: 2_000,
    Tier.TIER_10K: 10_000,
    Tier.TIER_100K: 100_000,
    Tier.UNLIMITED: PER_SECOND * 24 * 3600,
}


def status_after(
    status: NumberStatus, *, connected: bool | None = None, flagged: bool | None = None
) -> NumberStatus:
    """The status that follows. None: nothing was learned of it. Whoever answers is at least
    registered.
    """
    if connected is False:
        if status in SENDING:
            return NumberStatus.DISCONNECTED
        return NumberStatus.AVAILABLE if status is NumberStatus.PENDING else status
    if connected and status not in SENDING:
        status = NumberStatus.CONNECTED
    if flagged is not None and status in SENDING:
        return NumberStatus.FLAGGED if flagged else NumberStatus.CONNECTED
    return status


def apply_status(
    number: Number,
    *,
    quality: Quality | None = None,
    tier: Tier | None = None,
    connected: bool | None = None,
    flagged: bool | None = None,
    at: datetime,
) -> list[webhooks.NewEvent]:
    """Apply what is known now to the (locked) number; answers the event that it calls for. Nothing
    is stored.
    """
    before = _rating(number)
    number.quality_rating = quality or number.quality_rating
    if tier is not None and tier is not number.messaging_tier:
        number.messaging_tier = tier
        number.rate_per_day = PER_DAY[tier]
    if quality is not None:
        flagged = bool(flagged) or quality is Quality.RED
    number.status = status_after(number.status, connected=connected, flagged=flagged)
    after = _rating(number)
    if before == after:
        return []
    data = {"numberId": number.id, "from": before, "to": after, "env": number.env}
    return [
        webhooks.NewEvent(number.organization_id, number.env, "number.quality_changed", data, at)
    ]


async def save_numbers(
    numbers: Sequence[Number], events: Sequence[webhooks.NewEvent], *, at: datetime
) -> None:
    """Store numbers that were changed, and tell of it: in the transaction that holds their locks."""
    for number in numbers:
        number.updated_at = at
        await number.save()
    await webhooks.publish_many(events, at=at)


def _rating(number: Number) -> dict[str, str]:
    return {
        "qualityRating": str(number.quality_rating),
        "messagingTier": str(number.messaging_tier),
    }
