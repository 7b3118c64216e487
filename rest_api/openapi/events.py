"""The events that the service sends, as the `webhooks` of OpenAPI 3.1: one row per event."""

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from core.webhooks.events.event_types import PING
from rest_api.openapi.event_examples import example_of
from rest_api.openapi.event_shapes import (
    ApiKeyEvent,
    ApiKeyReplaced,
    CampaignCompleted,
    ContactCreated,
    ContactOptedOut,
    ConversationOutcome,
    EmailClicked,
    EmailOpened,
    EmailOutcome,
    LinkClicked,
    MessageReceived,
    NumberRated,
    PingData,
    RcsOutcome,
    SmsOutcome,
    SmsReceived,
    TemplateDecided,
    WalletLow,
)
from rest_api.openapi.schemas import PREFIX, Schemas
from rest_api.support.sample_ids import DELIVERY, EVENT, WEBHOOK

TAG = "Events"


@dataclass(frozen=True, slots=True)
class EventDoc:
    """When an event is sent, and the shape of its `data`."""

    told: str
    data: type[BaseModel]


EVENTS: dict[str, EventDoc] = {
    "sms.delivered": EventDoc("The carrier reported that the SMS arrived.", SmsOutcome),
    "sms.undelivered": EventDoc("The carrier gave up; `reason` tells why.", SmsOutcome),
    "sms.failed": EventDoc("The SMS will not arrive; `reason` tells why.", SmsOutcome),
    "sms.received": EventDoc("A recipient replied (MO).", SmsReceived),
    "sms.clicked": EventDoc(
        "A short link of an SMS that was sent with `trackLinks` was opened: one event per click.",
        LinkClicked,
    ),
    "rcs.delivered": EventDoc(
        "The message arrived; `channel` tells whether by RCS or as SMS.", RcsOutcome
    ),
    "rcs.read": EventDoc("The recipient read the message.", RcsOutcome),
    "rcs.failed": EventDoc("The message will not arrive; `failureReason` tells why.", RcsOutcome),
    "rcs.clicked": EventDoc(
        "A short link of an RCS message that was sent with `trackLinks` was opened: one event "
        "per click.",
        LinkClicked,
    ),
    "email.delivered": EventDoc("A mail server took the e-mail.", EmailOutcome),
    "email.bounced": EventDoc(
        "The e-mail will not arrive: a mail server gave it back (`bounced`), or it never left "
        "(`failed`).",
        EmailOutcome,
    ),
    "email.complained": EventDoc("The recipient reported the e-mail as spam.", EmailOutcome),
    "email.opened": EventDoc(
        "The image of an e-mail that was sent with `trackOpens` was loaded: one event each time.",
        EmailOpened,
    ),
    "email.clicked": EventDoc(
        "A link of an e-mail that was sent with `trackLinks` was opened: one event per click.",
        EmailClicked,
    ),
    "message.received": EventDoc(
        "Somebody wrote to a number. The answer costs nothing for 24 hours.", MessageReceived
    ),
    "instagram.message.received": EventDoc(
        "Somebody wrote to an Instagram account.", MessageReceived
    ),
    "message.sent": EventDoc("The platform accepted a message.", ConversationOutcome),
    "message.delivered": EventDoc("A message arrived.", ConversationOutcome),
    "message.read": EventDoc(
        "The recipient read a message. It may come without message.delivered, or before it.",
        ConversationOutcome,
    ),
    "message.failed": EventDoc(
        "A message will not arrive, or was called off; `lastError` tells why.",
        ConversationOutcome,
    ),
    "instagram.message.sent": EventDoc("Instagram accepted a message.", ConversationOutcome),
    "instagram.message.failed": EventDoc(
        "A message on Instagram will not arrive, or was called off.", ConversationOutcome
    ),
    "campaign.completed": EventDoc(
        "No message of the tag was sent for 15 minutes, and each one has come to its end or is "
        "older than 72 hours. "
        "Once for each campaign, and again after a later send.",
        CampaignCompleted,
    ),
    "template.approved": EventDoc(
        "A template may be sent: approved, or no longer held back.", TemplateDecided
    ),
    "template.rejected": EventDoc(
        "A template was not approved; `rejectionReason` tells why.", TemplateDecided
    ),
    "number.quality_changed": EventDoc(
        "The platform rates a number otherwise, or lets it open more or fewer conversations in a "
        "day.",
        NumberRated,
    ),
    "wallet.low_balance": EventDoc(
        "The available balance fell below the line. Once, until it rises 10 % above it again.",
        WalletLow,
    ),
    "wallet.depleted": EventDoc(
        "The balance reached zero, or a send was refused with 402. Once, until there is enough "
        "again.",
        WalletLow,
    ),
    "apikey.created": EventDoc("A key of this environment was issued.", ApiKeyEvent),
    "apikey.rotated": EventDoc(
        "A key of this environment was replaced; both open until the overlap ends.",
        ApiKeyReplaced,
    ),
    "contact.created": EventDoc("A contact was created.", ContactCreated),
    "contact.opted_out": EventDoc("A contact asked not to receive messages.", ContactOptedOut),
    PING: EventDoc(
        "A test of an endpoint: sent by `POST /webhooks/validate`, and when a revoked "
        "subscription is resumed. Nobody "
        "subscribes to it.",
        PingData,
    ),
}
"""In the order of the document."""

