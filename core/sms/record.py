"""An SMS, its reply and its preview as the interface spells them."""

from collections.abc import Mapping
from typing import Annotated, Any, NotRequired, TypedDict

from core.foundation.database.rows import HasColumns
from core.foundation.described_enum import DescribedEnum
from core.foundation.records import (
    Column,
    Doc,
    Id,
    Instant,
    Made,
    Masked,
    Page,
    Record,
    named,
)
from core.foundation.security.caller import Environment
from core.foundation.validation.phones import mask_phone
from core.messaging.record import (
    AcceptedTime,
    Billing,
    CampaignOfMessage,
    ContactOfMessage,
    DeliveredTime,
    EnvOfMessage,
    FailedTime,
    IdOfMessage,
    MetadataOfMessage,
    OriginOfMessage,
    PhoneOfMessage,
    QuoteOfMessage,
    ReplayMark,
    ScheduledTime,
    SentTime,
)
from core.sms.encoding import SmsEncoding
from core.sms.inputs import SmsRoute, SmsStatus


class SmsFailureReason(DescribedEnum):
    """Why an SMS did not reach its phone."""

    INVALID_NUMBER = "invalid_number", "No phone has the number"
    CARRIER_REJECTED = "carrier_rejected", "The carrier refused it"
    BLACKLISTED = "blacklisted", "The recipient receives nothing from the provider"
    EXPIRED = "expired", "The carrier gave up before the phone could be reached"
    INDETERMINATE = "indeterminate", "What became of it could not be found out"
    ABANDONED = "abandoned", "It waited for longer than it was worth sending"
    CANCELED = "canceled", "It was canceled while it waited"
    OPT_OUT = "opt_out", "The recipient asked not to receive any while it waited"


class ProviderName(DescribedEnum, rest="SmsProvider", graphql="SmsProvider"):
    """What takes an SMS to the carriers."""

    SNS = "cloud-sns", "Amazon SNS"
    EUM = "cloud-eum", "AWS End User Messaging"
    GATEWAY = "gateway", "A gateway of the installation"
    SANDBOX = "svc-sandbox", "The sandbox, which reaches nobody"


class ReceiptType(DescribedEnum, rest="ProviderReceiptType", graphql="ProviderReceiptType"):
    """What kind of message a carrier reports on."""

    MESSAGE = "api_message", "A message"
    FAST = "api_fast", "A message of the route for codes and notices"
    REPLY = "api_reply", "The reply of a recipient"


class CarrierChannel(DescribedEnum):
    """How a message left, as the carrier tells it."""

    SMS = "SMS", "As an SMS"
    RCS = "RCS", "By RCS"
    WHATSAPP = "WHATSAPP", "On WhatsApp"


class ProviderReceipt(TypedDict):
    """The carrier's report."""

    id: Annotated[Id, Doc("The provider's id of the message")]
    type: Annotated[ReceiptType, Doc("What kind of message the report is on")]
    to: Annotated[
        str,
        Doc("The phone, as the carrier spells it; masked as that of the message without pii:full"),
    ]
    message: NotRequired[Annotated[str, Doc("The text, where the carrier repeats it")]]
    reference: NotRequired[Annotated[str, Doc("The id of the message that the carrier was given")]]
    status: Annotated[str, Doc("What became of it, in the carrier's words")]
    statusDescription: Annotated[str, Doc("The same in a sentence")]
    received: NotRequired[Annotated[Instant, Doc("When the carrier knew")]]
    bill_factor: NotRequired[Annotated[float, Doc("How many messages the carrier counted")]]
    account_id: NotRequired[Annotated[float, Doc("The account at the carrier, by its number")]]
    account_reference: NotRequired[Annotated[str, Doc("The account at the carrier, by its name")]]
    channel: NotRequired[
        Annotated[CarrierChannel | None, Doc("How it left; null where the carrier does not tell")]
    ]


def masked_receipt(receipt: ProviderReceipt, to: str) -> ProviderReceipt:
    """A carrier's receipt with the mask of its phone, which the carrier may spell in its own way."""
    return {**receipt, "to": to}


def _receipt(receipt: object, _: str) -> object:
    return receipt


def _masked_receipt(receipt: ProviderReceipt | None, recipient: str) -> ProviderReceipt | None:
    return None if receipt is None else masked_receipt(receipt, mask_phone(recipient))


class SmsKeys(TypedDict):
    """What a sent SMS and the answer to its send have in common."""

    id: IdOfMessage
    status: Annotated[SmsStatus, Doc("How far it has come")]
    env: EnvOfMessage
    reason: NotRequired[Annotated[SmsFailureReason, Doc("Why it did not arrive")]]
    route: NotRequired[Annotated[SmsRoute, Doc("The route that it takes")]]
    to: PhoneOfMessage
    provider: Annotated[ProviderName, Doc("What took it to the carrier")]
    createdAt: AcceptedTime
    scheduledAt: NotRequired[ScheduledTime]
    sentAt: NotRequired[SentTime]
    deliveredAt: NotRequired[DeliveredTime]
    failedAt: NotRequired[FailedTime]
    providerReceipt: NotRequired[
        Annotated[
            ProviderReceipt,
            Made(
                _receipt,
                ("provider_receipt", "recipient"),
                masked=_masked_receipt,
                sql="provider_receipt::text",
            ),
            Doc("What the carrier reported, as it told it"),
        ]
    ]
    contactId: NotRequired[ContactOfMessage]
    campaignId: NotRequired[CampaignOfMessage]
    metadata: NotRequired[MetadataOfMessage]
    quoteId: NotRequired[QuoteOfMessage]


