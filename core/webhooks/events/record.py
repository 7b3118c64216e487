"""An event as deliveries and the feed tell it."""

from collections.abc import Mapping
from typing import Annotated, Any, NotRequired, TypedDict

from core.foundation.records import Column, Doc, Id, Instant, Masked, Record, named
from core.foundation.security.caller import Env
from core.foundation.security.masks import mask_address, mask_payload

PERSONAL = ("to", "from", "phone")


def masked_data(data: Mapping[str, Any]) -> dict[str, Any]:
    """Event data with recipients, senders and phones masked, and without the platform's ids, which
    hold the phone.
    """
    # In some events `from` and `to` are what was and what is, and nobody's address.
    shown = {
        name: mask_address(value) if name in PERSONAL and isinstance(value, str) else value
        for name, value in data.items()
    }
    if receipt := data.get("providerReceipt"):
        shown["providerReceipt"] = {**receipt, "to": mask_address(receipt["to"])}
    if payload := data.get("payload"):
        shown["payload"] = mask_payload(payload)
    return shown


@named(rest="FedEvent")
class EventRecord(TypedDict):
    """An event as a delivery tells it; `GET /webhooks/event-types` has the schema of each type."""

    id: Annotated[Id, Doc("Names the event; the same on every retry and replay: skip known ones")]
    type: Annotated[str, Doc("What happened: one of the events that a subscription may name")]
    timestamp: Annotated[Instant, Column("occurred_at"), Doc("When it happened")]
    env: Annotated[Env, Doc("The environment that it happened in")]
    organizationId: Annotated[Id, Doc("The organization that it belongs to")]
    apiVersion: Annotated[str, Doc("The shape of the event")]
    data: Annotated[
        dict[str, Any],
        Masked(masked_data),
        Doc("What is told of it, masked without pii:full"),
    ]


EVENT = Record(EventRecord)
"""Of a row of an event, with the version of the interface that it is told in as `api_version`."""


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
