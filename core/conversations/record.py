"""A message of a conversation as the interface spells it, whoever wrote."""

from collections.abc import Collection, Mapping
from typing import Annotated, Any, NotRequired, TypedDict, cast

from pydantic import WithJsonSchema

from core.conversations.models import (
    ConversationChannel,
    ConversationStatus,
    ConversationType,
    LinkSource,
)
from core.foundation.database import db
from core.foundation.database.rows import HasColumns, pairs_of
from core.foundation.records import (
    Column,
    Doc,
    Hidden,
    Id,
    Instant,
    LargeInt,
    Made,
    Masked,
    Page,
    Record,
    named,
)
from core.foundation.security.masks import mask_payload, mask_phone
from core.messaging import Billing, Direction, MessagePriority
from core.messaging.record import (
    CampaignOfMessage,
    FailedTime,
    IdOfMessage,
    MetadataOfMessage,
    OriginOfOutbound,
    QuoteOfMessage,
    ReadTime,
    ReplayMark,
    ScheduledTime,
)

PAYLOAD_SCHEMA = {"x-ref": "MessagePayload"}


class MediaStorage(TypedDict):
    """Our copy of the file in a message."""

    mimeType: Annotated[str, Doc("What it is, as its bytes tell")]
    size: Annotated[LargeInt, Doc("How long the file is, in bytes")]
    storedAt: Annotated[Instant, Doc("When it was copied")]


class LinkOrigin(TypedDict):
    """The advertisement or link that a received message came from."""

    fonte: Annotated[LinkSource, Doc("Where it stood")]
    fonteRotulo: NotRequired[
        Annotated[
            str, Doc("Where it stood, in the words of the link, where `fonte` is none of the known")
        ]
    ]
    campanha: NotRequired[Annotated[str, Doc("The campaign that it belongs to")]]
    grupo: NotRequired[Annotated[str, Doc("The group of advertisements")]]
    anuncio: NotRequired[Annotated[str, Doc("The advertisement itself")]]
    palavraChave: NotRequired[Annotated[str, Doc("The word that was searched for")]]
    codigo: NotRequired[Annotated[str, Doc("The click id, or another code of the link")]]


def _payload(content: Mapping[str, object] | None, _: str) -> Mapping[str, object]:
    return content or {}


def _masked_payload(content: Mapping[str, object] | None, _: str) -> Mapping[str, object]:
    return mask_payload(content or {})


def _priority(priority: str | None) -> str:
    return priority or MessagePriority.NORMAL


def _attempts(attempts: int | None) -> int:
    return attempts or 0


def _copy_of(media: Mapping[str, object] | None) -> dict[str, object] | None:
    return (
        None if media is None else {name: media[name] for name in ("mimeType", "size", "storedAt")}
    )


