"""A row of an export as the interface spells it, from a row of the messages table."""

from typing import Annotated, NotRequired, TypedDict

from core.foundation.records import Column, Doc, Id, Instant, Loaded, Masked, Record, named
from core.foundation.security.masks import mask_address
from core.messaging.models import Channel, Direction
from core.messaging.record import CampaignOfMessage, MetadataOfMessage
from core.rcs import RcsPath


@named(rest="ExportRow")
class ExportRecord(TypedDict):
    """A message with what it belongs to."""

    id: Annotated[Id, Doc("Names the message")]
    channel: Annotated[Channel, Doc("The channel that it took")]
    direction: Annotated[Direction, Doc("Whether it went out or came in")]
    to: Annotated[
        str,
        Column("recipient"),
        Masked(mask_address),
        Doc("The person, also where that person wrote; masked without pii:full"),
    ]
    status: Annotated[str, Doc("How far it has come, in the words of its channel")]
    createdAt: Annotated[Instant, Doc("When it was asked for, or came in")]
    campaignId: NotRequired[CampaignOfMessage]
    contactId: NotRequired[Annotated[Id, Doc("The contact that it went to or came from")]]
    contactExternalId: NotRequired[
        Annotated[
            str, Column("external_id"), Doc("The contact's id in your own system, as it is now")
        ]
    ]
    metadata: NotRequired[MetadataOfMessage]
    sentAt: NotRequired[Annotated[Instant, Doc("When the provider took it")]]
    deliveredAt: NotRequired[
        Annotated[Instant, Doc("When it arrived, as the carrier or the platform tells it")]
    ]
    readAt: NotRequired[Annotated[Instant, Doc("When the recipient opened it, where that is told")]]
    failedAt: NotRequired[Annotated[Instant, Doc("When it was known not to arrive")]]
    reason: NotRequired[Annotated[str, Doc("Why it did not arrive")]]
    segments: NotRequired[Annotated[int, Loaded(), Doc("Of an SMS: how many it took")]]
    deliveredVia: NotRequired[Annotated[RcsPath, Loaded(), Doc("Of an RCS message: its way")]]
    subject: NotRequired[Annotated[str, Loaded(), Doc("Of an e-mail: its subject")]]


EXPORT = Record(ExportRecord)


class ExportPage(TypedDict):
    """A page of an export."""

    items: Annotated[list[ExportRecord], Doc("The messages of this page, newest first")]
    nextCursor: Annotated[
        str | None,
        Doc("Where the next page begins: send it back as `cursor`. Null on the last page"),
    ]
    warnings: NotRequired[Annotated[list[str], Doc("What of the query was passed over")]]
