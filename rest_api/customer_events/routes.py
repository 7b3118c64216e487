"""The operations of customer events."""

from core import customer_events
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.customer_events import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call, OtherSuccess


async def list_events(
    call: Call[None, customer_events.CustomerEventFilter],
) -> WrittenPage[customer_events.CustomerEventPage]:
    return await customer_events.list_events(call.caller, call.query)


async def record_event(
    call: Call[customer_events.NewCustomerEvent],
) -> customer_events.CustomerEventRecord | OtherSuccess:
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
        answer=customer_events.CustomerEventPage,
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
        answer=customer_events.CustomerEventRecord,
        answers={"attributed": examples.RECORDED},
        examples={"purchase": examples.PURCHASE},
    ),
]
