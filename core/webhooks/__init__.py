"""Telling subscribers what happened: subscriptions, events, signed deliveries."""

from core.webhooks.change import change_subscription
from core.webhooks.credentials_end import (
    hand_over,
    mask_from_now_on,
    pause_subscriptions_of_key,
    subscriptions_of_key,
)
from core.webhooks.deliveries import get_delivery, list_deliveries
from core.webhooks.dispatcher import Dispatcher
from core.webhooks.event_types import API_VERSION, EventType
from core.webhooks.feed import FeedPage, read_feed
from core.webhooks.feed_positions import BATCH as POSITIONS_AT_ONCE
from core.webhooks.feed_positions import Sequencer, assign_positions
from core.webhooks.forget import forget_old_attempts, forget_old_events
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
from core.webhooks.park import AT_ONCE as TAKEN_UP_AT_ONCE
from core.webhooks.park import take_up
from core.webhooks.payload import masked_data
from core.webhooks.places import MOST_CONNECTIONS
from core.webhooks.publish import Event, publish, publish_many
from core.webhooks.queries import get_subscription, list_subscriptions
from core.webhooks.renew_secrets import renew_secrets
from core.webhooks.replay import replay_deliveries
from core.webhooks.rotate_secret import rotate_secret
from core.webhooks.send_sample import send_sample
from core.webhooks.standing import revoke_hopeless
from core.webhooks.subscribe import subscribe, unsubscribe
from core.webhooks.validate import validate_endpoint
from core.webhooks.verify import verify_signature

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
