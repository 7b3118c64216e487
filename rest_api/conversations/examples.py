"""Examples of conversational messages."""

from typing import Any

from rest_api.support.sample_ids import (
    ACCOUNT,
    CONTACT,
    INSTAGRAM_ACCOUNT,
    MEDIA,
    MESSAGE,
    NUMBER,
    ORGANIZATION,
    TEMPLATE,
)

QUEUED: dict[str, Any] = {
    "id": MESSAGE,
    "organizationId": ORGANIZATION,
    "channel": "whatsapp",
    "numberId": NUMBER,
    "contactId": CONTACT,
    "to": "+5511*****4321",
    "type": "text",
    "direction": "outbound",
    "priority": "normal",
    "status": "queued",
    "force": False,
    "payload": {"text": "Olá, Ana! Seu pedido saiu para entrega."},
    "attempts": 0,
    "metadata": {"order": "A-1042"},
    "createdAt": "2026-11-21T03:08:12.376Z",
    "origem": {"tipo": "api"},
    "updatedAt": "2026-11-21T03:08:12.376Z",
}
TEMPLATE_SENT = {
    **QUEUED,
    "type": "template",
    "templateId": TEMPLATE,
    "templateVars": ["Ana", "1042"],
    "payload": {
        "name": "pedido_enviado",
        "language": "pt-BR",
        "components": [
            {
                "type": "body",
                "parameters": [{"type": "text", "text": "Ana"}, {"type": "text", "text": "1042"}],
            }
        ],
    },
}
SENT_ANSWERS = {
    "accepted": {**QUEUED, "billing": {"coins": 0}, "replayed": False},
    "repeated": {**QUEUED, "billing": {"coins": 0}, "replayed": True},
    "a template outside the window": {
        **TEMPLATE_SENT,
        "billing": {"coins": 400},
        "replayed": False,
    },
}
FORCED_ANSWERS = {"accepted": {**QUEUED, "force": True, "billing": {"coins": 0}, "replayed": False}}
READ: dict[str, Any] = {
    **QUEUED,
    "to": "+5511987654321",
    "status": "read",
    "attempts": 1,
    "metaMessageId": "wamid.HBgNNTUxMTk4NzY1NDMyMRUCABEY",
    "sentByAccountId": ACCOUNT,
    "sentByName": "Bruno Lima",
    "sentAt": "2026-11-21T03:08:12.901Z",
    "deliveredAt": "2026-11-21T03:08:15.567Z",
    "readAt": "2026-11-21T03:09:02.001Z",
    "updatedAt": "2026-11-21T03:09:02.001Z",
}
CANCELED = {
    **QUEUED,
    "status": "failed",
    "lastError": "cancelada",
    "originalError": "cancelada",
    "scheduledAt": "2026-11-22T12:00:00.000Z",
    "failedAt": "2026-11-21T03:10:00.000Z",
    "updatedAt": "2026-11-21T03:10:00.000Z",
}
CURSOR = "WzE3OTUyMzA0OTIzNzYwMDAsIm1zZ192MDQ4Nkk0c2I5cXZtYmVMRjB6THMiXQ"
PAGES = {
    "one page": {"items": [READ], "total": 1},
    "one of many": {"items": [READ], "total": 7421, "nextCursor": CURSOR},
    "a time that cannot be read": {"items": [], "total": 0, "warnings": ["from_invalido"]},
}
TEXT = {
    "numberId": NUMBER,
    "to": "+5511987654321",
    "type": "text",
    "payload": {"text": "Olá, Ana! Seu pedido saiu para entrega."},
    "metadata": {"order": "A-1042"},
}
BODIES = {
    "a text": TEXT,
    "a template, tomorrow": {
        "numberId": NUMBER,
        "contactId": CONTACT,
        "type": "template",
        "templateId": TEMPLATE,
        "templateVars": ["Ana", "1042"],
        "scheduledAt": "2026-11-22T12:00:00Z",
        "campaignId": "natal-2026",
    },
    "a document": {
        "numberId": NUMBER,
        "to": "+5511987654321",
        "type": "media",
        "payload": {
            "kind": "document",
            "media": {"id": MEDIA, "caption": "Sua fatura", "filename": "fatura.pdf"},
        },
    },
    "buttons": {
        "numberId": NUMBER,
        "to": "+5511987654321",
        "type": "interactive",
        "payload": {
            "kind": "buttons",
            "body": "Podemos entregar hoje?",
            "buttons": [{"id": "sim", "title": "Sim"}, {"id": "nao", "title": "Amanhã"}],
        },
        "replyTo": MESSAGE,
    },
    "a text on Instagram": {
        "instagramAccountId": INSTAGRAM_ACCOUNT,
        "to": "17841400000000001",
        "type": "text",
        "payload": {"text": "Olá!"},
    },
}
FORCED = {
    "a warning that cannot wait": {
        **TEXT,
        "priority": "critical",
        "motivo": "Recall do produto, aviso obrigatório",
    }
}
