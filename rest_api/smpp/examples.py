"""Examples of accounts of SMPP."""

from rest_api.support.sample_ids import MESSAGE, SMPP_ACCOUNT, SMPP_BIND

ACCOUNT = {
    "id": SMPP_ACCOUNT,
    "env": "live",
    "systemId": "kannel",
    "route": "premium",
    "ips": ["203.0.113.0/24"],
    "maxBinds": 4,
    "window": 100,
    "throttle": "pace",
    "charset": "gsm",
    "dedupeSeconds": 90,
    "receipts": "as_asked",
    "receiptIds": "all",
    "receiptZone": "America/Sao_Paulo",
    "longReplies": "parts",
    "createdAt": "2026-11-27T07:11:30.333Z",
}
PAGE = {"items": [ACCOUNT], "total": 1}
OPENED = {**ACCOUNT, "password": "q7TzR2mK"}
CHANGED = {**ACCOUNT, "window": 50}
BIND = {
    "id": SMPP_BIND,
    "accountId": SMPP_ACCOUNT,
    "env": "live",
    "mode": "transceiver",
    "peer": "203.0.113.7",
    "process": "prc_7hJk2LzXc5VbNm9QwErTy",
    "submits": 10_417,
    "deliveries": 9_862,
    "windowUsed": 17,
    "openedAt": "2026-11-27T07:12:01.120Z",
    "heardAt": "2026-11-27T09:40:11.004Z",
}
BINDS = {"items": [BIND], "total": 1}
DELIVERY = {
    "id": MESSAGE,
    "accountId": SMPP_ACCOUNT,
    "env": "live",
    "kind": "receipt",
    "status": "waiting",
    "messageId": MESSAGE,
    "attempts": 2,
    "createdAt": "2026-11-27T09:38:00.500Z",
    "dueAt": "2026-11-27T09:41:30.000Z",
}
OUTBOX = {"items": [DELIVERY], "total": 1}
