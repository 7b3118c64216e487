"""Creating and deleting a webhook subscription."""

from core import audit
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import transaction
from core.foundation.errors import NotFound
from core.foundation.ids import new_id, well_formed_id
from core.foundation.security.caller import Caller, Scope
from core.foundation.security.secrets import new_webhook_secret
from core.webhooks.creator import Creator
from core.webhooks.events.event_types import API_VERSION
from core.webhooks.inputs import DEFAULT_RETRY, NewSubscription
from core.webhooks.models import WebhookSubscription
from core.webhooks.signing.secret_box import seal_headers, seal_secret
from core.webhooks.subscriptions.record import NewWebhook, subscription_record


async def subscribe(caller: Caller, new: NewSubscription, creator: Creator) -> NewWebhook:
    """Create a subscription with a fresh secret, which is shown here only; `creator` stays as it is
    until the transaction ends (`organizations.subscribe`).
    """
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
            pii_full=creator.pii_full,
            pii_until=creator.pii_until,
            api_version=API_VERSION,
            created_by_id=caller.account_id,
            created_with_id=creator.key_id,
            key_id=creator.key_id,
            created_at=at,
            updated_at=at,
        )
        facts = {
            "events": subscription.events,
            "headers": len(subscription.headers),
            "piiFull": subscription.pii_full,
        }
        await audit.write_entry(caller, "webhook.created", id, facts, at=at)
    return {
        "webhook": subscription_record(subscription),
        "reveal": {
            "id": id,
            "secret": secret,
            "secretVersion": subscription.secret_version,
            "createdAt": wire_time(at),
        },
    }


async def unsubscribe(caller: Caller, id: str) -> None:
    """Remove a subscription, its secret and what was queued for it. Raises NotFound."""
    caller.require(Scope.WEBHOOKS_WRITE)
    well_formed_id("wbh", id)
    async with transaction():
        # Deliveries first, in the order in which outcomes are written: else the two could wait for
        # each other.
        await db.execute(DELETE_DELIVERIES, id, caller.organization_id, caller.env)
        if not await WebhookSubscription.visible_to(caller).filter(id=id).delete():
            raise NotFound
        await audit.write_entry(caller, "webhook.deleted", id, at=now())


DELETE_DELIVERIES = """
WITH deleted AS (
    DELETE FROM webhook_deliveries d USING webhook_subscriptions s
    WHERE s.id = $1 AND s.organization_id = $2 AND s.env = $3 AND d.subscription_id = s.id
      AND d.organization_id = s.organization_id
    RETURNING d.id
)
DELETE FROM webhook_attempts a USING deleted g WHERE a.delivery_id = g.id AND a.organization_id = $2
"""
