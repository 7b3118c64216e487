"""Closed sets of webhooks."""

from core.webhooks import SubscriptionStatus
from graphql_api.enums import wire_enum

WebhookStatus = wire_enum("WebhookStatus", SubscriptionStatus)
