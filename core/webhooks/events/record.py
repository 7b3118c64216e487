"""An event as deliveries and the feed tell it."""

from typing import Annotated, Any, NotRequired, TypedDict

from core.foundation.records import Doc, Id, Instant, named
from core.foundation.security.caller import Env


@named(rest="FedEvent")
class EventRecord(TypedDict):
    """An event as a delivery tells it; `GET /webhooks/event-types` has the schema of each type."""

    id: Annotated[Id, Doc("Names the event; the same on every retry and replay: skip known ones")]
    type: Annotated[str, Doc("What happened: one of the events that a subscription may name")]
    timestamp: Annotated[Instant, Doc("When it happened")]
    env: Annotated[Env, Doc("The environment that it happened in")]
    organizationId: Annotated[Id, Doc("The organization that it belongs to")]
    apiVersion: Annotated[str, Doc("The shape of the event")]
    data: Annotated[dict[str, Any], Doc("What is told of it, masked without pii:full")]


@named(rest="Feed")
class FeedRecord(TypedDict):
    """Events in the order of their commits."""

    items: Annotated[list[EventRecord], Doc("The events of this page, oldest first")]
    nextCursor: Annotated[
        str, Doc("Where to go on: send it back as `cursor`, also when nothing came")
    ]
    hasMore: Annotated[bool, Doc("There is more at this moment: ask again at once")]
    warnings: NotRequired[
        Annotated[
            list[str],
            Doc(
                "`eventos_expirados`: the cursor is older than what is kept; parameters passed over"
            ),
        ]
    ]
