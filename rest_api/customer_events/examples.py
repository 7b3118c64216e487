"""Examples of customer events."""

from rest_api.support.sample_ids import CONTACT, EVENT_OF_CUSTOMER, MESSAGE

PURCHASE = {
    "name": "compra",
    "contact": {"externalId": "cliente-1042"},
    "eventId": "pedido-8841",
    "value": 259.9,
    "properties": {"itens": 3, "loja": "Centro"},
}
RECORDED = {
    "id": EVENT_OF_CUSTOMER,
    "name": "compra",
    "eventId": "pedido-8841",
    "contactId": CONTACT,
    "contactExternalId": "cliente-1042",
    "occurredAt": "2026-11-21T15:30:00.000Z",
    "value": 259.9,
    "currency": "BRL",
    "properties": {"itens": 3, "loja": "Centro"},
    "attribution": {
        "messageId": MESSAGE,
        "channel": "sms",
        "campaignId": "novembro",
        "sentAt": "2026-11-21T13:00:00.000Z",
        "horasAteOEvento": 2.5,
    },
    "duplicate": False,
}
PAGE = {"items": [RECORDED]}
