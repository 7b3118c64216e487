"""Examples of the audit trail."""

from rest_api.support.sample_ids import (
    ACCOUNT,
    API_KEY,
    AUDIT_ENTRY,
    NEXT_API_KEY,
    REQUEST,
    WEBHOOK,
)

PAGE = {
    "items": [
        {
            "id": AUDIT_ENTRY,
            "at": "2026-11-21T07:11:30.370Z",
            "actor": {"kind": "account", "id": ACCOUNT},
            "action": "apikey.rotated",
            "subjectId": API_KEY,
            "facts": {"endsAt": "2026-11-22T07:11:30.370Z", "replacedById": NEXT_API_KEY},
            "requestId": REQUEST,
        },
        {
            "id": "aud_2LAPNvm8GnuZhqPU5Yjnk",
            "at": "2026-11-21T07:11:30.161Z",
            "actor": {"kind": "key", "id": API_KEY},
            "action": "webhook.changed",
            "subjectId": WEBHOOK,
            "facts": {"changed": ["status"], "status": "paused"},
            "requestId": "req_GnUVhR4EIusb0h9kE2Ws3",
        },
    ],
    "nextCursor": "WzE3OTUyNDUwOTAxNjE4NzYsImF1ZF8yTEFQTnZtOEdudVpocVBVNVlqbmsiXQ",
}
