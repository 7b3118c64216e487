"""Loading a subscription with its row locked, for a change."""

from core.foundation.errors import NotFound
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller
from core.webhooks.models import WebhookSubscription


async def lock_subscription(caller: Caller, id: str) -> WebhookSubscription:
    """The caller's subscription with its row locked. Raises NotFound."""
    if not is_id("wbh", id):
        raise NotFound
    subscription = (
        await WebhookSubscription.visible_to(caller).select_for_update().get_or_none(id=id)
    )
    if subscription is None:
        raise NotFound
    return subscription
