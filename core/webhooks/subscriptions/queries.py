"""Reading one subscription, and a page of them."""

from datetime import datetime
from typing import Any

from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.database.newest_page import newest_page
from core.foundation.database.where import Where
from core.foundation.errors import NotFound
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller, Scope
from core.webhooks.creator import sees_personal_data
from core.webhooks.delivery.circuit_breaker import REVOKE_AFTER
from core.webhooks.inputs import MASKED, SubscriptionFilter
from core.webhooks.models import SubscriptionStatus, WebhookSubscription


async def get_subscription(caller: Caller, id: str) -> dict[str, Any]:
    """One subscription of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.WEBHOOKS_READ)
    subscription = (
        await WebhookSubscription.visible_to(caller).get_or_none(id=id)
        if is_id("wbh", id)
        else None
    )
    if subscription is None:
        raise NotFound
    return subscription_record(vars(subscription))


async def list_subscriptions(caller: Caller, filter: SubscriptionFilter) -> dict[str, Any]:
    """A page of subscriptions, newest first: `{items, total, nextCursor?, warnings?}`.

    A cursor that cannot be read gives an empty page, never the first one: that would loop a
    synchronisation.
    """
    caller.require(Scope.WEBHOOKS_READ)
    where = Where.visible_to(caller)
    narrow_subscriptions(where, status=filter.status, event=filter.event)
    return await newest_page(
        "webhook_subscriptions", where, filter, subscription_record, warns=True
    )


def narrow_subscriptions(
    where: Where, *, status: str | None = None, event: str | None = None
) -> None:
    """Add the conditions that are asked for. `event`: one of those that are subscribed."""
    if status is not None:
        where.narrow("status = {}", status)
    if event is not None:
        where.narrow("events @> ARRAY[{}::text]", event)


def subscription_record(row: db.Row) -> dict[str, Any]:
    """The record of a row, or of a model's `vars`; header values never leave."""
    is_failing = row["status"] == SubscriptionStatus.FAILING
    failing_since = row["failing_since"]
    record: dict[str, Any] = {
        "id": row["id"],
        "organizationId": row["organization_id"],
        "url": row["url"],
        "secretCipher": row["secret_cipher"],
        "secretVersion": row["secret_version"],
        "headers": masked_headers(row["headers"]),
        "events": row["events"],
        "status": str(row["status"]),
        "description": row["description"],
        "retry": {"maxAttempts": row["max_attempts"], "backoffSeconds": row["backoff_seconds"]},
        "piiFull": sees_personal_data(row, at=now()),
        "apiVersion": row["api_version"],
        "createdById": row["created_by_id"],
        "confirmedAt": _time(row["confirmed_at"]),
        "consecutiveFailures": row["consecutive_failures"],
        "lastSuccessAt": _time(row["last_success_at"]),
        "lastFailureAt": _time(row["last_failure_at"]),
        "failuresSince": _time(row["failures_since"]),
        "failingSince": _time(failing_since),
        "nextProbeAt": _time(row["probe_at"]) if is_failing else None,
        "revokesAt": _time(failing_since + REVOKE_AFTER) if failing_since else None,
        "revokedReason": row["revoked_reason"],
        "createdAt": wire_time(row["created_at"]),
        "updatedAt": wire_time(row["updated_at"]),
    }
    return {name: value for name, value in record.items() if value is not None}


def _time(at: datetime | None) -> str | None:
    return wire_time(at) if at else None


def masked_headers(headers: list[dict[str, str]]) -> list[dict[str, str]]:
    """Custom headers by their keys; their values are not shown to anybody."""
    return [{"key": header["key"], "value": MASKED} for header in headers]
