"""Closed sets of webhooks."""

from core.webhooks import DeliveryStatus, SubscriptionStatus
from graphql_api.enums import wire_enum

WebhookDeliveryStatus = wire_enum("WebhookDeliveryStatus", DeliveryStatus)
WebhookStatus = wire_enum("WebhookStatus", SubscriptionStatus)
