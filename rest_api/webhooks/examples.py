"""Examples of webhook subscriptions."""

from core.webhooks.event_types import API_VERSION
from rest_api.support.sample_ids import ACCOUNT, ORGANIZATION, WEBHOOK

SUBSCRIPTION = {
    "id": WEBHOOK,
    "organizationId": ORGANIZATION,
    "url": "https://example.com/hooks/svc",
    "secretCipher": "OqW3bN-6.jhdERfyIbgP9lSgGcKmnHcK8h0gt0Ge6dIc6VTNwE0Me9j5xbqqz7pNi",
    "secretVersion": 1,
    "headers": [{"key": "X-Tenant", "value": "***"}],
    "events": ["sms.delivered", "sms.failed", "sms.undelivered"],
    "status": "active",
    "retry": {"maxAttempts": 8, "backoffSeconds": 30},
    "piiFull": False,
    "apiVersion": API_VERSION,
    "createdById": ACCOUNT,
    "consecutiveFailures": 0,
    "createdAt": "2026-11-21T03:00:00.138Z",
    "updatedAt": "2026-11-21T03:00:00.138Z",
}
PAUSED = {**SUBSCRIPTION, "status": "paused", "updatedAt": "2026-11-21T04:12:30.161Z"}
PAGE = {"items": [SUBSCRIPTION], "total": 1}
SECRET = {
    "id": WEBHOOK,
    "secret": "whsec_ZDuXtuCTif2tYNpvMLR1F7K8nT8M8Fnl",
    "secretVersion": 1,
    "createdAt": "2026-11-21T03:00:00.138Z",
}
CREATED = {"webhook": SUBSCRIPTION, "reveal": SECRET}
ROTATED = {**SECRET, "secret": "whsec_xUhHgXP5zxOmFpj3ZW39yY5C7BIRyKSk", "secretVersion": 2}
VERDICTS = {
    "it answers": {"ok": True, "statusCode": 200, "latencyMs": 48},
    "it refuses": {
        "ok": False,
        "statusCode": 401,
        "latencyMs": 51,
        "reason": "non_2xx",
        "message": "The endpoint must answer a webhook.ping with a status from 200 to 299.",
    },
    "it is not public": {
        "ok": False,
        "reason": "ssrf_blocked",
        "message": "The host must be reachable on the public internet, under every address that its name has.",
    },
}
