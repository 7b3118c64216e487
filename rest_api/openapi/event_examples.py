"""Examples of events."""

from collections.abc import Mapping
from typing import Any

from core.webhooks.event_types import API_VERSION
from rest_api.support.sample_ids import ACCOUNT, API_KEY, CONTACT, EVENT, MESSAGE, NEXT_API_KEY, ORGANIZATION, REPLY


def body(type: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """The whole body of a delivery."""
    return {
        "id": EVENT,
        "type": type,
        "timestamp": "2026-11-21T03:08:15.567Z",
        "env": "test",
        "organizationId": ORGANIZATION,
        "apiVersion": API_VERSION,
        "data": data,
    }


def _sms(status: str, code: str, words: str, to: str, **told: Any) -> dict[str, Any]:
    return {
        "id": MESSAGE,
        "to": to,
        "route": "premium",
        "status": status,
        "segments": 1,
        "sentAt": "2026-11-21T03:08:12.376Z",
        "providerReceipt": {
            "id": "sbx_v0486I4sb9qvmbeLF0zLs",
            "type": "api_message",
            "to": to,
            "reference": MESSAGE,
            "status": code,
            "statusDescription": words,
            "received": "2026-11-21T03:08:15.567Z",
            "bill_factor": 1,
            "channel": "SMS",
        },
        "env": "test",
        "metadata": {"order": "A-1042"},
        **told,
    }


SMS_DELIVERED = _sms(
    "delivered", "DELIVRD", "Delivered to the handset", "+5511*****0005", deliveredAt="2026-11-21T03:08:15.567Z"
)
SMS_UNDELIVERED = _sms(
    "undelivered", "UNDELIV", "Not delivered", "+5511*****0006",
    reason="carrier_rejected", failedAt="2026-11-21T03:08:15.567Z",
)  # fmt: skip
SMS_FAILED = _sms(
    "failed", "REJECTD", "Refused", "+5511*****0008", reason="invalid_number", failedAt="2026-11-21T03:08:15.567Z"
)
SMS_RECEIVED = {
    "id": REPLY,
    "env": "test",
    "inReplyTo": MESSAGE,
    "route": "premium",
    "from": "+5511*****0005",
    "body": "SIM",
    "receivedAt": "2026-11-21T03:10:40.102Z",
}
SMS_CLICKED = {
    "messageId": MESSAGE,
    "url": "https://example.com/orders/1042",
    "clickedAt": "2026-11-21T03:09:02.481Z",
    "first": True,
    "bot": False,
    "userAgent": "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36",
    "env": "test",
    "metadata": {"order": "A-1042"},
}
RCS_DELIVERED = {
    "id": MESSAGE,
    "to": "+5511*****0005",
    "route": "easy_rcs",
    "status": "delivered",
    "channel": "rcs",
    "env": "test",
    "metadata": {"order": "A-1042"},
}
RCS_READ = {**RCS_DELIVERED, "status": "read"}
RCS_FAILED = {
    **{name: value for name, value in RCS_DELIVERED.items() if name != "channel"},
    "status": "failed",
    "failureReason": "no_rcs",
}
RCS_CLICKED = {
    "messageId": MESSAGE,
    "url": "https://example.com/orders/1042",
    "clickedAt": "2026-11-21T03:09:02.481Z",
    "first": True,
    "bot": False,
    "userAgent": "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36",
    "env": "test",
    "metadata": {"order": "A-1042"},
}
EMAIL_DELIVERED = {
    "id": MESSAGE,
    "to": "a***@example.org",
    "subject": "Seu pedido saiu para entrega",
    "status": "delivered",
    "env": "test",
    "metadata": {"order": "A-1042"},
}
EMAIL_BOUNCED = {**EMAIL_DELIVERED, "status": "bounced", "reason": "invalid_address"}
EMAIL_COMPLAINED = {**EMAIL_DELIVERED, "status": "complained", "reason": "complaint"}
EMAIL_OPENED = {**EMAIL_DELIVERED, "bot": False}
EMAIL_CLICKED = {
    **EMAIL_OPENED,
    "url": "https://example.com/orders/1042",
    "clickedAt": "2026-11-21T03:09:02.481Z",
    "first": True,
    "userAgent": "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36",
}
WALLET_LOW = {"saldoCoins": 99200, "limiteCoins": 100000, "env": "live"}
WALLET_DEPLETED = {"saldoCoins": 300, "limiteCoins": 100000, "env": "live"}
KEY_CREATED = {
    "keyId": API_KEY,
    "name": "checkout",
    "env": "test",
    "scopes": ["sms:read", "sms:send"],
    "createdById": ACCOUNT,
}
KEY_ROTATED = {**KEY_CREATED, "replacedById": NEXT_API_KEY}
CONTACT_CREATED = {
    "id": CONTACT,
    "env": "test",
    "source": "api",
    "externalId": "cliente-1042",
    "tags": ["vip"],
    "optIn": {"status": "granted"},
}
CONTACT_OPTED_OUT = {
    "id": CONTACT,
    "env": "test",
    "phone": "+5511*****4321",
    "channel": "todos",
    "reason": "Pediu por telefone",
    "at": "2026-11-21T03:08:15.567Z",
}
