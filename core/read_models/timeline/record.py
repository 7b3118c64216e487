"""The entries of a timeline: a shape for each kind."""

from typing import Annotated, NotRequired, TypedDict
from urllib.parse import urlsplit

from core.cards import HistoryKind, StageOfTheTime
from core.contacts import OptInStatus, OptOutChannel
from core.customer_events import AttributionRecord
from core.foundation.records import (
    Column,
    Doc,
    Id,
    Instant,
    LargeInt,
    Loaded,
    Made,
    Record,
    named,
)
from core.foundation.security.secrets import keyed_hash
from core.foundation.settings import current
from core.messaging import Channel, Direction, Status
from core.push import Platform, PushDeliveryStatus
from core.read_models.timeline.source import Kind
from core.short_links.destination import destination_of
from core.short_links.shorten import short_url


class EntryRecord(TypedDict):
    """Something that happened around a contact. The id is one of its kind's records."""

    kind: Annotated[Kind, Loaded(), Doc("What kind of thing it is")]
    at: Annotated[Instant, Loaded(), Doc("When it happened")]


@named(graphql="MessageEntry")
class MessageEntryRecord(EntryRecord):
    """A message that went out or came in; at is when it was created."""

    id: Annotated[Id, Doc("Names the message")]
    channel: Annotated[Channel, Doc("The channel that it went over")]
    direction: Annotated[Direction, Doc("Whether it went out or came in")]
    status: Annotated[Status, Doc("What became of it")]
    reason: NotRequired[
        Annotated[str, Doc("Why it did not arrive, as a text in the words of REST")]
    ]
    failure: NotRequired[Annotated[str, Doc("Why it did not arrive")]]
    to: NotRequired[
        Annotated[
            str,
            Doc(
                "Whom it was sent to, of a conversation also who wrote; masked unless the "
                "credential has pii:full"
            ),
        ]
    ]
    body: NotRequired[
        Annotated[str, Doc("Of a reply or a conversation; that of other sends is not kept")]
    ]
    subject: NotRequired[Annotated[str, Doc("Of an e-mail")]]
    type: NotRequired[Annotated[str, Doc("Of a conversation: what the message is")]]
    numberId: NotRequired[Annotated[Id, Doc("The number of the conversation")]]
    templateId: NotRequired[Annotated[Id, Doc("The template that it was made of")]]
    inReplyTo: NotRequired[Annotated[Id, Doc("The message that is answered")]]
    campaignId: NotRequired[Annotated[Id, Doc("Your own tag of the campaign that it belongs to")]]
    journeyId: NotRequired[Annotated[Id, Doc("The journey that sent it")]]
    journeyStepId: NotRequired[Annotated[Id, Doc("The step of the journey that sent it")]]
    journeyRunId: NotRequired[Annotated[Id, Doc("The contact's way through the journey")]]
    sentAt: NotRequired[Annotated[Instant, Doc("When the provider took it")]]
    deliveredAt: NotRequired[Annotated[Instant, Doc("When it arrived, as is told")]]
    readAt: NotRequired[Annotated[Instant, Doc("When the recipient opened it, where that is told")]]
    failedAt: NotRequired[Annotated[Instant, Doc("When it failed")]]


@named(graphql="PushEntry")
class PushEntryRecord(EntryRecord):
    """A notification to a device of the contact; at is when its dispatch was created."""

    id: Annotated[Id, Column("entry"), Doc("Names the notification to this device")]
    pushMessageId: Annotated[Id, Column("dispatch_id"), Doc("The push that it belongs to")]
    deviceId: Annotated[Id, Doc("The device")]
    platform: Annotated[Platform, Doc("What the device runs")]
    deliveryStatus: Annotated[PushDeliveryStatus, Column("status"), Doc("What became of it")]
    titulo: Annotated[str, Column("title"), Doc("Its title; empty for data alone")]
    openedAt: NotRequired[Annotated[Instant, Doc("When the person opened it")]]


def _short_url(code: str) -> str:
    return short_url(current().base_url, code)


def _host(url: str) -> str | None:
    return urlsplit(destination_of(url)).hostname


