"""Subscribing an address to events, reading subscriptions, ending them."""

from typing import Any

from tortoise.expressions import Q

from core import audit
from core.foundation import db
from core.foundation.caller import Caller, Scope
from core.foundation.clock import now, wire_time
from core.foundation.errors import NotFound
from core.foundation.ids import is_id, new_id
from core.foundation.pages import UnreadableCursor, cursor_after, cut, read_cursor
from core.foundation.secrets import new_webhook_secret
from core.foundation.tenancy import owned_by
from core.foundation.transactions import transaction
from core.webhooks.event_types import API_VERSION
from core.webhooks.inputs import DEFAULT_RETRY, MASKED, NewSubscription, SubscriptionFilter
from core.webhooks.models import SubscriptionStatus, WebhookSubscription
from core.webhooks.secret_box import seal_headers, seal_secret


async def subscribe(caller: Caller, new: NewSubscription) -> dict[str, Any]:
    """Create a subscription with a fresh secret: `{webhook, reveal}`; the secret is shown here only."""
    caller.require(Scope.WEBHOOKS_WRITE)
    at = now()
    id, secret = new_id("wbh"), new_webhook_secret()
    retry = new.retry or DEFAULT_RETRY
    async with transaction():
        subscription = await WebhookSubscription.create(
            id=id,
            **owned_by(caller),
            url=new.url,
            secret_cipher=seal_secret(id, secret),
            headers=seal_headers(id, {header.key: header.value for header in new.headers or ()}),
            events=list(new.events),
            description=new.description,
            max_attempts=retry.max_attempts,
            backoff_seconds=retry.backoff_seconds,
            pii_full=caller.sees_personal_data,
            api_version=API_VERSION,
            created_by_id=caller.account_id,
            created_at=at,
            updated_at=at,
        )
        facts = {"events": subscription.events, "headers": len(subscription.headers), "piiFull": subscription.pii_full}
        await audit.record(caller, "webhook.created", id, facts, at=at)
    return {
        "webhook": subscription_record(subscription),
        "reveal": {
            "id": id,
            "secret": secret,
            "secretVersion": subscription.secret_version,
            "createdAt": wire_time(at),
        },
    }


async def get_subscription(caller: Caller, id: str) -> dict[str, Any]:
    """One subscription of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.WEBHOOKS_READ)
    subscription = await WebhookSubscription.visible_to(caller).get_or_none(id=id) if is_id("wbh", id) else None
    if subscription is None:
        raise NotFound
    return subscription_record(subscription)


async def list_subscriptions(caller: Caller, filter: SubscriptionFilter) -> dict[str, Any]:
    """A page of subscriptions, newest first: `{items, total, nextCursor?, warnings?}`.

    A cursor that cannot be read gives an empty page, never the first one: that would loop a synchronisation.
    """
    caller.require(Scope.WEBHOOKS_READ)
    found = WebhookSubscription.visible_to(caller)
    if filter.status is not None:
        found = found.filter(status__in=[status for status in SubscriptionStatus if status == filter.status])
    if filter.event is not None:
        found = found.filter(events__contains=[filter.event])
    total = await found.count()
    if filter.cursor is not None:
        try:
            at, id = read_cursor(filter.cursor)
        except UnreadableCursor:
            return {"items": [], "total": total, "warnings": ["cursor_invalido"]}
        # Tortoise refuses a value that is longer than the column.
        found = found.filter(Q(created_at__lt=at) | Q(created_at=at, id__lt=id[:30]))
    limit = cut(filter.limit)
    rows = await found.order_by("-created_at", "-id").offset(filter.skip).limit(limit + 1)
    page: dict[str, Any] = {"items": [subscription_record(one) for one in rows[:limit]], "total": total}
    if len(rows) > limit:
        page["nextCursor"] = cursor_after(rows[limit - 1].created_at, rows[limit - 1].id)
    return page


async def unsubscribe(caller: Caller, id: str) -> None:
    """Remove a subscription, its secret and what was queued for it. Raises NotFound."""
    caller.require(Scope.WEBHOOKS_WRITE)
    if not is_id("wbh", id):
        raise NotFound
    async with transaction():
        # Deliveries first, in the order in which outcomes are written: else the two could wait for each other.
        await db.execute(
            "DELETE FROM webhook_deliveries d USING webhook_subscriptions s "
            "WHERE s.id = $1 AND s.organization_id = $2 AND s.env = $3 AND d.subscription_id = s.id",
            id,
            caller.organization_id,
            caller.env,
        )
        if not await WebhookSubscription.visible_to(caller).filter(id=id).delete():
            raise NotFound
        await audit.record(caller, "webhook.deleted", id, at=now())


def subscription_record(subscription: WebhookSubscription) -> dict[str, Any]:
    """The record as the interface spells it; header values never leave."""
    record: dict[str, Any] = {
        "id": subscription.id,
        "organizationId": subscription.organization_id,
        "url": subscription.url,
        "secretCipher": subscription.secret_cipher,
        "secretVersion": subscription.secret_version,
        "headers": [{"key": header["key"], "value": MASKED} for header in subscription.headers],
        "events": subscription.events,
        "status": subscription.status.value,
        "description": subscription.description,
        "retry": {"maxAttempts": subscription.max_attempts, "backoffSeconds": subscription.backoff_seconds},
        "piiFull": subscription.pii_full,
        "apiVersion": subscription.api_version,
        "createdById": subscription.created_by_id,
        "consecutiveFailures": subscription.consecutive_failures,
        "lastSuccessAt": wire_time(subscription.last_success_at) if subscription.last_success_at else None,
        "lastFailureAt": wire_time(subscription.last_failure_at) if subscription.last_failure_at else None,
        "createdAt": wire_time(subscription.created_at),
        "updatedAt": wire_time(subscription.updated_at),
    }
    return {name: value for name, value in record.items() if value is not None}
