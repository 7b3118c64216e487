"""Examples of SMS."""

from rest_api.support.sample_ids import MESSAGE, REPLY, SMPP_ACCOUNT

SENT = {
    "id": MESSAGE,
    "status": "sent",
    "env": "test",
    "route": "premium",
    "to": "+5511*****0005",
    "provider": "svc-sandbox",
    "encoding": "GSM-7",
    "length": 34,
    "segments": 1,
    "createdAt": "2026-11-21T03:08:12.376Z",
    "sentAt": "2026-11-21T03:08:12.376Z",
    "billing": {"coins": 800},
    "metadata": {"order": "A-1042"},
    "replayed": False,
}
QUEUED = {
    **{name: value for name, value in SENT.items() if name != "sentAt"},
    "status": "queued",
    "scheduledAt": "2026-12-01T12:00:00.000Z",
}
SENT_ANSWERS = {
    "sent": SENT,
    "repeated": {**SENT, "replayed": True},
    "queued": QUEUED,
}
CANCELED = {
    **{name: value for name, value in QUEUED.items() if name not in ("billing", "replayed")},
    "status": "failed",
    "reason": "canceled",
    "origem": {"tipo": "api"},
    "failedAt": "2026-11-21T03:09:40.102Z",
}
DELIVERED = {
    **{name: value for name, value in SENT.items() if name not in ("billing", "replayed")},
    "status": "delivered",
    "origem": {"tipo": "smpp", "smppAccountId": SMPP_ACCOUNT},
    "deliveredAt": "2026-11-21T03:08:15.567Z",
    "providerReceipt": {
        "id": "sbx_v0486I4sb9qvmbeLF0zLs",
        "type": "api_message",
        "to": "+5511*****0005",
        "reference": MESSAGE,
        "status": "DELIVRD",
        "statusDescription": "Delivered to the handset",
        "received": "2026-11-21T03:08:15.567Z",
        "bill_factor": 1,
        "channel": "SMS",
    },
}
PAGE = {"items": [DELIVERED], "total": 1}
CURSOR = "WzE3OTUyMzA0OTIzNzYwMDAsIm1zZ192MDQ4Nkk0c2I5cXZtYmVMRjB6THMiXQ"
PAGES = {
    "one page": PAGE,
    "one of many": {"items": [DELIVERED], "total": 7421, "nextCursor": CURSOR},
}
PREVIEW_ANSWERS = {
    "with a price": {
        "body": "Promocao de verao", "encoding": "GSM-7", "length": 17, "segments": 1,
        "billing": {"coins": 800},
    },
    "without a route": {"body": "Promocao de verao", "encoding": "GSM-7", "length": 17, "segments": 1},
    "an emoji": {"body": "Promoção 🎉", "encoding": "UCS-2", "length": 11, "segments": 1, "billing": {"coins": 800}},
}  # fmt: skip
REPLY_RECORD = {
    "id": REPLY,
    "env": "test",
    "inReplyTo": MESSAGE,
    "route": "premium",
    "from": "+5511*****0005",
    "body": "SIM",
    "receivedAt": "2026-11-21T03:10:40.102Z",
    "createdAt": "2026-11-21T03:10:40.102Z",
}
REPLIES = {"items": [REPLY_RECORD], "total": 1}
