"""The `data` of events."""

from pydantic import Field

from core.foundation.caller import Env
from rest_api.contacts.shapes import ContactSource, OptInStatus, OptOutChannel
from rest_api.email.shapes import EmailReason, EmailStatus
from rest_api.rcs.shapes import RcsFailureReason, RcsPath, RcsRoute, RcsStatus
from rest_api.sms.shapes import FailureReason, ProviderReceipt, SmsRoute, SmsStatus
from rest_api.support.shapes import Metadata, Out, Timestamp


class AboutMessage(Out):
    """What every event about a message carries, where the message has it; `metadata` is what came with the send."""

    env: Env
    metadata: Metadata | None = None
    contact_id: str | None = None
    campaign_id: str | None = None


class SmsOutcome(AboutMessage):
    """How the delivery of an SMS went."""

    id: str
    to: str
    route: SmsRoute | None = None
    status: SmsStatus
    reason: FailureReason | None = None
    segments: int | None = None
    sent_at: Timestamp | None = None
    delivered_at: Timestamp | None = None
    failed_at: Timestamp | None = None
    provider_receipt: ProviderReceipt | None = None


class SmsReceived(AboutMessage):
    """A reply of a recipient."""

    id: str
    in_reply_to: str
    route: SmsRoute | None = None
    from_: str = Field(alias="from")
    body: str
    received_at: Timestamp


class LinkClicked(AboutMessage):
    """A short link was opened. `bot`: by a scanner or a preview, which is counted apart; `first`: the first person."""

    message_id: str
    url: str
    clicked_at: Timestamp
    first: bool
    bot: bool
    user_agent: str | None = None


class RcsOutcome(AboutMessage):
    """How an RCS message went on; `channel` tells whether it left by RCS or as the SMS that stood in."""

    id: str
    to: str
    route: RcsRoute
    status: RcsStatus
    channel: RcsPath | None = None
    failure_reason: RcsFailureReason | None = None


class EmailOutcome(AboutMessage):
    """What became of an e-mail. A letter that was accepted and never left bounces with the status `failed`."""

    id: str
    to: str
    subject: str
    status: EmailStatus
    reason: EmailReason | None = None


class EmailOpened(EmailOutcome):
    """A letter was opened; `bot`: by a scanner or a preview."""

    bot: bool


class EmailClicked(EmailOpened):
    """A tracked link of a letter was opened. `first`: by the first person; `url` is absent where none is tracked."""

    url: str | None = None
    clicked_at: Timestamp | None = None
    first: bool | None = None
    user_agent: str | None = None


class WalletLow(Out):
    """The balance and the line it fell below, in coins."""

    saldo_coins: int
    limite_coins: int
    env: Env


class ApiKeyEvent(Out):
    """A key was issued; never the key itself."""

    key_id: str
    name: str
    env: Env
    scopes: list[str]
    created_by_id: str


class ApiKeyReplaced(ApiKeyEvent):
    """A key was replaced: `keyId` is the old one."""

    replaced_by_id: str


class ConsentStatus(Out):
    """What a new contact consented to."""

    status: OptInStatus


class ContactCreated(Out):
    """A new contact, without personal data: read it by its id."""

    id: str
    env: Env
    source: ContactSource
    external_id: str | None = None
    tags: list[str]
    opt_in: ConsentStatus


class ContactOptedOut(Out):
    """Who asked not to receive messages, on which channel (`todos`: all), when and why."""

    id: str
    env: Env
    phone: str
    channel: OptOutChannel
    reason: str | None = None
    source: str | None = None
    at: Timestamp


class PingData(Out):
    """Nothing: a ping only asks whether somebody answers."""
