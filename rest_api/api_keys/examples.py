"""Examples of API keys."""

from rest_api.support.sample_ids import ACCOUNT, API_KEY, NEXT_API_KEY, WEBHOOK

KEY = {
    "id": API_KEY,
    "nome": "checkout",
    "env": "test",
    "prefixo": "svc_test_Swv",
    "scopes": ["sms:read", "sms:send"],
    "ips": ["203.0.113.0/24"],
    "status": "ativa",
    "createdById": ACCOUNT,
    "createdAt": "2026-11-21T07:11:30.333Z",
    "lastUsedAt": "2026-11-21T09:40:00.000Z",
}
READ = {
    **KEY,
    "webhooks": [{"id": WEBHOOK, "url": "https://example.com/hooks", "status": "active"}],
}
PAGE = {"items": [KEY], "total": 1}
_NEW = {name: value for name, value in KEY.items() if name != "lastUsedAt"}
ISSUED = {**_NEW, "key": "svc_test_SwvulSVcExiK489pa4cdamsjE3am36ZIBljO0000000"}
NARROWED = {**KEY, "scopes": ["sms:read"]}
REVOKED = {
    **KEY,
    "status": "revogada",
    "revokedAt": "2026-11-23T11:30:00.000Z",
    "webhooks": [{"id": WEBHOOK, "url": "https://example.com/hooks", "status": "paused"}],
}
ROTATED = {
    **_NEW,
    "id": NEXT_API_KEY,
    "prefixo": "svc_test_56n",
    "key": "svc_test_56nooFoN8bZawPbwr5xmInGHpvhe3Jc5tqsd30000000",
}