ENCODING = Doc("The alphabet that its text needs")
LENGTH = Doc(
    "How long the text is: in septets where the encoding is GSM-7, in UTF-16 "
    "units where it is UCS-2"
)
SEGMENTS = Doc("How many SMS the text takes; each is charged")


@named(rest="SmsMessage", graphql="SmsMessage")
class SmsRecord(SmsKeys):
    """An SMS as list and read answer it."""

    encoding: NotRequired[Annotated[SmsEncoding, ENCODING]]
    length: NotRequired[Annotated[int, LENGTH]]
    segments: NotRequired[Annotated[int, SEGMENTS]]
    origem: OriginOfMessage


SMS_MESSAGE = Record(SmsRecord)


class SmsPage(Page[SmsRecord]):
    """A page of messages, newest first. Deep readers send `nextCursor` back as `cursor`."""


class SentSms(SmsKeys):
    """The answer to a send, which the same key gets again for 24 hours."""

    encoding: Annotated[SmsEncoding, ENCODING]
    length: Annotated[int, LENGTH]
    segments: Annotated[int, SEGMENTS]
    billing: Annotated[Billing, Doc("What it costs")]
    replayed: ReplayMark


class SmsPreview(TypedDict):
    """What a text would become and cost."""

    body: Annotated[str, Doc("The text as it reaches the phone, with accents replaced")]
    encoding: Annotated[SmsEncoding, ENCODING]
    length: Annotated[int, LENGTH]
    segments: Annotated[int, SEGMENTS]
    billing: NotRequired[
        Annotated[Billing, Doc("What it would cost at the present volume; absent without a route")]
    ]


def send_record(row: HasColumns) -> dict[str, object]:
    """The answer to a send, from its message: the unmasked record with its price."""
    record: dict[str, object] = {**SMS_MESSAGE.make(row, unmasked=True)}
    del record["origem"]  # whoever sends knows it
    return {**record, "billing": {"coins": row["coins"]}}


def repeated_record(row: HasColumns) -> dict[str, object]:
    """The answer to a repeated send whose answer is not stored, from its message. In the sandbox that
    is the first answer, whatever became of the message since; a live one is as it stands.
    """
    return send_record(_AsAccepted(row) if row["env"] == Environment.TEST else row)


class _AsAccepted:
    """A message of the sandbox as it was when it was accepted."""

    def __init__(self, row: HasColumns) -> None:
        self._row = row

    def __getitem__(self, name: str) -> object:
        return SINCE_ACCEPTED[name] if name in SINCE_ACCEPTED else self._row[name]


SINCE_ACCEPTED = {
    "status": "sent",
    "reason": None,
    "delivered_at": None,
    "failed_at": None,
    "provider_receipt": None,
}
"""What only reports change."""


def masked(record: Mapping[str, Any]) -> dict[str, Any]:
    """The same record with every phone in it masked."""
    shown = {**record, "to": mask_phone(record["to"])}
    if receipt := record.get("providerReceipt"):
        shown["providerReceipt"] = masked_receipt(receipt, shown["to"])
    return shown


def event_data(row: HasColumns) -> dict[str, object]:
    """The `data` of sms.delivered, sms.failed and sms.undelivered; unmasked, as events are stored."""
    record = SMS_MESSAGE.make(row, unmasked=True)
    return {name: value for name, value in record.items() if name in EVENT_FIELDS}


EVENT_FIELDS = frozenset((
    "id", "to", "route", "status", "reason", "segments", "sentAt", "deliveredAt", "failedAt", "providerReceipt",
    "env", "metadata", "contactId", "campaignId",
))  # fmt: skip


def _text(content: Mapping[str, str]) -> str:
    return content["text"]


_From = TypedDict(
    "_From",
    {
        "from": Annotated[
            str,
            Column("recipient"),
            Masked(mask_phone),
            Doc("The phone that it came from, in E.164; masked without pii:full"),
        ]
    },
)


@named(rest="SmsReply", graphql="SmsReply")
class SmsReplyRecord(_From, TypedDict):
    """What a recipient sent back (MO)."""

    id: Annotated[Id, Doc("Names the reply")]
    env: Annotated[Environment, Doc("The environment of the message that is answered")]
    inReplyTo: Annotated[Id, Doc("The message that is answered")]
    route: NotRequired[Annotated[SmsRoute, Doc("The route that this message took")]]
    body: Annotated[
        str,
        Made(_text, ("content",), sql="to_json(content ->> 'text')::text"),
        Doc("What the recipient wrote"),
    ]
    receivedAt: Annotated[Instant, Column("delivered_at"), Doc("When the provider received it")]
    createdAt: Annotated[Instant, Doc("When it was stored")]


SMS_REPLY = Record(SmsReplyRecord)


class SmsReplyPage(Page[SmsReplyRecord]):
    """A page of replies, newest first."""
