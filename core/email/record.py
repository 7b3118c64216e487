"""An e-mail as the interface spells it; its body is not among what is kept."""

from collections.abc import Mapping
from typing import Annotated, Any, NotRequired, TypedDict, cast

from core.email.models import EmailFailureReason, EmailStatus
from core.foundation.absent import without_none
from core.foundation.database.rows import HasColumns
from core.foundation.records import (
    Column,
    Doc,
    Id,
    Instant,
    Masked,
    Page,
    Record,
    named,
)
from core.foundation.security.masks import mask_email
from core.messaging.record import (
    AcceptedTime,
    Billing,
    CampaignOfMessage,
    ContactOfMessage,
    EnvOfMessage,
    FailedTime,
    IdOfMessage,
    MetadataOfMessage,
    OriginOfMessage,
    QuoteOfMessage,
    ReplayMark,
    ScheduledTime,
)

_Addressed = TypedDict(
    "_Addressed",
    {
        "id": IdOfMessage,
        "organizationId": Annotated[Id, Doc("The organization that it belongs to")],
        "env": EnvOfMessage,
        "to": Annotated[
            str,
            Column("recipient"),
            Masked(mask_email),
            Doc("The recipient's address; masked without pii:full"),
        ],
        "from": Annotated[str, Column("sender_address"), Doc("The sender that it names")],
    },
)


@named(rest="EmailMessage", graphql="EmailMessage")
class EmailRecord(_Addressed, TypedDict):
    """An e-mail as list and read answer it. Of its body only the size is known."""

    subject: Annotated[str, Doc("Its subject")]
    bodyBytes: Annotated[int, Doc("Bytes of HTML and text")]
    status: Annotated[EmailStatus, Doc("How far it has come")]
    reason: NotRequired[Annotated[EmailFailureReason, Doc("Why it did not arrive")]]
    contactId: NotRequired[ContactOfMessage]
    campaignId: NotRequired[CampaignOfMessage]
    metadata: NotRequired[MetadataOfMessage]
    quoteId: NotRequired[QuoteOfMessage]
    scheduledAt: NotRequired[ScheduledTime]
    sentAt: NotRequired[Annotated[Instant, Doc("When the mail server took it")]]
    deliveredAt: NotRequired[
        Annotated[Instant, Doc("When it arrived, as the recipient's mail server tells it")]
    ]
    failedAt: NotRequired[FailedTime]
    origem: OriginOfMessage
    createdAt: AcceptedTime
    updatedAt: Annotated[Instant, Doc("When something of it last became different")]


EMAIL_MESSAGE = Record(EmailRecord)


class EmailPage(Page[EmailRecord]):
    """A page of e-mails, newest first. Deep readers send `nextCursor` back as `cursor`."""


class SentEmail(EmailRecord):
    """The answer to a send, which the same key gets again for 24 hours."""

    billing: Annotated[Billing, Doc("What it costs")]
    replayed: ReplayMark


def masked(record: Mapping[str, Any]) -> dict[str, Any]:
    """The same record with its recipient masked."""
    return {**record, "to": mask_email(record["to"])}


def send_record(row: HasColumns) -> dict[str, object]:
    """The answer to a send, from its message: the unmasked record with its price."""
    record = cast("dict[str, object]", EMAIL_MESSAGE.make(row, unmasked=True))
    record["billing"] = {"coins": row["coins"]}
    return record


def clicked(row: HasColumns) -> dict[str, object]:
    """What the event of a click says of an e-mail, as every event about one does."""
    return {
        "id": row["message_id"],
        "to": row["recipient"],
        "subject": row["subject"],
        "status": row["status"],
        "reason": row["reason"],
    }


def event_data(row: HasColumns, **more: object) -> dict[str, object]:
    """The `data` of email.*; unmasked, as events are stored. What the message does not have is
    absent.
    """
    data = {
        "id": row["id"],
        "to": row["recipient"],
        "subject": row["subject"],
        "status": row["status"],
        "reason": row["reason"],
        **more,
        "env": row["env"],
        "metadata": row["metadata"],
        "contactId": row["contact_id"],
        "campaignId": row["campaign_id"],
    }
    return without_none(data)
