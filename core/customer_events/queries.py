"""Reading customer events."""

from core.customer_events.conditions import narrow_events
from core.customer_events.inputs import CustomerEventFilter
from core.customer_events.record import CUSTOMER_EVENT, CustomerEventPage
from core.foundation.database.where import Where
from core.foundation.records import WrittenPage, newest_uncounted
from core.foundation.security.caller import Caller, Scope


async def list_events(
    caller: Caller, filter: CustomerEventFilter
) -> WrittenPage[CustomerEventPage]:
    """A page of events that happened in the period, both ends included, newest first."""
    caller.require(Scope.CONTACTS_READ)
    where = Where.visible_to(caller)
    narrow_events(
        where, since=filter.from_, until=filter.to, name=filter.name, contact_id=filter.contact_id
    )
    return await newest_uncounted(
        caller, CUSTOMER_EVENT, "customer_events", where, filter, by="occurred_at"
    )
