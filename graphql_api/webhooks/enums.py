"""Closed sets of webhooks."""

from core.webhooks import DeliveryStatus, RevokedReason, SubscriptionStatus
from graphql_api.enums import wire_enum

WebhookDeliveryStatus = wire_enum("WebhookDeliveryStatus", DeliveryStatus)
WebhookRevokedReason = wire_enum(
    "WebhookRevokedReason",
    RevokedReason,
    description="Its endpoint answered 410, it was failing for too long, or the organization is suspended.",
)
WebhookStatus = wire_enum("WebhookStatus", SubscriptionStatus)
