"""The events that the service sends, as the `webhooks` of OpenAPI 3.1: one row per event."""

from typing import Any

from pydantic import BaseModel

from core.webhooks.events.event_types import PING, EventType
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
    JourneyCalled,
    JourneyCompleted,
    JourneyEntered,
    JourneyPaused,
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
from rest_api.openapi.schemas import PREFIX, Schemas, as_sentence
from rest_api.support.sample_ids import DELIVERY, EVENT, WEBHOOK

TAG = "Events"


PING_TOLD = (
    "A test of an endpoint: sent by `POST /webhooks/validate`, and when a revoked subscription is "
    "resumed. Nobody subscribes to it."
)

EVENTS: dict[str, type[BaseModel]] = {
    EventType.SMS_DELIVERED: SmsOutcome,
    EventType.SMS_UNDELIVERED: SmsOutcome,
    EventType.SMS_FAILED: SmsOutcome,
    EventType.SMS_RECEIVED: SmsReceived,
    EventType.SMS_CLICKED: LinkClicked,
    EventType.RCS_DELIVERED: RcsOutcome,
    EventType.RCS_READ: RcsOutcome,
    EventType.RCS_FAILED: RcsOutcome,
    EventType.RCS_CLICKED: LinkClicked,
    EventType.EMAIL_DELIVERED: EmailOutcome,
    EventType.EMAIL_BOUNCED: EmailOutcome,
    EventType.EMAIL_COMPLAINED: EmailOutcome,
    EventType.EMAIL_OPENED: EmailOpened,
    EventType.EMAIL_CLICKED: EmailClicked,
    EventType.MESSAGE_RECEIVED: MessageReceived,
    EventType.INSTAGRAM_MESSAGE_RECEIVED: MessageReceived,
    EventType.MESSAGE_SENT: ConversationOutcome,
    EventType.MESSAGE_DELIVERED: ConversationOutcome,
    EventType.MESSAGE_READ: ConversationOutcome,
    EventType.MESSAGE_FAILED: ConversationOutcome,
    EventType.INSTAGRAM_MESSAGE_SENT: ConversationOutcome,
    EventType.INSTAGRAM_MESSAGE_FAILED: ConversationOutcome,
    EventType.CAMPAIGN_COMPLETED: CampaignCompleted,
    EventType.JOURNEY_CALLED: JourneyCalled,
    EventType.TEMPLATE_APPROVED: TemplateDecided,
    EventType.TEMPLATE_REJECTED: TemplateDecided,
    EventType.NUMBER_QUALITY_CHANGED: NumberRated,
    EventType.WALLET_LOW_BALANCE: WalletLow,
    EventType.WALLET_DEPLETED: WalletLow,
    EventType.APIKEY_CREATED: ApiKeyEvent,
    EventType.APIKEY_ROTATED: ApiKeyReplaced,
    EventType.CONTACT_CREATED: ContactCreated,
    EventType.CONTACT_OPTED_OUT: ContactOptedOut,
    EventType.JOURNEY_ENTERED: JourneyEntered,
    EventType.JOURNEY_COMPLETED: JourneyCompleted,
    EventType.JOURNEY_PAUSED: JourneyPaused,
    PING: PingData,
}
"""The shapes of the `data`, in the order of the document."""


def told_of(name: str) -> str:
    """When an event is sent."""
    return PING_TOLD if name == PING else as_sentence(EventType(name).description)


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
    return set(EVENTS.values())


def webhooks(schemas: Schemas) -> dict[str, Any]:
    """Every event as a request that the service makes to a subscriber."""
    return {str(name): {"post": _request(str(name), schemas)} for name in EVENTS}


def body_schema(name: str, schemas: Schemas) -> dict[str, Any]:
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
            "data": schemas.reference(EVENTS[name]),
        },
    }


def _request(name: str, schemas: Schemas) -> dict[str, Any]:
    return {
        "operationId": "on_" + name.replace(".", "_"),
        "summary": name,
        "description": told_of(name),
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
                    "schema": body_schema(name, schemas),
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