SIGNATURE = (
    "`t=<unix>,v1=<hex>`: HMAC-SHA256 of `<unix>.<raw body>`, keyed with the whole secret as "
    "text. While a rotation "
    "overlaps there are two `v1`, the new secret's first."
)
STANDARD_SIGNATURE = (
    "`v1,<base64>` as Standard Webhooks signs: HMAC-SHA256 of "
    "`<webhook-id>.<webhook-timestamp>.<raw body>`, keyed "
    "with what the secret decodes to after `whsec_`"
)
HEADERS = {
    "X-SVC-Signature": (
        SIGNATURE,
        "t=1795230240,v1=7d2c6d8ad0a0c2f5e1b7a3f0c4d59e8f6a1b2c3d4e5f60718293a4b5c6d7e8f9",
    ),
    "X-SVC-Webhook-Id": ("The subscription", WEBHOOK),
    "X-SVC-Event": ("The event's type", None),
    "X-SVC-Delivery-Id": ("The delivery; the same on each retry of it", DELIVERY),
    "X-SVC-Attempt": ("Which attempt this is, from 1", "1"),
    "webhook-id": ("The event's id, as Standard Webhooks names it", EVENT),
    "webhook-timestamp": ("Unix seconds of the attempt", "1795230240"),
    "webhook-signature": (
        STANDARD_SIGNATURE,
        "v1,zX7Q3v0gkV0m1b1yQm8Jq3r0hT2a9d4wYb6fKc5nE8s=",
    ),
}


def event_shapes() -> set[type[BaseModel]]:
    """The shapes of all `data`."""
    return {event.data for event in EVENTS.values()}


def webhooks(schemas: Schemas) -> dict[str, Any]:
    """Every event as a request that the service makes to a subscriber."""
    return {name: {"post": _request(name, event, schemas)} for name, event in EVENTS.items()}


def body_schema(name: str, event: EventDoc, schemas: Schemas) -> dict[str, Any]:
    """The body of every delivery of an event."""
    return {
        "type": "object",
        "required": ["id", "type", "timestamp", "env", "organizationId", "apiVersion", "data"],
        "properties": {
            "id": {
                "type": "string",
                "description": "The event; the same on every retry and replay: skip known ones",
            },
            "type": {"type": "string", "const": name},
            "timestamp": {
                "type": "string",
                "format": "date-time",
                "description": "When it happened",
            },
            "env": {"$ref": f"{PREFIX}Environment"},
            "organizationId": {"type": "string"},
            "apiVersion": {
                "type": "string",
                "description": "The shape that the subscription is pinned to",
            },
            "data": schemas.reference(event.data),
        },
    }


def _request(name: str, event: EventDoc, schemas: Schemas) -> dict[str, Any]:
    return {
        "operationId": "on_" + name.replace(".", "_"),
        "summary": name,
        "description": event.told,
        "tags": [TAG],
        "security": [],
        "parameters": [
            {
                "name": header,
                "in": "header",
                "required": True,
                "description": told,
                "schema": {"type": "string"},
                "example": example or name,
            }
            for header, (told, example) in HEADERS.items()
        ],
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {
                    "schema": body_schema(name, event, schemas),
                    "examples": {name: {"value": example_of(name)}},
                }
            },
        },
        "responses": {
            "2XX": {"description": "Taken. Answer within 15 seconds, and work afterwards."},
            "410": {"description": "Gone: the subscription is revoked at once."},
            "default": {
                "description": "Failed, redirects included: it is tried again with growing "
                "pauses, as `retry` says."
            },
        },
    }
