"""Inputs of webhook use cases."""

import re
from datetime import datetime
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, Field, PlainValidator, StringConstraints
from pydantic.json_schema import SkipJsonSchema
from pydantic_core import PydanticCustomError

from core.foundation.http_client import OutboundRefused, check_url
from core.foundation.validation.closed_set import ClosedSet
from core.foundation.validation.inputs import (
    CURSOR,
    LIMIT,
    SINCE,
    UNTIL,
    Changes,
    Input,
    KeptWhenLeftOut,
    QueryInput,
    SkipPage,
    UntilShown,
    UtcTime,
)
from core.foundation.validation.validation_errors import across
from core.webhooks.events.event_types import EventType
from core.webhooks.models import SubscriptionStatus, SubscriptionSwitch, WebhookDeliveryStatus
from core.webhooks.outbound_policy import policy

RESERVED = re.compile(
    r"(x-svc-.*|webhook-.*|host|content-.*|transfer-encoding|connection|upgrade|te|trailer|keep-alive|proxy-.*|"
    r"expect|user-agent|accept-encoding|date)\Z",
    re.IGNORECASE,
)

MAX_EVENTS = 100
"""Names in a list of them, the same one several times too: each wrong one is told."""

AnyHeader = TypeVar("AnyHeader", "Header", "ChangedHeader")


def _reachable(url: str) -> str:
    try:
        return check_url(url, policy())
    except OutboundRefused as refused:
        raise PydanticCustomError(
            refused.reason, "{message}", {"message": refused.message}
        ) from None


def _free_name(name: str) -> str:
    if RESERVED.match(name):
        raise PydanticCustomError(
            "reserved_header", "This header name is reserved for the delivery itself"
        )
    return name


def _distinct(events: list[EventType]) -> list[EventType]:
    return list(dict.fromkeys(events))


def _not_masked(value: str) -> str:
    if value == MASKED:
        raise PydanticCustomError("VALOR_MASCARADO", "This is a masked value; send the whole value")
    return value


def _once_each(headers: list[AnyHeader]) -> list[AnyHeader]:
    if len({header.key.lower() for header in headers}) < len(headers):
        raise PydanticCustomError(
            "repeated", "Name every header once; upper and lower case make no difference"
        )
    return headers


def _immutable(value: object) -> object:
    raise PydanticCustomError(
        "immutable",
        "The address of a subscription cannot change; delete it and subscribe the new address",
    )


MASKED = "***"
"""How header values read back."""

Url = Annotated[
    str,
    StringConstraints(max_length=2048),
    AfterValidator(_reachable),
    Field(description="The address that deliveries are sent to: https, on the public internet"),
]
Events = Annotated[
    list[EventType], Field(min_length=1, max_length=MAX_EVENTS), AfterValidator(_distinct)
]
Description = Annotated[
    str,
    StringConstraints(max_length=500),
    Field(description="What the subscription is for, in your own words"),
]
HeaderName = Annotated[
    str,
    StringConstraints(pattern=r"^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$"),
    AfterValidator(_free_name),
    Field(description="The name of the header; those of the delivery itself are reserved"),
]
HeaderValue = Annotated[str, StringConstraints(pattern=r"^[\x20-\x7e]*$", max_length=1024)]

TOLD = "What the subscription is told of"
SENT_ALONG = "Headers that every delivery has besides its own, at most 20"
RETRY = "How a failed delivery is tried again; unless told, 8 times from 30 seconds on"


class Header(Input):
    """A header sent along with every delivery; its value is encrypted at rest."""

    key: HeaderName
    value: Annotated[HeaderValue, AfterValidator(_not_masked)] = Field(
        description="Its value, which is never shown again"
    )


class ChangedHeader(Input):
    """A header of the new set; the value `***` keeps the one that is stored under this key."""

    key: HeaderName
    value: HeaderValue = Field(description="Its value; `***`: the one that is stored stays")


ChangedHeaders = Annotated[list[ChangedHeader], Field(max_length=20), AfterValidator(_once_each)]
Headers = Annotated[list[Header], Field(max_length=20), AfterValidator(_once_each)]


class Retry(Input):
    """How often and how fast a failed delivery is tried again."""

    max_attempts: Annotated[int, Field(ge=1, le=12)] = Field(
        description="All in all, the first one too"
    )
    backoff_seconds: Annotated[int, Field(ge=5, le=3600)] = Field(
        description="Seconds before the second attempt; each pause after it is longer"
    )


