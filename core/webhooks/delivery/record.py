"""A delivery as the interface spells it: its request, its attempts."""

from typing import Annotated, NotRequired, TypedDict

from core.foundation.records import (
    Column,
    Doc,
    Id,
    Instant,
    Loaded,
    Made,
    Record,
    UncountedPage,
    Uri,
    named,
)
from core.webhooks.events.event_types import EventType
from core.webhooks.inputs import MASKED
from core.webhooks.models import WebhookDeliveryStatus


@named(rest="Delivery", graphql="WebhookDelivery")
class DeliveryRecord(TypedDict):
    """One event on its way to one subscription, or what became of it."""

    id: Annotated[Id, Doc("Names the delivery; the same on each retry of it")]
    webhookId: Annotated[Id, Column("subscription_id"), Doc("The subscription that it goes to")]
    eventId: Annotated[Id, Doc("The event that it tells of")]
    type: Annotated[EventType, Doc("What happened")]
    status: Annotated[WebhookDeliveryStatus, Doc("How far it has come")]
    attempts: Annotated[int, Doc("How often it was tried")]
    replay: Annotated[bool, Column("is_replay"), Doc("It was asked for again")]
    createdAt: Annotated[Instant, Doc("When it was queued")]
    nextAttemptAt: NotRequired[
        Annotated[
            Instant, Column("due_at"), Doc("When it is tried next; absent while it is not to be")
        ]
    ]
    lastStatusCode: NotRequired[
        Annotated[int, Doc("The HTTP status of the last attempt; absent where none came")]
    ]
    lastLatencyMs: NotRequired[
        Annotated[int, Doc("Milliseconds until the last attempt was answered, or given up")]
    ]
    lastError: NotRequired[
        Annotated[str, Doc("Why the last attempt got no answer, such as `timeout`")]
    ]
    finishedAt: NotRequired[Annotated[Instant, Doc("When it was taken or given up")]]


DELIVERY = Record(DeliveryRecord)


class DeliveryPage(UncountedPage[DeliveryRecord]):
    """A page of deliveries, newest first."""


@named(rest="DeliveryRequest", graphql="WebhookRequest")
class RequestRecord(TypedDict):
    """The request of each attempt; what signs it, and the values of custom headers, read `***`."""

    url: Annotated[Uri, Doc("The address that it is sent to")]
    headers: Annotated[dict[str, str], Doc("Its headers by name")]
    body: Annotated[str, Doc("The text that is signed, masked without pii:full")]


def _answered(answer: str | None, told_more: bool) -> str | None:
    return answer


def _answered_to_others(answer: str | None, told_more: bool) -> str | None:
    """Many an endpoint answers what it was sent."""
    return MASKED if answer and told_more else answer


ANSWERED = Made(_answered, ("response_body", "pii_full"), masked=_answered_to_others)
"""`pii_full`: the endpoint is told what is masked for others."""


@named(rest="DeliveryAttempt", graphql="WebhookAttempt")
class AttemptRecord(TypedDict):
    """How one attempt went."""

    at: Annotated[Instant, Doc("When it was made")]
    probe: Annotated[
        bool,
        Doc("It only asked whether a failing subscription answers again, and spent no attempt"),
    ]
    latencyMs: Annotated[int, Doc("Milliseconds until it was answered, or given up")]
    statusCode: NotRequired[
        Annotated[int, Doc("The HTTP status that the endpoint answered; absent where none came")]
    ]
    error: NotRequired[Annotated[str, Doc("Why no answer came, such as `timeout`")]]
    responseBody: NotRequired[
        Annotated[str, ANSWERED, Doc("The first 4 KB of what the endpoint answered")]
    ]


ATTEMPT = Record(AttemptRecord)


@named(rest="WholeDelivery", graphql="WebhookDelivery")
class WholeDeliveryRecord(DeliveryRecord):
    """A delivery with its request and its attempts."""

    request: Annotated[RequestRecord, Loaded(), Doc("The request as it is sent")]
    attemptLog: Annotated[
        list[AttemptRecord], Loaded(), Doc("The attempts, oldest first, at most 100")
    ]


class Replayed(TypedDict):
    """What a replay came to."""

    requested: Annotated[int, Doc("How many deliveries were queued again")]
