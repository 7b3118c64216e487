"""The contract of e-mail relays: what is handed over, answered and reported.

One answer for each way to go on, and none of them is an exception. Source: decisions, States and
moves (Email).
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

EmailFailureReason = Literal[
    "invalid_address", "mailbox_full", "content_rejected", "provider_error", "no_verified_sender"
]
"""Why an e-mail was not taken (interface, Email message, `reason`)."""


@dataclass(frozen=True, slots=True)
class OutgoingEmail:
    """An e-mail on its way out: `content` is the whole message as it is transmitted, in ASCII with
    CRLF.

    `id` is ours (`msg_…`); `sender` and `recipient` are the addresses of the envelope.
    """

    id: str
    sender: str
    recipient: str
    content: bytes


@dataclass(frozen=True, slots=True)
class EmailAccepted:
    """The relay said that it has the e-mail, and answers for it from here on."""


@dataclass(frozen=True, slots=True)
class EmailRefused:
    """Not taken, and another try would end the same."""

    reason: EmailFailureReason


@dataclass(frozen=True, slots=True)
class EmailDeferred:
    """Not taken now; try again later. `reason` is what it fails with when later never comes."""

    reason: EmailFailureReason


@dataclass(frozen=True, slots=True)
class EmailOutcomeUnknown:
    """Perhaps taken: it was transmitted and no answer came. It must not be transmitted again."""


@dataclass(frozen=True, slots=True)
class EmailClaimedElsewhere:
    """Nothing was transmitted, because `begin` said that somebody else has it."""


HandedOver = (
    EmailAccepted | EmailRefused | EmailDeferred | EmailOutcomeUnknown | EmailClaimedElsewhere
)

Begin = Callable[[], Awaitable[bool]]
"""Called before the first byte that might make the relay answer for it; False: leave it."""


class MailProvider(Protocol):
    """Whoever carries e-mails. `hand_over` raises nothing that the relay or the network causes."""

    @property
    def name(self) -> str:
        """What is stored as the provider of the message."""
        ...

    @property
    def lines(self) -> int:
        """How many e-mails may be handed over side by side."""
        ...

    async def hand_over(self, outgoing: OutgoingEmail, begin: Begin) -> HandedOver:
        """Transmit an e-mail once. Call it outside any transaction."""
        ...


@dataclass(frozen=True, slots=True)
class Feedback:
    """What somebody on the way, or the recipient, made known about an e-mail.

    `status` None: nothing that moves it (a delay, a report of «not spam»). A bounce with the reason
    invalid_address is for good. `kind` is what it was read from, for the log.
    """

    message_id: str
    status: Literal["delivered", "bounced", "complained"] | None
    reason: str | None
    at: datetime
    kind: str
