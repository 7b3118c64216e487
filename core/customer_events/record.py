"""A customer event as the interface spells it, with the message that it is attributed to."""

from typing import Annotated, Any, NotRequired, TypedDict

from pydantic import WithJsonSchema

from core.customer_events.models import AttributionChannel
from core.foundation.records import Doc, Id, Instant, Made, Record, UncountedPage, named
from core.foundation.validation.inputs import METADATA_SCHEMA


@named(rest="Attribution", graphql="Attribution")
class AttributionRecord(TypedDict):
    """The message that touched the contact last before an event."""

    messageId: Annotated[Id, Doc("The message")]
    channel: Annotated[AttributionChannel, Doc("The channel that it went over")]
    campaignId: NotRequired[Annotated[Id, Doc("Your own tag of the campaign that it belongs to")]]
    sentAt: Annotated[Instant, Doc("When the provider took it")]
    horasAteOEvento: Annotated[float, Doc("Hours from `sentAt` to the event")]
    journeyId: NotRequired[Annotated[Id, Doc("The journey that sent it")]]
    journeyStepId: NotRequired[Annotated[Id, Doc("The step of the journey that sent it")]]
    journeyRunId: NotRequired[Annotated[Id, Doc("The contact's way through the journey")]]


def _newly_told() -> bool:
    """What is read is told for no second time."""
    return False


@named(rest="CustomerEventRecord", graphql="CustomerEvent")
class CustomerEventRecord(TypedDict):
    """Something that a customer did outside messaging."""

    id: Annotated[Id, Doc("Names the event")]
    name: Annotated[str, Doc("What happened, in your own words")]
    eventId: Annotated[str, Doc("The id of whoever sent the event")]
    contactId: NotRequired[Annotated[Id, Doc("The contact that it is about, where one is known")]]
    contactExternalId: NotRequired[Annotated[str, Doc("The contact's id in your own system")]]
    occurredAt: Annotated[Instant, Doc("When it happened")]
    value: NotRequired[Annotated[float, Doc("In units of `currency`, not in cents")]]
    currency: NotRequired[Annotated[str, Doc("The currency, by its code of ISO 4217")]]
    properties: NotRequired[
        Annotated[
            dict[str, Any],
            WithJsonSchema(METADATA_SCHEMA),
            Doc("What else you told of it, flat"),
        ]
    ]
    attribution: Annotated[
        AttributionRecord | None,
        Doc(
            "What it is attributed to; null where no message had touched the contact in the window"
        ),
    ]
    duplicate: Annotated[
        bool,
        Made(_newly_told, (), sql="'false'"),
        Doc("Where an event is recorded: it had been recorded before"),
    ]


CUSTOMER_EVENT = Record(CustomerEventRecord)


class CustomerEventPage(UncountedPage[CustomerEventRecord]):
    """A page of events, newest first."""
