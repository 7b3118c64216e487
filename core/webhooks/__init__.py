"""Telling subscribers what happened: subscriptions, events, signed deliveries."""

from core.webhooks.delivery.circuit_breaker import revoke_hopeless
from core.webhooks.delivery.deliveries import get_delivery, list_deliveries
from core.webhooks.delivery.dispatcher import Dispatcher
from core.webhooks.delivery.in_flight import MOST_CONNECTIONS
from core.webhooks.delivery.pause import AT_ONCE as TAKEN_UP_AT_ONCE
from core.webhooks.delivery.pause import take_up
from core.webhooks.delivery.replay import replay_deliveries
from core.webhooks.events.event_types import API_VERSION, EventType
from core.webhooks.events.feed import FeedPage, read_feed
from core.webhooks.events.feed_positions import BATCH as POSITIONS_AT_ONCE
from core.webhooks.events.feed_positions import Sequencer, assign_positions
from core.webhooks.events.payload import masked_data
from core.webhooks.events.publish import Event, publish, publish_many
from core.webhooks.events.retention import forget_old_attempts, forget_old_events
from core.webhooks.inputs import (
    DeliveryFilter,
    EndpointCheck,
    NewSubscription,
    ReceivedRequest,
    Replay,
    Sample,
    SecretRotation,
    SubscriptionChanges,
    SubscriptionFilter,
)
from core.webhooks.models import (
    DeliveryStatus,
    RevokedReason,
    SubscriptionStatus,
    WebhookDelivery,
    WebhookEvent,
    WebhookSubscription,
)
from core.webhooks.outbound_policy import policy
from core.webhooks.signing.verify import verify_signature
from core.webhooks.subscriptions.change import change_subscription
from core.webhooks.subscriptions.credential_changes import (
    hand_over,
    mask_from_now_on,
    pause_subscriptions_of_key,
    subscriptions_of_key,
)
from core.webhooks.subscriptions.queries import get_subscription, list_subscriptions
from core.webhooks.subscriptions.renew_secrets import renew_secrets
from core.webhooks.subscriptions.rotate_secret import rotate_secret
from core.webhooks.subscriptions.send_sample import send_sample
from core.webhooks.subscriptions.subscribe import subscribe, unsubscribe
from core.webhooks.subscriptions.validate import validate_endpoint

__all__ = [
    "API_VERSION",
    "MOST_CONNECTIONS",
    "POSITIONS_AT_ONCE",
    "TAKEN_UP_AT_ONCE",
    "DeliveryFilter",
    "DeliveryStatus",
    "Dispatcher",
    "EndpointCheck",
    "Event",
    "EventType",
    "FeedPage",
    "NewSubscription",
    "ReceivedRequest",
    "Replay",
    "RevokedReason",
    "Sample",
    "SecretRotation",
    "Sequencer",
    "SubscriptionChanges",
    "SubscriptionFilter",
    "SubscriptionStatus",
    "WebhookDelivery",
    "WebhookEvent",
    "WebhookSubscription",
    "assign_positions",
    "change_subscription",
    "forget_old_attempts",
    "forget_old_events",
    "get_delivery",
    "get_subscription",
    "hand_over",
    "list_deliveries",
    "list_subscriptions",
    "mask_from_now_on",
    "masked_data",
    "pause_subscriptions_of_key",
    "policy",
    "publish",
    "publish_many",
    "read_feed",
    "renew_secrets",
    "replay_deliveries",
    "revoke_hopeless",
    "rotate_secret",
    "send_sample",
    "subscribe",
    "subscriptions_of_key",
    "take_up",
    "unsubscribe",
    "validate_endpoint",
    "verify_signature",
]
