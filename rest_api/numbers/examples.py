"""Examples of numbers."""

from rest_api.support.sample_ids import NUMBER, ORGANIZATION

CONNECTED = {
    "id": NUMBER,
    "organizationId": ORGANIZATION,
    "phoneNumberId": "106540352242922",
    "wabaId": "102290129340398",
    "displayPhone": "+5511*****4321",
    "status": "connected",
    "qualityRating": "green",
    "messagingTier": "tier_10k",
    "rateLimit": {"perSecond": 80, "perDay": 10000},
    "meta": {
        "verifiedName": "Loja",
        "byo": False,
        "nameStatus": "approved",
        "partnerRemovedAt": None,
        "partnerRemovedReason": None,
    },
    "profile": {
        "about": "Pedidos e entregas",
        "website": "https://example.com",
        "vertical": "RETAIL",
    },
    "lastMetaSyncAt": "2026-11-21T03:08:12.376Z",
    "createdAt": "2026-11-02T13:41:09.120Z",
    "updatedAt": "2026-11-21T03:08:12.376Z",
}
REMOVED = {
    **CONNECTED,
    "meta": {
        **CONNECTED["meta"],  # type: ignore[dict-item]
        "partnerRemovedAt": "2026-11-20T18:22:40.000Z",
        "partnerRemovedReason": "PARTNER_REMOVED",
    },
}
FLAGGED = {**CONNECTED, "status": "flagged", "qualityRating": "red"}
PAGES = {
    "one page": {"items": [CONNECTED], "total": 1},
    "a filter that cannot be read": {
        "items": [CONNECTED],
        "total": 1,
        "warnings": ["limit_ignorado_invalido"],
    },
}
HEALTHY = {
    "id": NUMBER,
    "status": "connected",
    "qualityRating": "green",
    "messagingTier": "tier_10k",
    "nameStatus": "approved",
    "profile": CONNECTED["profile"],
    "podeEnviar": True,
    "problemas": [],
    "throughput": "standard",
    "verificadoEm": "2026-11-21T03:08:12.376Z",
    "fonte": "ao_vivo",
}
LAST_KNOWN = {
    **{name: value for name, value in HEALTHY.items() if name != "throughput"},
    "problemas": [
        {
            "codigo": "SEM_RESPOSTA",
            "mensagem": "The platform did not answer in time",
            "gravidade": "media",
        },
    ],
    "fonte": "cache",
}
USAGE = {
    "window": "24h",
    "sent": 1841,
    "marketingSent": 1200,
    "since": "2026-11-20T03:08:12.376Z",
    "until": "2026-11-21T03:08:12.376Z",
}
SERIES = {
    "window": "24h",
    "bucket": "day",
    "since": "2026-11-20T00:00:00.000Z",
    "until": "2026-11-21T03:08:12.376Z",
    "points": [
        {"at": "2026-11-20T00:00:00.000Z", "sent": 1841},
        {"at": "2026-11-21T00:00:00.000Z", "sent": 0},
    ],
}
EVENTS = {
    "the quality falls": {"tipo": "quality", "valor": "red"},
    "the tier rises": {"tipo": "tier", "valor": "tier_100k"},
    "the service is removed from the account": {"tipo": "partner_removed"},
    "and comes back": {"tipo": "partner_restored"},
}
