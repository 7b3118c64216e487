"""Examples of webhook subscriptions."""

import json

from core.webhooks.events.event_types import API_VERSION
from rest_api.openapi.event_examples import example_of
from rest_api.support.sample_ids import ACCOUNT, DELIVERY, EVENT, ORGANIZATION, WEBHOOK

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
    "confirmedAt": "2026-11-21T09:16:31.512Z",
    "apiVersion": API_VERSION,
    "createdById": ACCOUNT,
    "consecutiveFailures": 0,
    "createdAt": "2026-11-21T03:00:00.138Z",
    "updatedAt": "2026-11-21T03:00:00.138Z",
}
PAUSED = {**SUBSCRIPTION, "status": "paused", "updatedAt": "2026-11-21T04:12:30.161Z"}
FAILING = {
    **SUBSCRIPTION,
    "status": "failing",
    "consecutiveFailures": 9,
    "lastSuccessAt": "2026-11-21T03:20:11.402Z",
    "lastFailureAt": "2026-11-21T04:02:10.035Z",
    "failuresSince": "2026-11-21T03:41:52.318Z",
    "failingSince": "2026-11-21T03:58:07.911Z",
    "nextProbeAt": "2026-11-21T04:03:10.035Z",
    "revokesAt": "2026-11-26T03:58:07.911Z",
}
REVOKED = {
    **SUBSCRIPTION,
    "status": "revoked",
    "consecutiveFailures": 1,
    "lastSuccessAt": "2026-11-21T03:20:11.402Z",
    "lastFailureAt": "2026-11-21T03:41:52.318Z",
    "failuresSince": "2026-11-21T03:41:52.318Z",
    "revokedReason": "gone",
}
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
        "message": "The endpoint must answer with a status from 200 to 299.",
    },
    "it is not public": {
        "ok": False,
        "reason": "ssrf_blocked",
        "message": "The host must be reachable on the public internet, under every address that "
        "its name has.",
    },
}

DELIVERED = {
    "id": DELIVERY,
    "webhookId": WEBHOOK,
    "eventId": EVENT,
    "type": "sms.delivered",
    "status": "entregue",
    "attempts": 1,
    "replay": False,
    "lastStatusCode": 200,
    "lastLatencyMs": 48,
    "createdAt": "2026-11-21T03:08:15.601Z",
    "finishedAt": "2026-11-21T03:08:15.702Z",
}
DEAD = {
    **DELIVERED,
    "status": "morta",
    "attempts": 2,
    "lastStatusCode": 500,
    "finishedAt": "2026-11-21T03:08:46.120Z",
}
DELIVERIES = {
    "items": [DELIVERED],
    "nextCursor": "WzE3OTUyNDUwOTAxNjE4NzYsImRsdl81dEdoMkprTHA5UXdFclR5VWlPYVMiXQ",
}
WHOLE_DELIVERY = {
    **DEAD,
    "request": {
        "url": "https://example.com/hooks/svc",
        "headers": {
            "X-Tenant": "***",
            "X-SVC-Signature": "***",
            "webhook-id": EVENT,
            "webhook-timestamp": "***",
            "webhook-signature": "***",
            "Content-Type": "application/json",
            "X-SVC-Webhook-Id": WEBHOOK,
            "X-SVC-Event": "sms.delivered",
            "X-SVC-Delivery-Id": DELIVERY,
            "X-SVC-Attempt": "2",
        },
        "body": json.dumps(example_of("sms.delivered"), ensure_ascii=False, separators=(",", ":")),
    },
    "attemptLog": [
        {
            "at": "2026-11-21T03:08:15.640Z",
            "probe": False,
            "statusCode": 500,
            "latencyMs": 48,
            "responseBody": "out of order",
        },
        {"at": "2026-11-21T03:08:46.072Z", "probe": False, "statusCode": 500, "latencyMs": 48},
    ],
}
SAMPLE_VERDICTS = {
    "it answers": {
        "ok": True,
        "statusCode": 200,
        "latencyMs": 48,
        "eventId": EVENT,
        "deliveryId": DELIVERY,
    },
    "it hangs": {
        "ok": False,
        "latencyMs": 15002,
        "reason": "timeout",
        "message": (
            "The endpoint must take the connection within 5 seconds and answer within 15 seconds; "
            "let it answer first and work afterwards."
        ),
        "eventId": EVENT,
        "deliveryId": DELIVERY,
    },
}
RECEIVED = {
    "headers": {
        "X-SVC-Webhook-Id": WEBHOOK,
        "X-SVC-Delivery-Id": DELIVERY,
        "X-SVC-Signature": "t=1795230240,v1=7d2c6d8ad0a0c2f5e1b7a3f0c4d59e8f6a1b2c3d4e5f60718293a4b5c6d7e8f9",
    },
    "body": '{"id":"evt_7pWx4VbNmKjHgFdSaQzYr","type":"sms.delivered"}\n',
}
SIGNATURE_VERDICTS = {
    "it fits": {
        "ok": True,
        "message": (
            "The signature is right. If your code refuses this request, it works with another "
            "secret, or with a body "
            "that was parsed and written again."
        ),
        "subscriptionId": WEBHOOK,
        "secretVersion": 1,
        "signedAt": "2026-11-21T03:04:00.000Z",
        "bodyBytes": 57,
    },
    "the body was changed": {
        "ok": False,
        "failingStep": "body",
        "message": (
            "The body was changed after it was signed: spaces or line breaks were added around "
            "it. Check the raw bytes."
        ),
        "subscriptionId": WEBHOOK,
        "signedAt": "2026-11-21T03:04:00.000Z",
        "bodyBytes": 58,
    },
}
FEED = {
    "items": [example_of("sms.delivered")],
    "nextCursor": "WzQyNjgxLDksMTc5NTIzMDI0MF0",
    "hasMore": False,
}
EVENT_TYPES = {
    "items": [
        {
            "name": "sms.delivered",
            "description": "The carrier reported that the SMS arrived.",
            "schema": {
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "type": "object",
                "required": [
                    "id",
                    "type",
                    "timestamp",
                    "env",
                    "organizationId",
                    "apiVersion",
                    "data",
                ],
                "properties": {
                    "id": {"type": "string"},
                    "type": {"const": "sms.delivered"},
                    "data": {"type": "object"},
                },
            },
            "example": example_of("sms.delivered"),
        }
    ]
}
