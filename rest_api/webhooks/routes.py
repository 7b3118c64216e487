"""The webhook operations of the interface."""

from typing import Any

from core import webhooks
from core.foundation.caller import Scope
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.webhooks.shapes import NewWebhook, Webhook, WebhookPage


async def list_subscriptions(call: Call) -> dict[str, Any]:
    page = await webhooks.list_subscriptions(call.caller, call.query)
    warnings = [*call.warnings, *page.get("warnings", ())]
    return {**page, "warnings": warnings} if warnings else page


async def subscribe(call: Call) -> dict[str, Any]:
    return await webhooks.subscribe(call.caller, call.body)


async def get_subscription(call: Call) -> dict[str, Any]:
    return await webhooks.get_subscription(call.caller, call.path["id"])


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
        answer=WebhookPage,
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
        answer=NewWebhook,
        examples={
            "deliveries": {
                "url": "https://example.com/hooks/svc",
                "events": ["sms.delivered", "sms.failed", "sms.undelivered"],
            }
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
        answer=Webhook,
    ),
    Operation(
        "DELETE",
        "/webhooks/{id}",
        unsubscribe,
        Scope.WEBHOOKS_WRITE,
        "Remove a webhook subscription",
        "Webhooks",
        errors=(401, 403, 404),
        status=204,
    ),
]
