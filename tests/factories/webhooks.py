"""Webhook subscriptions and events for tests."""

from datetime import datetime
from typing import Any

from core import organizations, webhooks
from core.foundation.clock import now
from core.foundation.security.caller import Caller


def a_new_subscription(
    url: str = "http://127.0.0.1:9009/hooks", **changes: Any
) -> webhooks.NewSubscription:
    """The input; `changes` are fields of the body by their name."""
    return webhooks.NewSubscription.model_validate(
        {"url": url, "events": ["sms.delivered"], **changes}
    )


async def a_subscription(
    caller: Caller, url: str = "http://127.0.0.1:9009/hooks", **changes: Any
) -> webhooks.NewWebhook:
    """Subscribe; answers `{webhook, reveal}`. Nobody listens at the address unless one is given."""
    return await organizations.subscribe(caller, a_new_subscription(url, **changes))


async def an_event(
    caller: Caller, type: str = "sms.delivered", *, at: datetime | None = None, **data: Any
) -> None:
    """Publish one event of the caller's organization."""
    await webhooks.publish(
        caller, type, {"id": "msg_1", "to": "+5511987654321", **data}, at=at or now()
    )
