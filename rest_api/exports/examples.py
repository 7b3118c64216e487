"""Examples of exports."""

from rest_api.support.sample_ids import CONTACT, MESSAGE, REPLY

ANSWER = {
    "id": REPLY,
    "channel": "whatsapp",
    "direction": "inbound",
    "to": "+5511*****4321",
    "status": "delivered",
    "contactId": CONTACT,
    "contactExternalId": "crm-1042",
    "createdAt": "2026-11-21T12:04:31.402Z",
    "deliveredAt": "2026-11-21T12:04:31.402Z",
}
SENT = {
    "id": MESSAGE,
    "channel": "whatsapp",
    "direction": "outbound",
    "to": "+5511*****4321",
    "status": "read",
    "campaignId": "black-friday",
    "contactId": CONTACT,
    "contactExternalId": "crm-1042",
    "metadata": {"order": "A-1042"},
    "createdAt": "2026-11-21T12:00:00.118Z",
    "sentAt": "2026-11-21T12:00:00.734Z",
    "deliveredAt": "2026-11-21T12:00:02.209Z",
    "readAt": "2026-11-21T12:03:58.011Z",
}
FAILED = {
    "id": MESSAGE,
    "channel": "whatsapp",
    "direction": "outbound",
    "to": "+5511*****0006",
    "status": "failed",
    "createdAt": "2026-11-20T18:30:00.005Z",
    "failedAt": "2026-11-20T18:30:03.120Z",
    "reason": "not_on_channel",
}
CURSOR = "5d1c3f0a9be84726.WzE3OTUyNjI0MDAxMTgwMDAsIm1zZ192MDQ4Nkk0c2I5cXZtYmVMRjB6THMiXQ"
PAGES = {
    "one of many": {"items": [ANSWER, SENT], "nextCursor": CURSOR},
    "the last one": {"items": [FAILED], "nextCursor": None},
}