@named(graphql="ClickEntry")
class ClickEntryRecord(EntryRecord):
    """A short link that a person followed; at is when it was first. Those that only machines
    followed are no entries. The id is the link's code.
    """

    id: Annotated[Id, Column("code"), Doc("The code of the link")]
    channel: Annotated[Channel, Doc("The channel of the message")]
    messageId: Annotated[Id, Doc("The message that the link stood in")]
    shortUrl: Annotated[str, Made(_short_url, ("code",)), Doc("The short link")]
    url: Annotated[str, Doc("Where it leads")]
    host: NotRequired[
        Annotated[str, Made(_host, ("url",)), Doc("The host of the address that it leads to")]
    ]
    clicks: Annotated[LargeInt, Doc("By people, until now")]
    botClicks: Annotated[LargeInt, Doc("By machines, until now")]
    lastClickedAt: NotRequired[Annotated[Instant, Doc("By people")]]


@named(graphql="CustomerEventEntry")
class CustomerEventEntryRecord(EntryRecord):
    """A customer event; at is when it occurred."""

    id: Annotated[Id, Doc("Names the event")]
    name: Annotated[str, Doc("What happened, in your own words")]
    eventId: Annotated[str, Doc("The id of whoever sent the event")]
    value: NotRequired[Annotated[float, Doc("In units of `currency`, not in cents")]]
    currency: NotRequired[Annotated[str, Doc("The currency, by its code of ISO 4217")]]
    properties: NotRequired[Annotated[dict[str, object], Doc("What else you told of it, flat")]]
    attribution: NotRequired[
        Annotated[AttributionRecord, Doc("The message that touched the contact last before it")]
    ]


def _stage(id: str | None, name: str) -> StageOfTheTime | None:
    return {"etapaId": id, "nome": name} if id is not None else None


@named(graphql="StageMoveEntry")
class StageMoveEntryRecord(EntryRecord):
    """A card that the contact is on came into a stage: new, moved, won, lost, reopened."""

    id: Annotated[Id, Doc("Names the line of the card's history")]
    tipo: Annotated[HistoryKind, Column("kind"), Doc("What happened to the card")]
    cardId: Annotated[Id, Doc("The card")]
    titulo: Annotated[str, Column("title"), Doc("As the card is called today")]
    pipelineId: Annotated[Id, Doc("The pipeline that it was on")]
    de: NotRequired[
        Annotated[
            StageOfTheTime,
            Made(_stage, ("from_stage_id", "from_name")),
            Doc("The stage that it left"),
        ]
    ]
    para: NotRequired[
        Annotated[
            StageOfTheTime,
            Made(_stage, ("to_stage_id", "to_name")),
            Doc("The stage that it came into"),
        ]
    ]
    motivoPerdaId: NotRequired[
        Annotated[Id, Column("lost_reason_id"), Doc("The reason that the deal was lost for")]
    ]
    porId: NotRequired[Annotated[Id, Column("by_id"), Doc("The account that did it")]]
    porNome: NotRequired[
        Annotated[str, Column("by_name"), Doc("What the account was called at the time")]
    ]


def consent_id(number: int | str) -> str:
    """An id of its own for what has only a running number, which would tell how many there are in
    all.
    """
    return f"cns_{keyed_hash(current().hash_key.encode(), f'consent:{number}').hex()[:21]}"


@named(graphql="ConsentEntry")
class ConsentEntryRecord(EntryRecord):
    """A move of the contact's consent; at is its date, which may lie before its recording."""

    id: Annotated[Id, Made(consent_id, ("id",)), Doc("Names the move")]
    canal: Annotated[OptOutChannel, Column("channel"), Doc("The channel that it is about")]
    optInStatus: Annotated[OptInStatus, Column("status"), Doc("The consent from then on")]
    source: NotRequired[Annotated[str, Doc("Where the person gave or took back the consent")]]
    reason: NotRequired[Annotated[str, Doc("Why it was taken back")]]


PUSH = Record(PushEntryRecord)
CLICK = Record(ClickEntryRecord)
CUSTOMER_EVENT = Record(CustomerEventEntryRecord)
STAGE_MOVE = Record(StageMoveEntryRecord)
CONSENT = Record(ConsentEntryRecord)
