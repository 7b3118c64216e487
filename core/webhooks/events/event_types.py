"""Webhook event types: the closed set that a subscription may name."""

from typing import Literal

EventType = Literal[
    "message.sent",
    "message.delivered",
    "message.read",
    "message.failed",
    "message.received",
    "campaign.completed",
    "number.quality_changed",
    "template.approved",
    "template.rejected",
    "contact.created",
    "contact.opted_out",
    "apikey.created",
    "apikey.rotated",
    "sms.delivered",
    "sms.failed",
    "sms.undelivered",
    "sms.received",
    "email.delivered",
    "email.bounced",
    "email.complained",
    "email.opened",
    "email.clicked",
    "rcs.delivered",
    "rcs.read",
    "rcs.failed",
    "sms.clicked",
    "rcs.clicked",
    "wallet.low_balance",
    "wallet.depleted",
    "instagram.message.received",
    "instagram.message.sent",
    "instagram.message.failed",
]

API_VERSION = "2026-11-01"
"""The shape of event bodies that new subscriptions are pinned to."""

PING = "webhook.ping"
"""What endpoints are tried with; no subscription names it."""
