"""The words in which the channel e-mail and whoever carries its letters speak.

One answer for each way to go on, and none of them is an exception. Source: decisions, States and
moves (Email).
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

LetterReason = Literal[
    "invalid_address", "mailbox_full", "content_rejected", "provider_error", "no_verified_sender"
]
"""Why a letter was not taken (interface, Email message, `reason`)."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter on its way out: `content` is the whole message as it is transmitted, in ASCII with
    CRLF.

    `id` is ours (`msg_…`); `sender` and `recipient` are the addresses of the envelope.
    """

    id: str
    sender: str
    recipient: str
    content: bytes


@dataclass(frozen=True, slots=True)
class LetterTaken:
    """The relay said that it has the letter, and answers for it from here on."""


@dataclass(frozen=True, slots=True)
class LetterRefused:
    """Not taken, and another try would end the same."""

    reason: LetterReason


@dataclass(frozen=True, slots=True)
class LetterDeferred:
    """Not taken now; try again later. `reason` is what it fails with when later never comes."""

    reason: LetterReason


@dataclass(frozen=True, slots=True)
class LetterUnknown:
    """Perhaps taken: it was transmitted and no answer came. It must not be transmitted again."""


@dataclass(frozen=True, slots=True)
class LetterLeft:
    """Nothing was transmitted, because `begin` said that somebody else has it."""


HandedOver = LetterTaken | LetterRefused | LetterDeferred | LetterUnknown | LetterLeft

Begin = Callable[[], Awaitable[bool]]
"""Called before the first byte that might make the relay answer for it; False: leave it."""


class MailProvider(Protocol):
    """Whoever carries letters. `hand_over` raises nothing that the relay or the network causes."""

    @property
    def name(self) -> str:
        """What is stored as the provider of the message."""
        ...

    @property
    def lines(self) -> int:
        """How many letters may be handed over side by side."""
        ...

    async def hand_over(self, letter: Letter, begin: Begin) -> HandedOver:
        """Transmit a letter once. Call it outside any transaction."""
        ...


@dataclass(frozen=True, slots=True)
class Feedback:
    """What somebody on the way, or the recipient, made known about a letter.

    `status` None: nothing that moves it (a delay, a report of «not spam»). A bounce with the reason
    invalid_address is for good. `kind` is what it was read from, for the log.
    """

    message_id: str
    status: Literal["delivered", "bounced", "complained"] | None
    reason: str | None
    at: datetime
    kind: str