@named(rest="ConversationMessage", graphql="ConversationMessage")
class ConversationRecord(TypedDict):
    """A message of a conversation. `to` is the person, also where that person wrote."""

    id: IdOfMessage
    organizationId: Annotated[Id, Doc("The organization that it belongs to")]
    channel: Annotated[ConversationChannel, Doc("The channel of the conversation")]
    numberId: NotRequired[Annotated[Id, Doc("The number of ours that sent or received it")]]
    instagramAccountId: NotRequired[
        Annotated[Id, Doc("The Instagram account of ours that sent or received it")]
    ]
    mediaStorage: NotRequired[
        Annotated[
            MediaStorage,
            Made(
                _copy_of,
                ("media",),
                sql="(CASE WHEN media IS NOT NULL THEN jsonb_build_object('mimeType', media -> 'mimeType', "
                "'size', media -> 'size', 'storedAt', media -> 'storedAt') END)::text",
            ),
            Doc("Our copy of its file"),
        ]
    ]
    contactId: NotRequired[Annotated[Id, Doc("The contact that it is with")]]
    campaignId: NotRequired[CampaignOfMessage]
    metadata: NotRequired[MetadataOfMessage]
    quoteId: NotRequired[QuoteOfMessage]
    templateId: NotRequired[Annotated[Id, Doc("The template that was sent")]]
    batchId: NotRequired[Annotated[Id, Doc("The bulk send or the resend that it belongs to")]]
    to: Annotated[
        str,
        Column("recipient"),
        Masked(mask_phone),
        Doc("The person: a phone in E.164, or an id of Instagram; masked without pii:full"),
    ]
    type: Annotated[ConversationType, Doc("What kind of message it is")]
    direction: Annotated[Direction, Doc("Who wrote it")]
    priority: Annotated[
        MessagePriority,
        Made(_priority, ("priority",), sql="to_json(coalesce(priority, 'normal'))::text"),
        Doc("What it goes before where messages wait"),
    ]
    status: Annotated[ConversationStatus, Doc("How far it has come")]
    force: Annotated[
        bool,
        Made(bool, ("force",), sql="coalesce(force, false)::text"),
        Doc("It waited for no bucket and no quiet hours"),
    ]
    reprocessed: NotRequired[Annotated[bool, Doc("It was sent again in place of one that failed")]]
    replacedBy: NotRequired[Annotated[Id, Doc("The message that was sent in its place")]]
    payload: Annotated[
        dict[str, Any],
        WithJsonSchema(PAYLOAD_SCHEMA),
        Made(
            _payload,
            ("content", "type"),
            masked=_masked_payload,
            sql="coalesce(content, '{}'::jsonb)::text",
        ),
        Doc("What was said, in the shape of its type; empty once the contact was erased"),
    ]
    templateVars: NotRequired[
        Annotated[list[str], Doc("The texts of the template's variables, in their order")]
    ]
    attempts: Annotated[
        int,
        Made(_attempts, ("attempts",), sql="coalesce(attempts, 0)::text"),
        Doc("How often it was handed over"),
    ]
    lastError: NotRequired[
        Annotated[
            str,
            Doc(
                "Of the last attempt; `cancelada` where it was called off. Received: why its file "
                "was given up"
            ),
        ]
    ]
    originalError: NotRequired[Annotated[str, Doc("Of the first failure; never overwritten")]]
    upstreamCode: NotRequired[Annotated[str, Doc("The platform's code of the failure")]]
    metaMessageId: NotRequired[
        Annotated[
            str,
            Column("provider_reference"),
            Hidden(),
            Doc(
                "The platform's id of the message; it holds the phone, so it is shown with pii:full "
                "only"
            ),
        ]
    ]
    origemDoLink: NotRequired[
        Annotated[
            LinkOrigin,
            Column("link_origin"),
            Doc("The advertisement or link that a received message came from"),
        ]
    ]
    sentByAccountId: NotRequired[Annotated[Id, Doc("The operator who sent it")]]
    sentByName: NotRequired[Annotated[str, Doc("What that operator is called")]]
    replyTo: NotRequired[
        Annotated[
            Id, Column("in_reply_to"), Doc("The message of the conversation that is answered")
        ]
    ]
    scheduledAt: NotRequired[ScheduledTime]
    sentAt: NotRequired[Annotated[Instant, Doc("When the platform took it")]]
    deliveredAt: NotRequired[Annotated[Instant, Doc("When it arrived, as the platform tells it")]]
    readAt: NotRequired[ReadTime]
    failedAt: NotRequired[FailedTime]
    origem: NotRequired[OriginOfOutbound]
    createdAt: Annotated[Instant, Doc("When it was accepted, or came in")]
    updatedAt: Annotated[Instant, Doc("When something of it last became different")]


CONVERSATION_MESSAGE = Record(ConversationRecord)


@named(rest="MessagePage")
class ConversationPage(Page[ConversationRecord]):
    """A page of messages, newest first. Deep readers send `nextCursor` back as `cursor`."""


class SentMessage(ConversationRecord):
    """The answer to a send: `billing` is what is held until the message leaves."""

    billing: Annotated[Billing, Doc("What it costs")]
    replayed: ReplayMark


def message_record(
    row: HasColumns, *, masked: bool, names: Mapping[str, str] | None = None
) -> ConversationRecord:
    """The record of every read and write. `names`: of the accounts that sent (`names_of`)."""
    sender = (names or {}).get(cast("str", row["sent_by_account_id"]))
    return CONVERSATION_MESSAGE.make(_Named(row, sender), unmasked=not masked)


class _Named:
    """A row of messages with the name of the account that sent it."""

    __slots__ = ("_name", "_row")

    def __init__(self, row: HasColumns, name: str | None) -> None:
        self._row = row
        self._name = name

    def __getitem__(self, column: str, /) -> object:
        return self._name if column == "sent_by_name" else self._row[column]


def masked_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """The same record with its recipient masked, and without the platform's ids: they hold the
    phone.
    """
    shown = {**record, "to": mask_phone(record["to"]), "payload": mask_payload(record["payload"])}
    shown.pop("metaMessageId", None)
    return shown


async def names_of(organization_id: str, rows: Collection[HasColumns]) -> dict[str, str]:
    """The names of the accounts that sent these messages, by id."""
    ids = {str(row["sent_by_account_id"]) for row in rows if row["sent_by_account_id"] is not None}
    found = await db.fetch_for(
        ids,
        "SELECT id, name FROM accounts WHERE organization_id = $1 AND id = ANY ($2)",
        organization_id,
        sorted(ids),
    )
    return pairs_of(found, "id", "name")


SENDER_NAME = (
    "(SELECT a.name FROM accounts a WHERE a.organization_id = m.organization_id "
    "AND a.id = m.sent_by_account_id) AS sent_by_name"
)
"""Beside `messages m`, for lists."""
