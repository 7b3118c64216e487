"""What customers did outside messaging, attributed to the last message that touched them."""

from core.customer_events.errors import AmbiguousEmail, DifferentContacts
from core.customer_events.forget_contact import forget_contact
from core.customer_events.inputs import CustomerEventFilter, EventContact, NewCustomerEvent
from core.customer_events.models import AttributionChannel, CustomerEvent
from core.customer_events.queries import list_events
from core.customer_events.record import (
    CUSTOMER_EVENT,
    AttributionRecord,
    CustomerEventPage,
    CustomerEventRecord,
)
from core.customer_events.record_event import names_runs, record_event

__all__ = [
    "CUSTOMER_EVENT",
    "AmbiguousEmail",
    "AttributionChannel",
    "AttributionRecord",
    "CustomerEvent",
    "CustomerEventFilter",
    "CustomerEventPage",
    "CustomerEventRecord",
    "DifferentContacts",
    "EventContact",
    "NewCustomerEvent",
    "forget_contact",
    "list_events",
    "names_runs",
    "record_event",
]
