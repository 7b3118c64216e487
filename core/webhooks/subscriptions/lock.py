"""Loading a subscription with its row locked, for a change."""

from core.foundation.absent import existing
from core.foundation.ids import well_formed_id
from core.foundation.security.caller import Caller
from core.webhooks.models import WebhookSubscription


async def lock_subscription(caller: Caller, id: str) -> WebhookSubscription:
    """The caller's subscription with its row locked. Raises NotFound."""
    well_formed_id("wbh", id)
    return existing(
        await WebhookSubscription.visible_to(caller).select_for_update().get_or_none(id=id)
    )
