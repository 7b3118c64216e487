"""Telling subscribers what happened: subscriptions, events, signed deliveries."""

from core.webhooks.change import change_subscription
from core.webhooks.dispatcher import Dispatcher
from core.webhooks.event_types import API_VERSION, EventType
from core.webhooks.forget import forget_old_events
from core.webhooks.inputs import (
    EndpointCheck,
    NewSubscription,
    SecretRotation,
    SubscriptionChanges,
    SubscriptionFilter,
)
from core.webhooks.models import (
    DeliveryStatus,
    SubscriptionStatus,
    WebhookDelivery,
    WebhookEvent,
    WebhookSubscription,
)
from core.webhooks.outbound_policy import policy
from core.webhooks.payload import masked_data
from core.webhooks.publish import Event, publish, publish_many
from core.webhooks.queries import get_subscription, list_subscriptions
from core.webhooks.renew_secrets import renew_secrets
from core.webhooks.rotate_secret import rotate_secret
from core.webhooks.subscribe import subscribe, unsubscribe
from core.webhooks.validate import validate_endpoint

__all__ = [
    "API_VERSION",
    "DeliveryStatus",
    "Dispatcher",
    "EndpointCheck",
    "Event",
    "EventType",
    "NewSubscription",
    "SecretRotation",
    "SubscriptionChanges",
    "SubscriptionFilter",
    "SubscriptionStatus",
    "WebhookDelivery",
    "WebhookEvent",
    "WebhookSubscription",
    "change_subscription",
    "forget_old_events",
    "get_subscription",
    "list_subscriptions",
    "masked_data",
    "policy",
    "publish",
    "publish_many",
    "renew_secrets",
    "rotate_secret",
    "subscribe",
    "unsubscribe",
    "validate_endpoint",
]
