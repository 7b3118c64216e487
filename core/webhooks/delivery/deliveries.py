"""Delivery log: every delivery of a subscription, its request, and each attempt at it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from operator import attrgetter

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.where import Where
from core.foundation.errors import NotFound
from core.foundation.ids import is_id
from core.foundation.records import WrittenPage, newest_uncounted
from core.foundation.security.caller import Caller, Scope
from core.webhooks.creator import sees_personal_data
from core.webhooks.delivery.record import (
    ATTEMPT,
    DELIVERY,
    DeliveryPage,
    RequestRecord,
    WholeDeliveryRecord,
)
from core.webhooks.events.event_types import COMMON, UNCOMMON, EventType
from core.webhooks.events.payload import body_of
from core.webhooks.inputs import MASKED, DeliveryFilter
from core.webhooks.models import WebhookAttempt, WebhookDeliveryStatus
from core.webhooks.signing.request_headers import headers_of

UNFINISHED = (WebhookDeliveryStatus.PENDING, WebhookDeliveryStatus.RETRYING)
IS_UNFINISHED = (
    "({d}.due_at IS NOT NULL OR {d}.due_at IS NULL AND {d}.status IN ('pendente', 'falhando'))"
)
"""What stands in the indexes of what is due and of what is parked, which are short."""

RARELY: Mapping[str | None, str] = dict.fromkeys(
    {*EventType} - {*COMMON}, f" AND {{events}}.{UNCOMMON}"
)
"""What leads to the index of uncommon events, by type."""

SIGNED = ("X-SVC-Signature", "webhook-timestamp", "webhook-signature")
"""They differ with each attempt, and are not kept."""


async def list_deliveries(
    caller: Caller, id: str, filter: DeliveryFilter
) -> WrittenPage[DeliveryPage]:
    """A page of the deliveries of a subscription, newest first. Raises NotFound."""
    caller.require(Scope.WEBHOOKS_READ)
    there = is_id("wbh", id) and await db.fetch_one_planned(
        THERE, caller.organization_id, caller.env, id, owner=caller.organization_id
    )
    if not there or not there[0]:
        raise NotFound
    where = Where(
        [id, caller.organization_id], ["d.subscription_id = $1", "d.organization_id = $2"]
    )
    narrow_deliveries(
        where,
        "d",
        "e",
        status=filter.status,
        event=filter.event,
        since=filter.from_,
        until=filter.to,
    )
    return await newest_uncounted(
        caller, DELIVERY, "webhook_deliveries", where, filter, alias="d", select=LIST
    )


async def get_delivery(caller: Caller, id: str) -> WholeDeliveryRecord:
    """One delivery with the request as it is sent, and its attempts, oldest first, at most 100.
    Raises NotFound.

    `request.body` is the text that is signed, byte for byte, unless the caller may see less than
    the subscription; then what the endpoint answered reads `***`, since many an endpoint answers
    what it was sent.
    """
    caller.require(Scope.WEBHOOKS_READ)
    rows = (
        await db.fetch(WHOLE, [id], caller.organization_id, caller.env) if is_id("dlv", id) else []
    )
    if not rows:
        raise NotFound
    (row,) = rows
    newest = WebhookAttempt.visible_to(caller).filter(delivery_id=id).order_by("probe", "-id")
    shown = sorted(await newest.limit(MAX_SHOWN_ATTEMPTS), key=attrgetter("id"))
    whose = {"pii_full": row["pii_full"]}
    return {
        **DELIVERY.make_for(caller, row),
        "request": request_record(caller, row),
        "attemptLog": [ATTEMPT.make_for(caller, vars(attempt) | whose) for attempt in shown],
    }


async def requests_of(caller: Caller, ids: Sequence[str]) -> dict[str, RequestRecord]:
    """The requests of several deliveries of the caller's, by their ids."""
    rows = await db.fetch(WHOLE, list(ids), caller.organization_id, caller.env)
    return {row["id"]: request_record(caller, row) for row in rows}


def narrow_deliveries(
    where: Where,
    deliveries: str,
    events: str,
    *,
    status: str | None = None,
    event: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> None:
    """Add the conditions that are asked for, on deliveries and events of these aliases."""
    where.narrow_given((f"{deliveries}.status = {{}}", status), (is_of_type(events, event), event))
    if status in UNFINISHED:
        where.conditions.append(IS_UNFINISHED.format(d=deliveries))
    where.narrow_period(f"{deliveries}.created_at", since, until)


def is_of_type(events: str, type: str | None) -> str:
    """The SQL of a condition on events of an alias, with a place for the type."""
    return f"{events}.type = {{}}{RARELY.get(type, '').format(events=events)}"


def request_record(caller: Caller, row: db.Row) -> RequestRecord:
    """The request of every attempt, without what signs it or is secret in it."""
    body = body_of(
        event_id=row["event_id"],
        type=row["type"],
        occurred_at=row["occurred_at"],
        env=row["env"],
        organization_id=row["organization_id"],
        api_version=row["api_version"],
        data=row["data"],
        unmasked=caller.sees_personal_data and sees_personal_data(row, at=now()),
    )
    headers = headers_of(
        secrets=[UNSIGNED],
        custom={header["key"]: MASKED for header in row["headers"]},
        subscription_id=row["subscription_id"],
        delivery_id=row["id"],
        event_id=row["event_id"],
        type=row["type"],
        attempt=max(row["attempts"], 1),
        body=body,
        at=0,
        replay=row["is_replay"],
    )
    return {
        "url": row["url"],
        "headers": {name: MASKED if name in SIGNED else value for name, value in headers.items()},
        "body": body.decode(),
    }


MAX_SHOWN_ATTEMPTS = 100
"""How many of the attempts at a delivery are shown: each that spent one, and the newest probes. A
receiver that fails for five days is asked once a minute, and may answer 4 KB each time.
"""

SHOWN_ATTEMPTS = f"""
SELECT a.id FROM webhook_attempts a
WHERE a.delivery_id = {{delivery}} AND a.organization_id = {{organization}}
ORDER BY a.probe, a.id DESC LIMIT {MAX_SHOWN_ATTEMPTS}
"""
"""The same for many deliveries, as a subquery."""

UNSIGNED = "whsec_AAAA"
"""Stands where a secret is needed and what it signs is not shown."""

THERE = """
SELECT EXISTS (SELECT FROM webhook_subscriptions WHERE organization_id = $1 AND env = $2 AND id = $3)
"""

LIST = """
SELECT d.*, e.type FROM webhook_deliveries d
JOIN webhook_events e ON e.id = d.event_id AND e.organization_id = d.organization_id
"""

WHOLE = """
SELECT d.*, e.type, e.data, e.occurred_at, s.url, s.headers, s.pii_full, s.pii_until, s.api_version
FROM webhook_deliveries d
JOIN webhook_events e ON e.id = d.event_id AND e.organization_id = d.organization_id
JOIN webhook_subscriptions s ON s.id = d.subscription_id AND s.organization_id = d.organization_id
WHERE d.id = ANY ($1::text[]) AND d.organization_id = $2 AND d.env = $3
"""
