"""The contract of conversation platforms: messages, statuses, numbers and templates.

The answers are those of `core.providers.contracts`, with what a conversation needs besides: errors
carry the platform's code, and acceptance may tell the form of the address that the platform knows.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

MessageKind: TypeAlias = Literal["text", "template", "media", "interactive"]


@dataclass(frozen=True, slots=True)
class SenderAccount:
    """What a message leaves by: a number or an Instagram account, under the platform's ids."""

    id: str
    """Ours: `num_…` or `iga_…`."""
    channel: Literal["whatsapp", "instagram"]
    platform_id: str
    """`phoneNumberId`, or the Instagram account's id."""
    account_id: str | None
    """`wabaId` of a number."""
    token: str | None = field(repr=False)
    """Its own access token; None: the installation's."""

    @classmethod
    def number(
        cls, id: str, phone_number_id: str, waba_id: str | None, token: str | None
    ) -> "SenderAccount":
        """A number."""
        return cls(id, "whatsapp", phone_number_id, waba_id, token)

    @classmethod
    def instagram(cls, id: str, instagram_id: str, token: str | None) -> "SenderAccount":
        """An account at Instagram."""
        return cls(id, "instagram", instagram_id, None, token)


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """A message as it shall leave.

    `id` is ours; the platform is asked to say it again in each report. `to`: the form of the
    address that the platform prefers (a phone without `+` where it answered so), else E.164 or an
    Instagram scoped id. `payload` is the interface's object of the type, except that a media id is
    the platform's own; for a template it is `{name, language, components}` with the variables
    filled in, in the platform's shape. `reply_to`: the platform's id of the message that is
    answered.
    """

    id: str
    to: str
    type: MessageKind
    payload: Mapping[str, Any]
    reply_to: str | None = None


# What the platform answers to a message ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlatformAcceptance:
    """Accepted. `reference`: the platform's id of the message; `address`: the recipient as the
    platform knows him.
    """

    reference: str
    address: str | None = None


@dataclass(frozen=True, slots=True)
class Rejection:
    """Not taken, and another try would end the same. `code`: the platform's; `error`: our English
    sentence for it.
    """

    code: str
    error: str


@dataclass(frozen=True, slots=True)
class TemporaryFailure:
    """Not taken, another try may succeed: throttled or broken.

    `pair`: the limit is that of this sender and recipient, not the number's. `retry_after`:
    seconds, where told.
    """

    code: str
    error: str
    retry_after: int | None = None
    pair: bool = False


@dataclass(frozen=True, slots=True)
class UnknownOutcome:
    """Perhaps taken: it was handed over and no readable answer came. It must not be sent again."""


SendReply = PlatformAcceptance | Rejection | TemporaryFailure | UnknownOutcome


class UpstreamError(Exception):
    """The platform failed or refused; `code` and `error` as above. `gone`: it does not know the
    thing any more.
    """

    def __init__(
        self, code: str, error: str, *, gone: bool = False, retryable: bool = False
    ) -> None:
        super().__init__(error)
        self.code = code
        self.error = error
        self.gone = gone
        self.retryable = retryable


# PlatformHealth, templates, flows ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlatformHealth:
    """A number as the platform sees it now; values are the interface's. None: the platform did not
    tell.

    `problems`: `{codigo, mensagem, gravidade}` objects.
    """

    connected: bool
    flagged: bool
    quality_rating: str | None
    messaging_tier: str | None
    verified_name: str | None
    name_status: str | None
    profile: Mapping[str, str] | None
    throughput: str | None
    can_send: bool
    problems: Sequence[Mapping[str, str]] = ()


@dataclass(frozen=True, slots=True)
class TemplateSubmission:
    """A template that was handed in. `status`: the interface's (pending, approved, rejected)."""

    template_id: str
    status: str
    rejection_reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateDraft:
    """A template to be handed in. Language, category and components are the interface's, but that
    the `flowId` of a button is the platform's own. `template_id`: the platform's id of the one that
    this replaces: it edits it.
    """

    name: str
    language: str
    category: str
    components: Sequence[Mapping[str, object]]
    template_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowDraft:
    """A flow to be published. `flow_id`: the platform's id of the one that gets this content."""

    flow_id: str | None
    name: str
    categories: Sequence[str]
    flow_json: Mapping[str, Any]


# What the platform tells later -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StatusReport:
    """A step of an outbound message. `message_id` is ours, where the platform said it again."""

    platform_id: str
    message_id: str | None
    reference: str
    status: Literal["sent", "delivered", "read", "failed"]
    at: datetime
    address: str | None = None
    code: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class InboundMessage:
    """A message that somebody wrote to a sender account of ours.

    `reference` is the same each time the platform tells of it. `sender`: E.164, or an Instagram
    scoped id. `type` is one of the interface's four and `payload` its object; a media id in it is
    the platform's. `reply_to`: the platform's id of the message answered. `referral`: the
    advertisement it came from, as the platform describes it.
    """

    platform_id: str
    reference: str
    sender: str
    type: str
    payload: dict[str, Any]
    at: datetime
    profile_name: str | None = None
    reply_to: str | None = None
    referral: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class NumberNotice:
    """Something about a number changed: quality, tier, name, or the account's removal of the
    service.

    `kind`: quality, tier, name, partner_removed, app_uninstalled, partner_restored. One of
    `platform_id` and `account`; `phone` (E.164) narrows an account to the one of its numbers that
    the platform names so. `value`: the interface's.
    """

    kind: str
    platform_id: str | None
    account: str | None
    value: str | None
    at: datetime
    phone: str | None = None


@dataclass(frozen=True, slots=True)
class TemplateNotice:
    """The platform decided on a template. `status` is the interface's."""

    account: str
    template_id: str
    status: str
    reason: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class FlowNotice:
    """The platform changed a flow's status: PUBLISHED, DEPRECATED, BLOCKED, THROTTLED, DRAFT."""

    account: str
    flow_id: str
    status: str
    at: datetime


Notice = StatusReport | InboundMessage | NumberNotice | TemplateNotice | FlowNotice


class ConversationPlatform(Protocol):
    """A platform of conversations. `send` raises nothing that the platform or the network causes;
    all else raises UpstreamError. Call none of it inside a transaction.
    """

    @property
    def name(self) -> str:
        """What is stored as the provider of a message."""
        ...

    async def send(self, sender: SenderAccount, outgoing: OutgoingMessage) -> SendReply:
        """Hand a message over, once."""
        ...

    async def health(self, sender: SenderAccount) -> PlatformHealth: ...

    async def upload(
        self, sender: SenderAccount, file: Path, *, mime_type: str, filename: str
    ) -> str:
        """Put a file there, streamed from disk. Answers the platform's media id."""
        ...

    def download(
        self, sender: SenderAccount, media_id: str
    ) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        """The bytes of a file, streamed from the platform's short-lived address."""
        ...

    async def submit_template(
        self, sender: SenderAccount, draft: TemplateDraft
    ) -> TemplateSubmission: ...

    async def template_status(
        self, sender: SenderAccount, template_id: str
    ) -> TemplateSubmission: ...

    async def remove_template(
        self, sender: SenderAccount, *, name: str, template_id: str | None
    ) -> None: ...

    async def publish_flow(self, sender: SenderAccount, draft: FlowDraft) -> str:
        """Create or update a flow there and publish it. Answers the platform's id of it."""
        ...

    async def deprecate_flow(self, sender: SenderAccount, flow_id: str) -> None: ...
