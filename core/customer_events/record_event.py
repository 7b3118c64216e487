"""Recording what a customer did, attributed to the last message that touched the same contact."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from uuid import UUID

from core.customer_events.inputs import NewCustomerEvent
from core.customer_events.models import CustomerEvent
from core.customer_events.record import CUSTOMER_EVENT, CustomerEventRecord
from core.customer_events.resolve_contact import find_contact
from core.foundation.absent import without_none
from core.foundation.clock import as_shown, now, wire_time
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope

NameRun = Callable[[Caller, UUID, int], Awaitable[Mapping[str, str]]]

_name_run: list[NameRun] = []


def names_runs(name: NameRun) -> NameRun:
    """Register who tells the ids of the journey, the step and the run that sent a message."""
    _name_run.append(name)
    return name


async def record_event(caller: Caller, new: NewCustomerEvent) -> CustomerEventRecord:
    """Store an event once per `eventId`: the record, with `duplicate` true when it was there
    already.

    Raises ValidationFailed when the identifiers name different contacts. (Interface: Endpoints,
    Customer events.)
    """
    caller.require(Scope.CONTACTS_WRITE)
    at = now()
    async with transaction():
        if (stored := await _stored(caller, new.event_id)) is not None:
            return stored
        contact_id, external_id = await find_contact(caller, new.contact)
        occurred_at = new.occurred_at or at
        touch = await _last_touch(
            caller, contact_id, occurred_at, hours=new.attribution_window_hours
        )
        row = await db.fetchrow(
            INSERT,
            new_id("cev"),
            caller.organization_id,
            caller.env,
            new.name,
            new.event_id,
            contact_id,
            external_id or new.contact.external_id,
            occurred_at,
            None if new.value is None else Decimal(str(new.value)),
            new.currency if new.value is not None or "currency" in new.model_fields_set else None,
            new.properties,
            touch,
            touch and touch.get("campaignId"),
            at,
        )
        if row is not None:
            return CUSTOMER_EVENT.make_for(caller, row)
        # The same event arrived at the same time, and the other was first.
        stored = await _stored(caller, new.event_id)
        assert stored is not None
        return stored


async def _stored(caller: Caller, event_id: str) -> CustomerEventRecord | None:
    """The event that was recorded before under this id."""
    found = await CustomerEvent.visible_to(caller).get_or_none(event_id=event_id)
    if found is None:
        return None
    return {**CUSTOMER_EVENT.make_for(caller, vars(found)), "duplicate": True}


async def _last_touch(
    caller: Caller, contact_id: str | None, occurred_at: datetime, *, hours: int
) -> dict[str, object] | None:
    """The most recent message to the contact inside the window, on any channel, as the record shows
    it.
    """
    if contact_id is None:
        return None
    # Who tells the time at which a message was shown to be sent means that message.
    latest = as_shown(occurred_at)
    row = await db.fetchrow(
        LAST_TOUCH,
        caller.organization_id,
        caller.env,
        contact_id,
        latest,
        occurred_at,
        timedelta(hours=hours),
    )
    if row is None:
        return None
    journey: dict[str, str] = {}
    if row["journey_run"] is not None:
        for name in _name_run:
            journey |= await name(caller, row["journey_run"], row["journey_step"])
    touch = {
        "messageId": row["id"],
        "channel": row["channel"],
        "campaignId": row["campaign_id"],
        "sentAt": wire_time(row["sent_at"]),
        "horasAteOEvento": round((latest - row["sent_at"]) / timedelta(hours=1), 2),
        **journey,
    }
    return without_none(touch)


# A message is created before it is sent: what was created after the event cannot have touched it.
# Laid aside, it is told by its moments whether it had failed.
LAST_TOUCH = """
SELECT id, channel, campaign_id, sent_at, journey_run, journey_step FROM messages
WHERE organization_id = $1 AND env = $2 AND contact_id = $3 AND created_at <= $4 AND direction = 'outbound'
  AND sent_at <= $4 AND sent_at >= $5::timestamptz - $6::interval AND status <> 'failed'
  AND (status <> 'archived' OR failed_at IS NULL)
ORDER BY sent_at DESC, id DESC LIMIT 1
"""

INSERT = """
INSERT INTO customer_events
    (id, organization_id, env, name, event_id, contact_id, contact_external_id, occurred_at, value, currency,
     properties, attribution, campaign_id, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
ON CONFLICT (organization_id, env, event_id) DO NOTHING
RETURNING *
"""
