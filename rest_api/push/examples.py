"""Examples of push."""

from typing import Any

from rest_api.support.sample_ids import CONTACT, DEVICE, DISPATCH, SEGMENT

TOKEN = "fcm-token-of-the-installation"  # noqa: S105 - an example
NEW_DEVICE: dict[str, Any] = {
    "appId": "loja",
    "token": TOKEN,
    "platform": "android",
    "externalId": "cliente-1042",
    "userName": "Ana Souza",
    "userEmail": "ana@example.com",
    "deviceName": "Pixel 9",
    "topics": ["ofertas"],
}
BROWSER: dict[str, Any] = {
    "appId": "loja",
    "token": "https://push.example.com/send/abc123",
    "platform": "web",
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
}
LISTED_DEVICE = {
    "id": DEVICE,
    "appId": "loja",
    "platform": "android",
    "tokenEnd": "lation",
    "active": True,
    "optedIn": True,
    "env": "test",
    "contactId": CONTACT,
    "externalId": "cliente-1042",
    "topics": ["ofertas"],
    "createdAt": "2026-11-21T12:00:00.000Z",
    "updatedAt": "2026-11-21T12:00:00.000Z",
}
DEVICES = {"items": [LISTED_DEVICE]}
REGISTERED = {**LISTED_DEVICE, "criado": True}
GUESSED = {**REGISTERED, "warnings": ["platform_presumida: android"]}
OPTED_OUT = {"id": DEVICE, "optedIn": False, "optedOutAt": "2026-11-21T12:00:00.000Z"}
OF_DEVICE = {"appId": "loja", "token": TOKEN}

TO_SEGMENT: dict[str, Any] = {
    "title": "Só hoje",
    "body": "Frete grátis até a meia-noite.",
    "platforms": ["ios", "android", "web"],
    "segment": "all_opt_in",
    "deepLink": "loja://ofertas",
    "actions": [{"label": "Ver ofertas", "link": "loja://ofertas"}],
}
TO_DEVICES: dict[str, Any] = {
    "title": "Pedido a caminho",
    "body": "Seu pedido saiu para entrega.",
    "platforms": ["android"],
    "tokenIds": [DEVICE],
}
SCHEDULED: dict[str, Any] = {
    "title": "Bom dia",
    "body": "A loja abriu.",
    "platforms": ["ios"],
    "segment": SEGMENT,
    "scheduledAt": "2026-12-01T12:00:00Z",
}

_NOTHING = {"delivered": 0, "opened": 0, "failed": 0}
QUEUED: dict[str, Any] = {
    "id": DISPATCH,
    "env": "test",
    "origin": "api",
    "status": "queued",
    **TO_SEGMENT,
    "rateKind": "rich",
    "billing": {"unitCoins": 40, "reservedCoins": 51200, "capturedCoins": 0},
    "metrics": {"reach": 1280, "delivered": 0, "opened": 0, "failed": 0, "optedOut": 0},
    "breakdown": {"ios": _NOTHING, "android": _NOTHING, "web": _NOTHING, "desconhecida": _NOTHING},
    "createdAt": "2026-11-21T12:00:00.000Z",
}
DEFERRED = {**QUEUED, "status": "deferred", "quietDeferredTo": "2026-11-22T11:00:00.000Z"}
REACHES_NOBODY = {
    **QUEUED,
    "billing": {"unitCoins": 40, "reservedCoins": 0, "capturedCoins": 0},
    "metrics": {"reach": 0, "delivered": 0, "opened": 0, "failed": 0, "optedOut": 0},
    "warnings": ["nenhum_dispositivo_alcancado"],
}
SENT = {
    **QUEUED,
    "status": "sent",
    "billing": {"unitCoins": 40, "reservedCoins": 0, "capturedCoins": 50800},
    "metrics": {"reach": 1280, "delivered": 1270, "opened": 310, "failed": 10, "optedOut": 2},
    "breakdown": {
        "ios": {"delivered": 400, "opened": 90, "failed": 2},
        "android": {"delivered": 800, "opened": 215, "failed": 7},
        "web": {"delivered": 70, "opened": 5, "failed": 1},
        "desconhecida": _NOTHING,
    },
    "startedAt": "2026-11-21T12:00:00.100Z",
    "completedAt": "2026-11-21T12:00:01.300Z",
}
CANCELED = {
    **DEFERRED,
    "status": "canceled",
    "billing": {"unitCoins": 40, "reservedCoins": 0, "capturedCoins": 0},
    "completedAt": "2026-11-21T12:05:00.000Z",
}
PAGE = {"items": [SENT]}
PREVIEW = {
    "reach": 1280,
    "breakdown": {"ios": 402, "android": 807, "web": 71},
    "rateKind": "simple",
    "unitCoins": 20,
    "coins": 25600,
    "charged": True,
}

WEB_APP: dict[str, Any] = {
    "appId": "loja",
    "name": "Loja",
    "web": {"contact": "mailto:push@example.com"},
}
APP = {
    "appId": "loja",
    "env": "test",
    "name": "Loja",
    "providers": ["vapid"],
    "vapidPublicKey": BROWSER["p256dh"],
    "createdAt": "2026-11-21T12:00:00.000Z",
    "updatedAt": "2026-11-21T12:00:00.000Z",
}
QUIET: dict[str, Any] = {
    "janelaSilencio": {"inicio": "22:00", "fim": "08:00", "fuso": "America/Sao_Paulo"},
    "excecoes": ["silent"],
}
