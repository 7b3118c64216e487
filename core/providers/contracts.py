"""The words in which channels and providers speak to each other."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message to hand over. `id` is ours and makes the hand-over happen once at the provider."""

    id: str
    channel: str
    to: str
    text: str | None
    content: Mapping[str, Any] | None
    route: str
    sender_id: str | None


@dataclass(frozen=True, slots=True)
class Accepted:
    """The provider took the message; `reference` is its own id for it."""

    reference: str


@dataclass(frozen=True, slots=True)
class Refused:
    """Refused because of the recipient: invalid_number, carrier_rejected or blacklisted."""

    reason: str


@dataclass(frozen=True, slots=True)
class Throttled:
    """The provider limits the route; `retry_after` is in seconds."""

    retry_after: int


@dataclass(frozen=True, slots=True)
class OutOfCredit:
    """Our account at the provider is empty."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The provider failed in a way that rules out that it took the message."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """The message was handed over and no answer came: it may or may not be on its way."""


Answer = Accepted | Refused | Throttled | OutOfCredit | Failed | Unknown


@dataclass(frozen=True, slots=True)
class Found:
    """The provider has the message."""

    reference: str
    status: str | None = None


@dataclass(frozen=True, slots=True)
class NotFound:
    """The provider has never seen the message."""


@dataclass(frozen=True, slots=True)
class LookupFailed:
    """The provider could not be asked."""


Lookup = Found | NotFound | LookupFailed


class SmsProvider(Protocol):
    """Who carries SMS."""

    name: str

    async def send(self, outgoing: Outgoing) -> Answer:
        """Hand a message over, once."""

    async def look_up(self, message_id: str) -> Lookup:
        """Ask what became of a message that was handed over."""
