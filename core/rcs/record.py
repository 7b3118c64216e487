"""An RCS message as the interface spells it."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from pydantic import Field

from core.foundation.database.rows import HasColumns
from core.foundation.described_enum import DescribedEnum
from core.foundation.records import (
    Column,
    Doc,
    Made,
    Record,
    UncountedPage,
    named,
)
from core.foundation.validation.phones import mask_phone
from core.messaging.models import Status
from core.messaging.record import (
    AcceptedTime,
    CampaignOfMessage,
    ContactOfMessage,
    DeliveredTime,
    EnvOfMessage,
    IdOfMessage,
    MetadataOfMessage,
    OriginOfMessage,
    PhoneOfMessage,
    QuoteOfMessage,
    ReadTime,
    ScheduledTime,
    SentTime,
)
from core.rcs.inputs import POSTBACK, RcsPath, RcsRoute, RcsStatus


class RcsFailureReason(DescribedEnum):
    """Why an RCS message reached nobody."""

    NO_RCS = "no_rcs", "The phone has no RCS, and there was no fallback"
    REJECTED = "rejected", "The provider or the carrier refused it"
    EXPIRED = "expired", "It could not be delivered in the time that it was worth sending"
    MEDIA_ERROR = "media_error", "The image of its card could not be loaded"
    INDETERMINATE = "indeterminate", "What became of it could not be found out"
    CANCELED = "canceled", "It was canceled while it waited"
    OPT_OUT = "opt_out", "The recipient asked not to receive any while it waited"


class RcsButtonKind(DescribedEnum):
    """What a button of a card does."""

    OPEN_URL = "openUrl", "It opens the page at `url`"
    CALL = "call", "It dials `phone`"
    REPLY = "reply", "It answers with its text"


LABEL = Doc("What is written on it")
TOLD = Doc(POSTBACK)


class OpenUrlButton(TypedDict):
    """A button that opens a page."""

    type: Annotated[Literal["openUrl"], Doc("That it opens a page")]
    text: Annotated[str, LABEL]
    url: Annotated[str, Doc("The address of the page; a short link where that was asked for")]
    postback: NotRequired[Annotated[str, TOLD]]


class CallButton(TypedDict):
    """A button that dials a number."""

    type: Annotated[Literal["call"], Doc("That it dials a number")]
    text: Annotated[str, LABEL]
    phone: Annotated[str, Doc("The number, in E.164")]
    postback: NotRequired[Annotated[str, TOLD]]


class ReplyButton(TypedDict):
    """A button that answers with its text."""

    type: Annotated[Literal["reply"], Doc("That it answers with its text")]
    text: Annotated[str, LABEL]
    postback: NotRequired[Annotated[str, TOLD]]


RcsButton = Annotated[OpenUrlButton | CallButton | ReplyButton, Field(discriminator="type")]


class RcsCard(TypedDict):
    """An image with a title, a text and buttons."""

    title: Annotated[str, Doc("What stands first")]
    description: Annotated[str, Doc("The text below its title")]
    fileUrl: NotRequired[Annotated[str, Doc("Where the phone downloads the image")]]
    suggestions: NotRequired[Annotated[list[RcsButton], Doc("Its buttons, in their order")]]


class RcsContent(TypedDict):
    """What was sent, with short links where they were asked for; empty once the contact was erased."""

    text: NotRequired[Annotated[str, Doc("The text, where it has no card")]]
    card: NotRequired[Annotated[RcsCard, Doc("The card, where it has no text")]]


def _content(content: dict[str, object] | None) -> dict[str, object]:
    return content or {}


def _failure_reason(status: str, reason: str | None) -> str | None:
    """Why a message failed. While the fallback is on its way the reason is kept, but nothing has
    failed.
    """
    return reason if status == Status.FAILED else None


@named(rest="RcsMessage", graphql="RcsMessage")
class RcsRecord(TypedDict):
    """An RCS message as list, read and the answer to its send have it."""

    id: IdOfMessage
    to: PhoneOfMessage
    content: Annotated[
        RcsContent,
        Made(_content, ("content",), sql="coalesce(content, '{}'::jsonb)::text"),
        Doc("What was sent"),
    ]
    route: Annotated[RcsRoute, Doc("The route that it takes")]
    status: Annotated[RcsStatus, Doc("How far it has come")]
    channel: NotRequired[
        Annotated[RcsPath, Column("path"), Doc("The way that it took; absent: not known yet")]
    ]
    env: EnvOfMessage
    contactId: NotRequired[ContactOfMessage]
    campaignId: NotRequired[CampaignOfMessage]
    metadata: NotRequired[MetadataOfMessage]
    quoteId: NotRequired[QuoteOfMessage]
    failureReason: NotRequired[
        Annotated[
            RcsFailureReason,
            Made(
                _failure_reason,
                ("status", "reason"),
                sql="CASE WHEN status = 'failed' THEN to_json(reason)::text END",
            ),
            Doc("Why it did not arrive"),
        ]
    ]
    scheduledAt: NotRequired[ScheduledTime]
    sentAt: NotRequired[SentTime]
    deliveredAt: NotRequired[DeliveredTime]
    readAt: NotRequired[ReadTime]
    createdAt: AcceptedTime
    origem: OriginOfMessage


RCS_MESSAGE = Record(RcsRecord)


class RcsPage(UncountedPage[RcsRecord]):
    """A page of messages, newest first; `nextCursor` goes back as `cursor`."""


def answer_of(row: HasColumns) -> dict[str, object]:
    """The answer to a send: the unmasked record."""
    return {**RCS_MESSAGE.make(row, unmasked=True)}


def masked(record: Mapping[str, Any]) -> dict[str, Any]:
    """The same record with its phone masked."""
    return {**record, "to": mask_phone(record["to"])}


def event_data(row: HasColumns) -> dict[str, object]:
    """The `data` of rcs.delivered, rcs.read and rcs.failed; unmasked, as events are stored."""
    record: Mapping[str, Any] = RCS_MESSAGE.make(row, unmasked=True)
    return {name: record[name] for name in EVENT_FIELDS if name in record}


EVENT_FIELDS = (
    "id", "to", "route", "status", "channel", "failureReason", "env", "metadata", "contactId", "campaignId",
)  # fmt: skip
