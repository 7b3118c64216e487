"""Webhooks: subscriptions, published events, signed deliveries with retries, and the event feed."""

from core.webhooks.creator import Creator
from core.webhooks.delivery.circuit_breaker import revoke_unrecoverable
from core.webhooks.delivery.deliver_in_sandbox import (
    NEXT_DELIVERY,
    NEXT_PROBE,
    NEXT_RESUMPTION,
    NEXT_REVOCATION,
    deliver_in_sandbox,
)
from core.webhooks.delivery.deliveries import get_delivery, list_deliveries
from core.webhooks.delivery.dispatcher import Dispatcher
from core.webhooks.delivery.in_flight import MAX_CONNECTIONS
from core.webhooks.delivery.pause import RESUME_BATCH_SIZE, resume_queues
from core.webhooks.delivery.record import (
    AttemptRecord,
    DeliveryPage,
    DeliveryRecord,
    Replayed,
    RequestRecord,
    WholeDeliveryRecord,
)
from core.webhooks.delivery.replay import replay_deliveries
from core.webhooks.events.event_types import API_VERSION, EventType
from core.webhooks.events.feed import FeedPage, read_feed
from core.webhooks.events.feed_positions import BATCH_SIZE as FEED_BATCH_SIZE
from core.webhooks.events.feed_positions import Sequencer, assign_positions
from core.webhooks.events.publish import NewEvent, publish, publish_many
from core.webhooks.events.record import EventRecord, FeedRecord, masked_data
from core.webhooks.events.retention import (
    NEXT_RETENTION,
    delete_expired_attempts,
    delete_expired_events,
)
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
    EndpointProblem,
    RevokedReason,
    SignatureStep,
    SubscriptionStatus,
    SubscriptionSwitch,
    WebhookDelivery,
    WebhookDeliveryStatus,
    WebhookEvent,
    WebhookSubscription,
)
from core.webhooks.outbound_policy import policy
from core.webhooks.signing.verify import SignatureVerdict, verify_signature
from core.webhooks.subscriptions.call import call_address
from core.webhooks.subscriptions.change import change_subscription
from core.webhooks.subscriptions.credential_changes import (
    mask_personal_data,
    pause_subscriptions_of_key,
    subscriptions_of_key,
    transfer_subscriptions,
)
from core.webhooks.subscriptions.listening import is_listened_to
from core.webhooks.subscriptions.queries import get_subscription, list_subscriptions
from core.webhooks.subscriptions.record import (
    EndpointVerdict,
    NewWebhook,
    RevealedSecret,
    SampleVerdict,
    SubscriptionOfKey,
    SubscriptionPage,
    SubscriptionRecord,
)
from core.webhooks.subscriptions.renew_secrets import renew_secrets
from core.webhooks.subscriptions.rotate_secret import rotate_secret
from core.webhooks.subscriptions.send_sample import send_sample
from core.webhooks.subscriptions.subscribe import subscribe, unsubscribe
from core.webhooks.subscriptions.validate import validate_endpoint

__all__ = [
    "API_VERSION",
    "FEED_BATCH_SIZE",
    "MAX_CONNECTIONS",
    "NEXT_DELIVERY",
    "NEXT_PROBE",
    "NEXT_RESUMPTION",
    "NEXT_RETENTION",
    "NEXT_REVOCATION",
    "RESUME_BATCH_SIZE",
    "AttemptRecord",
    "Creator",
    "DeliveryFilter",
    "DeliveryPage",
    "DeliveryRecord",
    "Dispatcher",
    "EndpointCheck",
    "EndpointProblem",
    "EndpointVerdict",
    "EventRecord",
    "EventType",
    "FeedPage",
    "FeedRecord",
    "NewEvent",
    "NewSubscription",
    "NewWebhook",
    "ReceivedRequest",
    "Replay",
    "Replayed",
    "RequestRecord",
    "RevealedSecret",
    "RevokedReason",
    "Sample",
    "SampleVerdict",
    "SecretRotation",
    "Sequencer",
    "SignatureStep",
    "SignatureVerdict",
    "SubscriptionChanges",
    "SubscriptionFilter",
    "SubscriptionOfKey",
    "SubscriptionPage",
    "SubscriptionRecord",
    "SubscriptionStatus",
    "SubscriptionSwitch",
    "WebhookDelivery",
    "WebhookDeliveryStatus",
    "WebhookEvent",
    "WebhookSubscription",
    "WholeDeliveryRecord",
    "assign_positions",
    "call_address",
    "change_subscription",
    "delete_expired_attempts",
    "delete_expired_events",
    "deliver_in_sandbox",
    "get_delivery",
    "get_subscription",
    "is_listened_to",
    "list_deliveries",
    "list_subscriptions",
    "mask_personal_data",
    "masked_data",
    "pause_subscriptions_of_key",
    "policy",
    "publish",
    "publish_many",
    "read_feed",
    "renew_secrets",
    "replay_deliveries",
    "resume_queues",
    "revoke_unrecoverable",
    "rotate_secret",
    "send_sample",
    "subscribe",
    "subscriptions_of_key",
    "transfer_subscriptions",
    "unsubscribe",
    "validate_endpoint",
    "verify_signature",
]
