"""Examples of RCS."""

from rest_api.support.sample_ids import MESSAGE

CARD = {
    "title": "Seu pedido saiu",
    "description": "Chega hoje até as 18 h.",
    "fileUrl": "https://cdn.example.com/pedido.png",
    "suggestions": [
        {"type": "openUrl", "text": "Acompanhar", "url": "https://loja.example.com/pedidos/1042"},
        {"type": "call", "text": "Ligar", "phone": "+551140041234"},
        {"type": "reply", "text": "Recebi", "postback": "recebi:1042"},
    ],
}
SENT = {
    "id": MESSAGE,
    "to": "+5511*****0005",
    "content": {"text": "Seu pedido saiu para entrega."},
    "route": "easy_rcs",
    "status": "sent",
    "env": "test",
    "metadata": {"order": "A-1042"},
    "sentAt": "2026-11-21T03:08:12.376Z",
    "createdAt": "2026-11-21T03:08:12.376Z",
    "origem": {"tipo": "journey", "journeyRunId": "run_v0486I4sb9qvmbeLF0zLs"},
}
DELIVERED = {
    **SENT,
    "status": "delivered",
    "channel": "rcs",
    "deliveredAt": "2026-11-21T03:08:15.567Z",
}
BY_SMS = {**DELIVERED, "content": {"card": CARD}, "channel": "sms"}
FAILED = {**SENT, "status": "failed", "failureReason": "no_rcs"}
QUEUED = {
    **{name: value for name, value in SENT.items() if name != "sentAt"},
    "status": "queued",
    "scheduledAt": "2026-12-01T12:00:00.000Z",
}
CANCELED = {**QUEUED, "status": "failed", "failureReason": "canceled"}
SENT_ANSWERS = {
    "a text": SENT,
    "a card": {**SENT, "content": {"card": CARD}},
    "queued": QUEUED,
}
READ_ANSWERS = {"by RCS": DELIVERED, "by its fallback": BY_SMS, "failed": FAILED}
CURSOR = "WzE3OTUyMzA0OTIzNzYwMDAsIm1zZ192MDQ4Nkk0c2I5cXZtYmVMRjB6THMiXQ"
PAGES = {
    "one page": {"items": [DELIVERED]},
    "one of many": {"items": [BY_SMS], "nextCursor": CURSOR},
}
BODIES = {
    "text": {
        "to": "+5511987650005",
        "content": {"text": "Seu pedido saiu para entrega."},
        "route": "easy_rcs",
        "fallback": {"text": "Seu pedido saiu para entrega."},
        "metadata": {"order": "A-1042"},
    },
    "card": {
        "to": "+5511987650005",
        "content": {"card": CARD},
        "route": "easy_rcs",
        "trackLinks": True,
    },
    "later": {
        "to": "+5511987650005",
        "content": {"text": "Seu pedido chega hoje."},
        "route": "easy_rcs",
        "scheduledAt": "2026-12-01T12:00:00Z",
    },
}
