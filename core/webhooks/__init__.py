"""Telling subscribers what happened: subscriptions, events, signed deliveries."""

from core.webhooks.dispatcher import Dispatcher
from core.webhooks.event_types import API_VERSION, EventType
from core.webhooks.inputs import NewSubscription, SubscriptionFilter
from core.webhooks.models import (
    DeliveryStatus,
    SubscriptionStatus,
    WebhookDelivery,
    WebhookEvent,
    WebhookSubscription,
)
from core.webhooks.outbound_policy import policy
from core.webhooks.publish import Event, publish, publish_many
from core.webhooks.subscribe import get_subscription, list_subscriptions, subscribe, unsubscribe

__all__ = [
    "API_VERSION",
    "DeliveryStatus",
    "Dispatcher",
    "Event",
    "EventType",
    "NewSubscription",
    "SubscriptionFilter",
    "SubscriptionStatus",
    "WebhookDelivery",
    "WebhookEvent",
    "WebhookSubscription",
    "get_subscription",
    "list_subscriptions",
    "policy",
    "publish",
    "publish_many",
    "subscribe",
    "unsubscribe",
]
