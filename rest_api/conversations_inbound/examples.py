"""Examples of received messages."""

from typing import Any

from rest_api.support.sample_ids import CONTACT, INSTAGRAM_ACCOUNT, NUMBER, ORGANIZATION, REPLY

RECEIVED: dict[str, Any] = {
    "id": REPLY,
    "organizationId": ORGANIZATION,
    "channel": "whatsapp",
    "numberId": NUMBER,
    "contactId": CONTACT,
    "to": "+5511*****4321",
    "type": "text",
    "direction": "inbound",
    "priority": "normal",
    "status": "delivered",
    "force": False,
    "payload": {"text": "Oi! Vi o anúncio do bolo."},
    "attempts": 0,
    "origemDoLink": {"fonte": "meta", "anuncio": "120226305854810726", "codigo": "Aff-n8ZTODiE"},
    "deliveredAt": "2026-11-21T03:08:12.376Z",
    "createdAt": "2026-11-21T03:08:12.376Z",
    "updatedAt": "2026-11-21T03:08:12.376Z",
}
BODIES: dict[str, Any] = {
    "from an advertisement": {
        "numberId": NUMBER,
        "from": "+5511987654321",
        "type": "text",
        "payload": {"text": "Oi! Vi o anúncio do bolo."},
        "profileName": "Ana ✨",
        "referral": {
            "source_type": "ad",
            "source_id": "120226305854810726",
            "source_url": "https://fb.me/3cr4Wqqkv",
            "ctwa_clid": "Aff-n8ZTODiE",
        },
    },
    "a button": {
        "numberId": NUMBER,
        "from": "+5511987654321",
        "type": "interactive",
        "payload": {"kind": "button_reply", "id": "sim", "title": "Sim"},
    },
    "on Instagram": {
        "instagramAccountId": INSTAGRAM_ACCOUNT,
        "from": "17841400000000001",
        "type": "text",
        "payload": {"text": "Oi!"},
    },
}
