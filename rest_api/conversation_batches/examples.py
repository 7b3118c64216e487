"""Examples of batches."""

from rest_api.conversations.examples import READ
from rest_api.support.sample_ids import BATCH, CONTACT, MESSAGE, NUMBER, ORGANIZATION, TEMPLATE

BULK = {
    "numberId": NUMBER,
    "templateId": TEMPLATE,
    "campaignId": "natal-2026",
    "recipients": [
        {"to": "+5511987650005", "templateVars": ["Ana", "10%"], "metadata": {"order": "A-1042"}},
        {"contactId": CONTACT, "templateVars": ["Bia", "15%"]},
        {"to": "+5511987650006", "templateVars": ["Caio"]},
    ],
}
TAKEN = {
    "batchId": BATCH,
    "aceitas": 2,
    "recusadas": [{"indice": 2, "codigo": "VARIAVEIS_DIVERGENTES"}],
    "coinsEstimados": 800,
}
UNDER_WAY = {
    "id": BATCH,
    "organizationId": ORGANIZATION,
    "env": "test",
    "kind": "bulk",
    "numberId": NUMBER,
    "templateId": TEMPLATE,
    "campaignId": "natal-2026",
    "aceitas": 2,
    "recusadas": 1,
    "coinsEstimados": 800,
    "porStatus": {
        "queued": 1,
        "sending": 0,
        "sent": 0,
        "delivered": 1,
        "read": 0,
        "failed": 0,
        "archived": 0,
    },
    "createdAt": "2026-11-21T03:08:12.376Z",
}
CANCELED = {
    **UNDER_WAY,
    "porStatus": {
        "queued": 0,
        "sending": 0,
        "sent": 0,
        "delivered": 1,
        "read": 0,
        "failed": 1,
        "archived": 0,
    },
    "canceledAt": "2026-11-21T03:09:40.120Z",
}
RESENDS = {
    "by their ids": {"messageIds": [MESSAGE]},
    "all of a batch that were throttled": {"filtro": {"batchId": BATCH, "erro": "130429"}},
    "only tell what would happen": {"filtro": {"campaignId": "natal-2026"}, "simular": True},
    "a template where the 24 hours are over": {
        "messageIds": [MESSAGE],
        "templateId": TEMPLATE,
        "templateVars": ["Ana", "10%"],
    },
}
RESENT = {
    "some": {
        "batchId": BATCH,
        "reenviadas": 41,
        "ignoradas": [{"id": MESSAGE, "motivo": "permanente"}],
        "coinsEstimados": 16_400,
    },
    "nothing new": {
        "batchId": None,
        "reenviadas": 0,
        "ignoradas": [{"id": MESSAGE, "motivo": "ja_substituida"}],
        "coinsEstimados": 0,
    },
}
ARCHIVED = {**READ, "status": "archived"}
