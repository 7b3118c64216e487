"""Sample events: what the documentation shows, and what an endpoint is tried with."""

from typing import Any

from core.webhooks.events.event_types import EventType

ACCOUNT = "acc_1aSd2FgH3jKl4QwEr5TyU"
API_KEY = "key_4fRt6YhJ8kLo0PzXcVbNm"
CONTACT = "cnt_5xGm1sTZ0aBqk3yVh7RwE"
INSTAGRAM_ACCOUNT = "iga_5nMk8LzXc3VbQw1ErTy7U"
JOURNEY = "jor_3hJk7LzXc2VbNm8QwErTy"
JOURNEY_RUN = "run_5cVb2NmLk8JhGf4DsAq9W"
MESSAGE = "msg_v0486I4sb9qvmbeLF0zLs"
NEXT_API_KEY = "key_9yLrT1cXq0aWf3sVb7mZk"
NUMBER = "num_7hJk2LzXc5VbNm9QwErTy"
REPLY = "msg_Kq81mZx0Lr5tYb3NvWc9J"
TEMPLATE = "tpl_4aSd9FgH1jKlZ7xCvBnMq"


def _sms(status: str, code: str, words: str, to: str, **told: object) -> dict[str, object]:
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
    "delivered",
    "DELIVRD",
    "Delivered to the handset",
    "+5511987650005",
    deliveredAt="2026-11-21T03:08:15.567Z",
)
SMS_UNDELIVERED = _sms(
    "undelivered", "UNDELIV", "Not delivered", "+5511987650006",
    reason="carrier_rejected", failedAt="2026-11-21T03:08:15.567Z",
)  # fmt: skip
SMS_FAILED = _sms(
    "failed",
    "REJECTD",
    "Refused",
    "+5511987650008",
    reason="invalid_number",
    failedAt="2026-11-21T03:08:15.567Z",
)
SMS_RECEIVED = {
    "id": REPLY,
    "env": "test",
    "inReplyTo": MESSAGE,
    "route": "premium",
    "from": "+5511987650005",
    "body": "SIM",
    "receivedAt": "2026-11-21T03:10:40.102Z",
    "metadata": {"order": "A-1042"},
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
    "to": "+5511987650005",
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
RCS_CLICKED = SMS_CLICKED
EMAIL_DELIVERED = {
    "id": MESSAGE,
    "to": "ana@example.org",
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
MESSAGE_SENT = {
    "id": MESSAGE,
    "channel": "whatsapp",
    "numberId": NUMBER,
    "to": "+5511987654321",
    "type": "text",
    "status": "sent",
    "env": "test",
    "metadata": {"order": "A-1042"},
    "contactId": CONTACT,
    "createdAt": "2026-11-21T03:08:12.376Z",
    "sentAt": "2026-11-21T03:08:12.901Z",
}
MESSAGE_DELIVERED = {
    **MESSAGE_SENT,
    "status": "delivered",
    "deliveredAt": "2026-11-21T03:08:15.567Z",
}
MESSAGE_READ = {**MESSAGE_DELIVERED, "status": "read", "readAt": "2026-11-21T03:09:02.001Z"}
MESSAGE_FAILED = {
    **MESSAGE_SENT,
    "status": "failed",
    "lastError": "The recipient is not on this channel.",
    "upstreamCode": "131026",
    "failedAt": "2026-11-21T03:08:15.567Z",
}
_ON_INSTAGRAM = {
    "channel": "instagram",
    "instagramAccountId": INSTAGRAM_ACCOUNT,
    "to": "17841400000000001",
}
INSTAGRAM_SENT = {
    **{name: value for name, value in MESSAGE_SENT.items() if name != "numberId"},
    **_ON_INSTAGRAM,
}
INSTAGRAM_FAILED = {
    **{name: value for name, value in MESSAGE_FAILED.items() if name != "numberId"},
    **_ON_INSTAGRAM,
}
TEMPLATE_APPROVED = {
    "templateId": TEMPLATE,
    "name": "pedido_enviado",
    "language": "pt-BR",
    "version": 1,
    "env": "live",
}
TEMPLATE_REJECTED = {**TEMPLATE_APPROVED, "rejectionReason": "INVALID_FORMAT"}
NUMBER_RATED = {
    "numberId": NUMBER,
    "from": {"qualityRating": "green", "messagingTier": "tier_10k"},
    "to": {"qualityRating": "yellow", "messagingTier": "tier_10k"},
    "env": "live",
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
    "phone": "+5511987654321",
    "channel": "todos",
    "reason": "Pediu por telefone",
    "at": "2026-11-21T03:08:15.567Z",
}
MESSAGE_RECEIVED = {
    "id": REPLY,
    "env": "live",
    "channel": "whatsapp",
    "numberId": NUMBER,
    "from": "+5511987654321",
    "type": "text",
    "payload": {"text": "Oi! Vi o anúncio do bolo."},
    "contactId": CONTACT,
    "origemDoLink": {"fonte": "meta", "anuncio": "120226305854810726", "codigo": "Aff-n8ZTODiE"},
    "receivedAt": "2026-11-21T03:08:12.376Z",
}
INSTAGRAM_RECEIVED = {
    "id": REPLY,
    "env": "live",
    "channel": "instagram",
    "instagramAccountId": INSTAGRAM_ACCOUNT,
    "from": "17841400000000001",
    "type": "interactive",
    "payload": {"kind": "button_reply", "id": "sim", "title": "Sim"},
    "receivedAt": "2026-11-21T03:08:12.376Z",
}
CAMPAIGN_COMPLETED = {
    "env": "test",
    "campaignId": "natal-2026",
    "totals": {"queued": 0, "sent": 982, "delivered": 951, "read": 604, "failed": 18},
    "startedAt": "2026-11-21T03:08:12.376Z",
    "completedAt": "2026-11-21T03:31:05.018Z",
}
JOURNEY_ENTERED = {
    "env": "test",
    "journeyId": JOURNEY,
    "versao": 1,
    "quantidade": 1,
    "em": "2026-11-21T03:08:15.567Z",
    "journeyRunId": JOURNEY_RUN,
    "contactId": CONTACT,
}
JOURNEY_COMPLETED = {**JOURNEY_ENTERED, "motivo": "meta", "em": "2026-11-23T14:20:09.310Z"}
JOURNEY_PAUSED = {
    "env": "test",
    "journeyId": JOURNEY,
    "versao": 1,
    "motivo": "saldo",
    "passo": "lembrete",
    "rotulo": "Lembrete",
    "em": "2026-11-22T12:00:00.000Z",
}
JOURNEY_CALLED = {
    "env": "test",
    "journeyId": JOURNEY,
    "stepId": "avisa",
    "journeyRunId": JOURNEY_RUN,
    "contactId": CONTACT,
    "corpo": {"pedido": "A-1042"},
}

SAMPLES: dict[EventType, dict[str, Any]] = {
    EventType.SMS_DELIVERED: SMS_DELIVERED,
    EventType.SMS_UNDELIVERED: SMS_UNDELIVERED,
    EventType.SMS_FAILED: SMS_FAILED,
    EventType.SMS_RECEIVED: SMS_RECEIVED,
    EventType.SMS_CLICKED: SMS_CLICKED,
    EventType.RCS_DELIVERED: RCS_DELIVERED,
    EventType.RCS_READ: RCS_READ,
    EventType.RCS_FAILED: RCS_FAILED,
    EventType.RCS_CLICKED: RCS_CLICKED,
    EventType.EMAIL_DELIVERED: EMAIL_DELIVERED,
    EventType.EMAIL_BOUNCED: EMAIL_BOUNCED,
    EventType.EMAIL_COMPLAINED: EMAIL_COMPLAINED,
    EventType.EMAIL_OPENED: EMAIL_OPENED,
    EventType.EMAIL_CLICKED: EMAIL_CLICKED,
    EventType.MESSAGE_RECEIVED: MESSAGE_RECEIVED,
    EventType.INSTAGRAM_MESSAGE_RECEIVED: INSTAGRAM_RECEIVED,
    EventType.MESSAGE_SENT: MESSAGE_SENT,
    EventType.MESSAGE_DELIVERED: MESSAGE_DELIVERED,
    EventType.MESSAGE_READ: MESSAGE_READ,
    EventType.MESSAGE_FAILED: MESSAGE_FAILED,
    EventType.INSTAGRAM_MESSAGE_SENT: INSTAGRAM_SENT,
    EventType.INSTAGRAM_MESSAGE_FAILED: INSTAGRAM_FAILED,
    EventType.CAMPAIGN_COMPLETED: CAMPAIGN_COMPLETED,
    EventType.TEMPLATE_APPROVED: TEMPLATE_APPROVED,
    EventType.TEMPLATE_REJECTED: TEMPLATE_REJECTED,
    EventType.NUMBER_QUALITY_CHANGED: NUMBER_RATED,
    EventType.WALLET_LOW_BALANCE: WALLET_LOW,
    EventType.WALLET_DEPLETED: WALLET_DEPLETED,
    EventType.APIKEY_CREATED: KEY_CREATED,
    EventType.APIKEY_ROTATED: KEY_ROTATED,
    EventType.CONTACT_CREATED: CONTACT_CREATED,
    EventType.CONTACT_OPTED_OUT: CONTACT_OPTED_OUT,
    EventType.JOURNEY_ENTERED: JOURNEY_ENTERED,
    EventType.JOURNEY_COMPLETED: JOURNEY_COMPLETED,
    EventType.JOURNEY_PAUSED: JOURNEY_PAUSED,
    EventType.JOURNEY_CALLED: JOURNEY_CALLED,
}
"""The `data`, with nothing masked. Nobody has these ids."""
