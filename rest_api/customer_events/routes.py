"""The operations of customer events."""

from typing import Any

from core import customer_events
from core.foundation.security.caller import Scope
from rest_api.customer_events import examples
from rest_api.customer_events.shapes import CustomerEventPage, CustomerEventRecord
from rest_api.support.operations import Operation
from rest_api.support.requests import Call, OtherSuccess


async def list_events(call: Call) -> dict[str, Any]:
    return await customer_events.list_events(call.caller, call.query)


async def record_event(call: Call) -> dict[str, Any] | OtherSuccess:
    recorded = await customer_events.record_event(call.caller, call.body)
    return OtherSuccess(recorded) if recorded["duplicate"] else recorded


operations = [
    Operation(
        "GET",
        "/v2/events",
        list_events,
        Scope.CONTACTS_READ,
        "List the customer events of a period, newest first",
        "Customer events",
        errors=(400, 401, 403),
        query=customer_events.CustomerEventFilter,
        answer=CustomerEventPage,
        answers={"one page": examples.PAGE},
    ),
    Operation(
        "POST",
        "/v2/events",
        record_event,
        Scope.CONTACTS_WRITE,
        "Record what a customer did",
        "Customer events",
        description=(
            "It is attributed to the last message that was sent to the same contact inside the "
            "window, on any channel. "
            "The same `eventId` again answers 200 with what is stored. An unknown contact is no "
            "error."
        ),
        errors=(400, 401, 403, 422),
        status=201,
        other_status=200,
        body=customer_events.NewCustomerEvent,
        answer=CustomerEventRecord,
        answers={"attributed": examples.RECORDED},
        examples={"purchase": examples.PURCHASE},
    ),
]