DEFAULT_RETRY = Retry(max_attempts=8, backoff_seconds=30)


class NewSubscription(Input):
    """An address and the events it wants."""

    url: Url
    events: Events = Field(description=TOLD)
    description: Description | None = None
    headers: Headers | None = Field(default=None, description=SENT_ALONG)
    retry: Retry | None = Field(default=None, description=RETRY)


class SubscriptionChanges(Changes):
    """What changes about a subscription; what is left out stays. `headers` replaces the whole set."""

    url: SkipJsonSchema[Annotated[Any, PlainValidator(_immutable)]] = None
    events: KeptWhenLeftOut[Events] = Field(default=None, description=TOLD)
    status: KeptWhenLeftOut[SubscriptionSwitch] = Field(
        default=None, description="Whether it is delivered to"
    )
    description: Description | None = None
    headers: KeptWhenLeftOut[ChangedHeaders] = Field(
        default=None, description="The whole set of its own headers from now on, at most 20"
    )
    retry: KeptWhenLeftOut[Retry] = Field(
        default=None, description="How a failed delivery is tried again"
    )


class SecretRotation(Input):
    """For how long the previous secret still signs beside the new one; 0: not at all."""

    overlap_seconds: Annotated[int, Field(ge=0, le=604_800)] = Field(
        default=0,
        description="Seconds for which the previous secret still signs beside the new one",
    )


class EndpointCheck(Input):
    """An address to try before subscribing it. What is wrong with `url` is the answer, not a
    refusal.
    """

    url: str = Field(description="The address to try")
    headers: Headers | None = Field(
        default=None, description="Headers that the ping has besides its own, at most 20"
    )


class SubscriptionFilter(SkipPage):
    """Which subscriptions to list; an unknown value matches nothing."""

    status: Annotated[str | None, ClosedSet.of(SubscriptionStatus)] = Field(
        default=None, description="Subscriptions that stand so"
    )
    event: Annotated[str | None, ClosedSet.of(EventType)] = Field(
        default=None, description="Subscriptions to this type of event"
    )


class DeliveryFilter(QueryInput):
    """Which deliveries of a subscription to list, newest first."""

    status: WebhookDeliveryStatus | None = Field(
        default=None, description="Deliveries that stand so"
    )
    event: EventType | None = Field(default=None, description="The type of the event")
    from_: UtcTime | None = Field(default=None, alias="from", description=SINCE)
    to: UtcTime | None = Field(default=None, description=UNTIL)
    limit: Annotated[int, Field(ge=1)] | None = Field(default=None, description=LIMIT)
    cursor: str | None = Field(default=None, description=CURSOR)


class Replay(Input):
    """Which deliveries to send again: these, or those of a time. What is older than 30 days is
    gone.

    Of a time, an event is sent again once, and `status` is that of the last delivery of it.
    """

    delivery_ids: Annotated[list[str], Field(min_length=1, max_length=1_000)] | None = Field(
        default=None, description="The ids of these deliveries, in the place of a time"
    )
    from_: UtcTime | None = Field(
        default=None, alias="from", description="When the event was first queued or held"
    )
    to: UntilShown | None = Field(
        default=None, description="Up to when the event was first queued or held"
    )
    events: Events | None = Field(default=None, description="Only events of these types")
    status: WebhookDeliveryStatus | None = Field(
        default=None,
        validate_default=True,
        description="Left out: entregue, morta and retida, so that nothing under way is doubled",
    )

    @across("delivery_ids", "from_", "to", "events", "status")
    @staticmethod
    def _one_way(
        ids: list[str] | None, start: datetime | None, end: datetime | None, *narrower: object
    ) -> None:
        if ids is not None:
            if any(value is not None for value in (start, end, *narrower)):
                raise PydanticCustomError(
                    "not_allowed", "Send `deliveryIds`, or `from` and `to`, but not both"
                )
        elif start is None or end is None:
            raise PydanticCustomError("required", "Send `deliveryIds`, or both `from` and `to`")


class Sample(Input):
    """Of which event to send a sample."""

    event: EventType = Field(description="The event whose sample is sent")


class ReceivedRequest(Input):
    """A request as it was received: its headers by name, and its raw body, byte for byte."""

    headers: dict[str, str] = Field(description="Its headers by name, in upper or lower case")
    body: str = Field(description="Its body as it came, byte for byte")
