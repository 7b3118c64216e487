"""The webhook operations of the interface."""

from core import organizations, webhooks
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import WEBHOOK
from rest_api.webhooks import deliveries, examples


async def list_subscriptions(
    call: Call[None, webhooks.SubscriptionFilter],
) -> WrittenPage[webhooks.SubscriptionPage]:
    return await webhooks.list_subscriptions(call.caller, call.query)


async def subscribe(call: Call[webhooks.NewSubscription]) -> webhooks.NewWebhook:
    return await organizations.subscribe(call.caller, call.body)


async def validate_endpoint(call: Call[webhooks.EndpointCheck]) -> webhooks.EndpointVerdict:
    return await webhooks.validate_endpoint(call.caller, call.body)


async def get_subscription(call: Call) -> webhooks.SubscriptionRecord:
    return await webhooks.get_subscription(call.caller, call.path["id"])


async def change_subscription(
    call: Call[webhooks.SubscriptionChanges],
) -> webhooks.SubscriptionRecord:
    return await webhooks.change_subscription(call.caller, call.path["id"], call.body)


async def rotate_secret(call: Call[webhooks.SecretRotation]) -> webhooks.RevealedSecret:
    return await webhooks.rotate_secret(call.caller, call.path["id"], call.body)


async def unsubscribe(call: Call) -> None:
    await webhooks.unsubscribe(call.caller, call.path["id"])


operations = [
    Operation(
        "GET",
        "/webhooks",
        list_subscriptions,
        Scope.WEBHOOKS_READ,
        "List webhook subscriptions, newest first",
        "Webhooks",
        errors=(401, 403),
        query=webhooks.SubscriptionFilter,
        answer=webhooks.SubscriptionPage,
        answers={"one page": examples.PAGE},
    ),
    Operation(
        "POST",
        "/webhooks",
        subscribe,
        Scope.WEBHOOKS_WRITE,
        "Subscribe an address to events",
        "Webhooks",
        description="The signing secret is answered here once and cannot be read again.",
        errors=(401, 403, 422),
        status=201,
        body=webhooks.NewSubscription,
        answer=webhooks.NewWebhook,
        answers={"subscribed": examples.CREATED},
        examples={
            "deliveries": {
                "url": "https://example.com/hooks/svc",
                "events": ["sms.delivered", "sms.failed", "sms.undelivered"],
            }
        },
    ),
    Operation(
        "POST",
        "/webhooks/validate",
        validate_endpoint,
        Scope.WEBHOOKS_WRITE,
        "Try an endpoint before subscribing it",
        "Webhooks",
        description=(
            "Sends one `webhook.ping`, signed with a secret made for it alone, to the address. "
            "What is wrong with the "
            "address is told in `reason`, not by the status. At most 10 a minute for each "
            "organization."
        ),
        errors=(401, 403, 422, 429),
        body=webhooks.EndpointCheck,
        answer=webhooks.EndpointVerdict,
        answers=examples.VERDICTS,
        examples={
            "address": {"url": "https://example.com/hooks/svc"},
            "with a header": {
                "url": "https://example.com/hooks/svc",
                "headers": [{"key": "Authorization", "value": "Bearer of-your-endpoint"}],
            },
        },
    ),
    Operation(
        "GET",
        "/webhooks/{id}",
        get_subscription,
        Scope.WEBHOOKS_READ,
        "Read one webhook subscription",
        "Webhooks",
        errors=(401, 403, 404),
        answer=webhooks.SubscriptionRecord,
        answers={
            "subscription": examples.SUBSCRIPTION,
            "failing": examples.FAILING,
            "revoked": examples.REVOKED,
        },
        ids={"id": WEBHOOK},
    ),
    Operation(
        "PATCH",
        "/webhooks/{id}",
        change_subscription,
        Scope.WEBHOOKS_WRITE,
        "Change a webhook subscription, pause or resume it",
        "Webhooks",
        description=(
            "What is left out stays. `headers` replaces the whole set; the value `***` keeps the "
            "stored one of that "
            "key. The address cannot change: delete the subscription and create another. "
            "Resuming a revoked one sends "
            "a signed `webhook.ping` first and answers 422 with its reason in `meta.motivo` when "
            "that fails."
        ),
        errors=(401, 403, 404, 422),
        body=webhooks.SubscriptionChanges,
        answer=webhooks.SubscriptionRecord,
        answers={"paused": examples.PAUSED},
        ids={"id": WEBHOOK},
        examples={
            "pause": {"status": "paused"},
            "resume": {"status": "active"},
            "events": {"events": ["sms.delivered", "sms.failed"]},
            "headers": {
                "headers": [
                    {"key": "X-Tenant", "value": "***"},
                    {"key": "Authorization", "value": "Bearer a-new-one"},
                ]
            },
            "retry": {"retry": {"maxAttempts": 12, "backoffSeconds": 60}, "description": None},
        },
    ),
    Operation(
        "POST",
        "/webhooks/{id}/rotate-secret",
        rotate_secret,
        Scope.WEBHOOKS_WRITE,
        "Replace the signing secret",
        "Webhooks",
        description=(
            "The new secret is answered here once and cannot be read again; the previous one is "
            "invalid at once. With "
            "`overlapSeconds` both sign every delivery until then: `t=…,v1=<new>,v1=<previous>`."
        ),
        errors=(401, 403, 404, 422),
        body=webhooks.SecretRotation,
        body_optional=True,
        answer=webhooks.RevealedSecret,
        answers={"rotated": examples.ROTATED},
        ids={"id": WEBHOOK},
        examples={"at once": {}, "within a day": {"overlapSeconds": 86400}},
    ),
    Operation(
        "DELETE",
        "/webhooks/{id}",
        unsubscribe,
        Scope.WEBHOOKS_WRITE,
        "Remove a webhook subscription",
        "Webhooks",
        heavy=True,
        errors=(401, 403, 404),
        status=204,
        ids={"id": WEBHOOK},
    ),
    *deliveries.operations,
]
