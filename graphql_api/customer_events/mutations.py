"""What can be done with customer events."""

from core import customer_events
from core.dashboards.customer_events import CUSTOMER_EVENT
from core.foundation.security.caller import Scope
from graphql_api.customer_events.types import CustomerEvent
from graphql_api.mutations import deeds, does


@deeds
class CustomerEventMutations:
    record_customer_event: CustomerEvent | None = does(
        customer_events.record_event,
        customer_events.NewCustomerEvent,
        scope=Scope.CONTACTS_WRITE,
        answers=CUSTOMER_EVENT,
        tells=("duplicate",),
        description="Once for each `eventId`: sent again, it answers what is stored, with `duplicate`.",
    )
