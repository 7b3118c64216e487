"""Replay: sending past events to a subscription again, as new deliveries with the same data."""

from datetime import datetime

from core import audit
from core.foundation.absent import existing
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.rows import column, pairs_of
from core.foundation.database.transactions import transaction
from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.ids import well_formed_id
from core.foundation.jobs import Job, wake
from core.foundation.security.caller import Caller, Scope
from core.webhooks.delivery.record import Replayed
from core.webhooks.errors import AddressUnconfirmed
from core.webhooks.events.retention import event_retention
from core.webhooks.inputs import Replay
from core.webhooks.models import WebhookDeliveryStatus

MAX_EVENTS = 100_000
"""Events of one request: it is one statement, and its deliveries are all due at once."""

ENDED = (
    WebhookDeliveryStatus.DELIVERED,
    WebhookDeliveryStatus.DEAD,
    WebhookDeliveryStatus.HELD_BACK,
)


async def replay_deliveries(caller: Caller, id: str, wanted: Replay) -> Replayed:
    """Queue deliveries once more, each under a new id. All are asked for, or none.

    To a paused or revoked subscription they go when it is resumed. Raises NotFound,
    AddressUnconfirmed, and ValidationFailed for a delivery that the subscription does not have (any
    more), for a time that ends before it begins, or for more than 100,000.
    """
    caller.require(Scope.WEBHOOKS_WRITE)
    well_formed_id("wbh", id)
    if wanted.from_ is not None and wanted.to is not None and wanted.to < wanted.from_:
        raise _wrong_time(
            "too_small", "The time ends before it begins; send a to that is not before from"
        )
    at = now()
    async with transaction():
        # Who asks at the same time sees what is queued here, and does not queue it too.
        await db.execute("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", f"replay:{id}")
        # Not removed meanwhile: what would be queued for it could never leave.
        found = existing(await db.fetchrow(LOCKED, id, caller.organization_id, caller.env))
        if found["confirmed_at"] is None:
            raise AddressUnconfirmed
        events = await _events_of(caller, id, wanted, kept_since=at - event_retention())
        if events:
            await db.execute(QUEUE, events, id, caller.organization_id, caller.env, at)
            await wake(Job.DELIVER_WEBHOOKS)
        facts = {
            "requested": len(events),
            "by": "ids" if wanted.delivery_ids is not None else "time",
        }
        await audit.write_entry(caller, "webhook.replayed", id, facts, at=at)
    return {"requested": len(events)}


async def _events_of(caller: Caller, id: str, wanted: Replay, *, kept_since: datetime) -> list[str]:
    if wanted.delivery_ids is not None:
        return await _events_by_ids(caller, id, wanted.delivery_ids, kept_since)
    rows = await db.fetch(
        BY_PERIOD,
        id,
        max(kept_since, wanted.from_ or kept_since),
        wanted.to,
        wanted.events,
        [wanted.status] if wanted.status is not None else [status.value for status in ENDED],
        MAX_EVENTS + 1,
        caller.organization_id,
    )
    if len(rows) > MAX_EVENTS:
        raise _wrong_time(
            "too_many",
            f"The time holds more than {MAX_EVENTS:,} events; ask for a shorter one, or for "
            f"fewer kinds",
        )
    return column(rows, "event_id")


async def _events_by_ids(
    caller: Caller, id: str, deliveries: list[str], kept_since: datetime
) -> list[str]:
    rows = await db.fetch(BY_IDS, id, deliveries, kept_since, caller.organization_id)
    found = pairs_of(rows, "id", "event_id")
    message = "The subscription has no such delivery, or it is older than 30 days"
    unknown = [
        FieldError("pointer", f"/deliveryIds/{place}", "not_found", message)
        for place, delivery in enumerate(deliveries)
        if delivery not in found
    ]
    if unknown:
        raise ValidationFailed(errors=unknown)
    return list(dict.fromkeys(found[delivery] for delivery in deliveries))


def _wrong_time(code: str, message: str) -> ValidationFailed:
    return ValidationFailed(errors=[FieldError("pointer", "/to", code, message)])


LOCKED = """
SELECT confirmed_at FROM webhook_subscriptions WHERE id = $1 AND organization_id = $2 AND env = $3 FOR SHARE
"""

BY_IDS = """
SELECT d.id, d.event_id FROM webhook_deliveries d
JOIN webhook_events e ON e.id = d.event_id AND e.organization_id = d.organization_id
WHERE d.id = ANY ($2::text[]) AND d.subscription_id = $1 AND d.organization_id = $4 AND e.created_at >= $3
"""

# By the first delivery, so that what was sent again is found where it was; by its last, so that it
# is not sent twice.
BY_PERIOD = """
SELECT d.event_id
FROM webhook_deliveries d
JOIN webhook_events e ON e.id = d.event_id AND e.organization_id = d.organization_id
CROSS JOIN LATERAL (
    SELECT l.status FROM webhook_deliveries l
    WHERE l.event_id = d.event_id AND l.subscription_id = d.subscription_id AND l.organization_id = d.organization_id
    ORDER BY l.created_at DESC, l.id DESC LIMIT 1
) AS latest
WHERE d.subscription_id = $1 AND d.organization_id = $7 AND d.created_at BETWEEN $2 AND $3 AND NOT d.is_replay
  AND ($4::text[] IS NULL OR e.type = ANY ($4)) AND latest.status = ANY ($5::text[])
ORDER BY d.created_at LIMIT $6
"""

QUEUE = """
INSERT INTO webhook_deliveries
    (id, organization_id, env, subscription_id, event_id, status, is_replay, attempts, due_at, created_at)
SELECT svc_new_id('dlv'), $3, $4, $2, event_id, 'pendente', TRUE, 0, $5, $5
FROM unnest($1::text[]) AS event_id
"""
