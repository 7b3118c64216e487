"""Examples of e-mail."""

from rest_api.support.sample_ids import EMAIL_SENDER, MESSAGE, ORGANIZATION

QUEUED = {
    "id": MESSAGE,
    "organizationId": ORGANIZATION,
    "env": "test",
    "to": "a***@example.org",
    "from": "Loja <loja@example.com>",
    "subject": "Seu pedido saiu para entrega",
    "bodyBytes": 412,
    "status": "queued",
    "createdAt": "2026-11-21T03:08:12.376Z",
    "updatedAt": "2026-11-21T03:08:12.376Z",
    "metadata": {"order": "A-1042"},
    "origem": {"tipo": "api"},
    "billing": {"coins": 10},
    "replayed": False,
}
SENT_ANSWERS = {
    "accepted": QUEUED,
    "repeated": {**QUEUED, "replayed": True},
    "later": {**QUEUED, "scheduledAt": "2026-12-01T12:00:00.000Z"},
    "suppressed": {
        **QUEUED,
        "status": "failed",
        "reason": "suppressed",
        "failedAt": "2026-11-21T03:08:12.376Z",
        "billing": {"coins": 0},
    },
}
CANCELED = {
    **{name: value for name, value in QUEUED.items() if name not in ("billing", "replayed")},
    "status": "failed",
    "reason": "canceled",
    "scheduledAt": "2026-12-01T12:00:00.000Z",
    "failedAt": "2026-11-21T03:09:40.102Z",
    "updatedAt": "2026-11-21T03:09:40.102Z",
}
DELIVERED = {
    **{name: value for name, value in QUEUED.items() if name not in ("billing", "replayed")},
    "status": "delivered",
    "sentAt": "2026-11-21T03:08:12.901Z",
    "deliveredAt": "2026-11-21T03:08:15.567Z",
    "updatedAt": "2026-11-21T03:08:15.567Z",
}
CURSOR = "WzE3OTUyMzA0OTIzNzYwMDAsIm1zZ192MDQ4Nkk0c2I5cXZtYmVMRjB6THMiXQ"
PAGES = {
    "one page": {"items": [DELIVERED], "total": 1},
    "one of many": {"items": [DELIVERED], "total": 7421, "nextCursor": CURSOR},
}
SUPPRESSED = {
    "id": "0f4c2b7d9e1a6835c7d20b4f8e9a1d3657c8b2e40a9f1d6c3b7e5a28f4d09c61",
    "to": "a***@example.org",
    "reason": "invalid_address",
    "messageId": MESSAGE,
    "createdAt": "2026-11-21T03:08:15.567Z",
}
SUPPRESSIONS = {
    "one page": {"items": [SUPPRESSED], "total": 1},
    "one of many": {"items": [SUPPRESSED], "total": 7421, "nextCursor": CURSOR},
}
BODIES = {
    "an e-mail": {
        "to": "ana@example.org",
        "from": "Loja <loja@example.com>",
        "subject": "Seu pedido saiu para entrega",
        "text": "Olá! Acompanhe em https://example.com/orders/1042",
        "html": '<p>Olá! <a href="https://example.com/orders/1042">Acompanhe</a></p>',
        "trackLinks": True,
        "metadata": {"order": "A-1042"},
    },
    "later": {
        "to": "ana@example.org",
        "subject": "Sua consulta é amanhã",
        "text": "Olá! Esperamos você às 14 h.",
        "scheduledAt": "2026-12-01T12:00:00Z",
    },
    "marketing with a file": {
        "to": "ana@example.org",
        "subject": "Ofertas da semana",
        "text": "Veja o folheto.",
        "categoria": "marketing",
        "anexos": [{"nome": "folheto.txt", "tipo": "text/plain", "conteudo": "T2ZlcnRhcw=="}],
    },
}
NEW_SENDER = {
    "id": EMAIL_SENDER,
    "organizationId": ORGANIZATION,
    "env": "live",
    "address": "@example.com",
    "method": "dns",
    "status": "pending",
    "txtName": "_svc-sender.example.com",
    "txtValue": "svc-sender=0f4c2b7d9e1a6835c7d20b4f8e9a1d3657c8b2e4",
    "expiresAt": "2026-11-28T03:08:12.376Z",
    "createdAt": "2026-11-21T03:08:12.376Z",
}
NEW_ADDRESS = {
    "id": EMAIL_SENDER,
    "organizationId": ORGANIZATION,
    "env": "live",
    "address": "loja@example.com",
    "method": "email",
    "status": "pending",
    "expiresAt": "2026-11-22T03:08:12.376Z",
    "createdAt": "2026-11-21T03:08:12.376Z",
}
REQUESTED_SENDERS = {
    "a domain": NEW_SENDER,
    "an address": NEW_ADDRESS,
    "an address in the sandbox": {
        **NEW_ADDRESS,
        "env": "test",
        "sandboxCode": "4fRt6YhJ8kLo0PzX",
    },
}
PENDING_SENDER = {
    **NEW_SENDER,
    "checkedAt": "2026-11-21T03:09:40.102Z",
    "lastCheck": "not_found",
}
VERIFIED_SENDER = {
    **{name: value for name, value in NEW_SENDER.items() if name != "expiresAt"},
    "status": "verified",
    "verifiedAt": "2026-11-21T03:21:07.318Z",
}
SENDERS = {
    "one page": {"items": [PENDING_SENDER], "total": 1},
    "one of many": {"items": [VERIFIED_SENDER], "total": 7421, "nextCursor": CURSOR},
}
