"""Subscriptions under test: changing them as the API does, reading their rows, delivering what is
due.
"""

from typing import Any

import orjson
from standardwebhooks import Webhook, WebhookVerificationError

from core import webhooks
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import ValidationFailed
from core.foundation.http_client import client_for
from core.foundation.security.caller import Caller
from core.foundation.validation.inputs import read_body
from core.webhooks import SubscriptionStatus, WebhookSubscription
from core.webhooks.delivery.in_flight import MAX_IN_FLIGHT
from tests.support.receiver import Arrival


def the_changes(**fields: Any) -> webhooks.SubscriptionChanges:
    """The body of a PATCH as the API reads it."""
    return read_body(webhooks.SubscriptionChanges, orjson.dumps(fields))


async def changed(caller: Caller, id: str, **fields: Any) -> webhooks.SubscriptionRecord:
    """Change these fields; answers the record."""
    return await webhooks.change_subscription(caller, id, the_changes(**fields))


async def everything_of(id: str) -> dict[str, Any]:
    """The whole row, for «nothing changed»."""
    row = await db.fetchrow("SELECT * FROM webhook_subscriptions WHERE id = $1", id)
    assert row is not None
    return dict(row)


async def make(id: str, status: str, *, failures: int = 0) -> None:
    """What the workers do to a subscription over days, in one stroke."""
    await WebhookSubscription.filter(id=id).update(
        status=SubscriptionStatus(status), consecutive_failures=failures
    )


async def confirmed(id: str) -> None:
    """The address of the subscription has answered before."""
    await WebhookSubscription.filter(id=id).update(confirmed_at=now())


async def deliver_all() -> None:
    """Deliver what is due now, also in the transaction of a test, where no claim may meet what is
    being saved: all that an organization has due may be at risk at once.
    """
    await webhooks.resume_queues(at=now())
    await webhooks.Dispatcher(client_for(webhooks.policy()), max_at_risk=MAX_IN_FLIGHT).drain()


def standard_accepts(secret: str, arrival: Arrival) -> bool:
    """Whether the public Standard Webhooks library verifies the delivery with this secret."""
    try:
        Webhook(secret).verify(arrival.body, dict(arrival.headers))
    except WebhookVerificationError:
        return False
    return True


def refused_fields(refusal: ValidationFailed) -> list[tuple[str, str]]:
    """Where and what of every field that a refusal names."""
    return [(error.where, error.code) for error in refusal.errors]
