"""Reading one subscription, and a page of them."""

from core.foundation.clock import now
from core.foundation.database.where import Where
from core.foundation.records import WrittenPage, newest_records
from core.foundation.security.caller import Caller, Scope
from core.webhooks.inputs import SubscriptionFilter
from core.webhooks.models import WebhookSubscription
from core.webhooks.subscriptions.record import (
    SUBSCRIPTION,
    SubscriptionPage,
    SubscriptionRecord,
    subscription_record,
)


async def get_subscription(caller: Caller, id: str) -> SubscriptionRecord:
    """One subscription of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.WEBHOOKS_READ)
    subscription = await WebhookSubscription.own(caller, "wbh", id)
    return subscription_record(subscription)


async def list_subscriptions(
    caller: Caller, filter: SubscriptionFilter
) -> WrittenPage[SubscriptionPage]:
    """A page of subscriptions, newest first.

    A cursor that cannot be read gives an empty page, never the first one: that would loop a
    synchronisation.
    """
    caller.require(Scope.WEBHOOKS_READ)
    where = Where.visible_to(caller)
    narrow_subscriptions(where, status=filter.status, event=filter.event)
    return await newest_records(
        caller, SUBSCRIPTION, "webhook_subscriptions", where, filter, warns=True, at=now()
    )


def narrow_subscriptions(
    where: Where, *, status: str | None = None, event: str | None = None
) -> None:
    """Add the conditions that are asked for. `event`: one of those that are subscribed."""
    where.narrow_given(("status = {}", status), ("events @> ARRAY[{}::text]", event))
