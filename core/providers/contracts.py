"""The contract of providers of phone channels: what is sent, answered, looked up and reported.

What counts is what a channel must do next, so there is one answer for each way to go on, and none
of them is an exception. Source: decisions, States and moves (SMS) and Idempotency.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol

SmsRefusal = Literal["invalid_number", "carrier_rejected", "blacklisted"]
"""Why a phone cannot be reached (interface, SMS message, `reason`)."""

RcsRefusal = Literal["no_rcs", "rejected", "media_error"]
"""Why a rich message is not taken (`failureReason`)."""

RefusalReason = SmsRefusal | RcsRefusal

FALLBACK = "-sms"
"""What follows our id where the SMS that stands in for a rich message is meant: two messages, two
ids.
"""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message on its way out.

    `id` is ours (`msg_…`) and the provider's idempotency key. `to` is E.164. Either `text` is set,
    exactly as it shall reach the device, or `content`, the interface's object of a richer channel.
    `segments`: the parts that the text needs.
    """

    id: str
    channel: str
    to: str
    text: str | None
    content: Mapping[str, object] | None
    route: str
    sender_id: str | None
    organization_id: str | None = None
    segments: int = 1


# What a provider answers to a message ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Accepted:
    """Taken, and billable from here on. `reference` is the provider's id: 1 to 80 printable
    characters.
    """

    reference: str


@dataclass(frozen=True, slots=True)
class Refused:
    """Not taken because of the recipient; another try would end the same. `opted_out`: the
    recipient asked the provider not to be written to.
    """

    reason: RefusalReason
    opted_out: bool = False


@dataclass(frozen=True, slots=True)
class Throttled:
    """Not taken: the provider limits the route. `retry_after` is in whole seconds, at least 1."""

    retry_after: int


@dataclass(frozen=True, slots=True)
class OutOfCredit:
    """Not taken: the operator's account with the provider is empty."""


@dataclass(frozen=True, slots=True)
class Failed:
    """Certainly not taken, because of the provider: it said so, or it was never reached."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Perhaps taken: it was handed over and no readable answer came.

    Only a provider that `is_idempotent` may be handed it again; `look_up` tells what became of it.
    """


Answer = Accepted | Refused | Throttled | OutOfCredit | Failed | Unknown


# What a provider knows about a message -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MessageFound:
    """The provider took it, so it is billable, whatever became of it since.

    `status` is `sent` until the provider knows the end; `reason` belongs to undelivered and failed.
    `path` is `rcs` or `sms` where the provider tells which way a rich message took.
    """

    reference: str
    status: Literal["sent", "delivered", "read", "undelivered", "failed"]
    reason: str | None = None
    path: str | None = None


@dataclass(frozen=True, slots=True)
class MessageNotFound:
    """The provider does not know it now. Soon after the send it may still be on its way in: ask
    again later.
    """


@dataclass(frozen=True, slots=True)
class LookupFailed:
    """No readable answer; nothing is known."""


Lookup = MessageFound | MessageNotFound | LookupFailed


class CannotCarry(Exception):
    """A provider cannot take messages now; the text says why and what to set, in one line."""


class SmsProvider(Protocol):
    """A system that takes messages for phones. Neither call raises what the provider or the network
    causes.

    Cancelling `send` leaves the outcome unknown.
    """

    @property
    def name(self) -> str:
        """What the interface's `provider` shows."""
        ...

    @property
    def is_idempotent(self) -> bool:
        """Whether it takes one id of ours only once, however often and from wherever that is handed
        over: a repeat is answered as the first was, with the message that it has or the same
        refusal of the recipient. Only then is a message that it does not know handed over again.
        """
        ...

    async def send(self, outgoing: Outgoing) -> Answer:
        """Hand a message over, once: it is never repeated inside. Call it outside any transaction."""
        ...

    async def look_up(self, message_id: str) -> Lookup:
        """What became of the message with this id of ours."""
        ...

    async def probe(self) -> str:
        """Whether it could take a message now, without sending one: how that was found, in a few
        words. Raises CannotCarry.
        """
        ...


# What a provider reports later -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DeliveryReport:
    """A provider's word on one message.

    `message_id` is our id and `reference` the provider's own; at least one is there, and ours
    decides. `status` None: a state that moves nothing, to be kept and no more. `at` is in UTC and
    never in the future. `provider_receipt` is the interface's object of that name, ready to be
    stored. `of_fallback`: the SMS is meant that went out for the (rich) message.
    """

    message_id: str | None
    reference: str | None
    status: Literal["delivered", "read", "undelivered", "failed"] | None
    reason: str | None
    at: datetime
    provider_receipt: dict[str, Any]
    of_fallback: bool = False


@dataclass(frozen=True, slots=True)
class InboundReply:
    """A recipient's answer (MO).

    `provider_id` is the same each time the provider tells of this reply: it is charged once.
    `message_id` and `reference` name the message answered as in `DeliveryReport`. `sender` is E.164,
    `received_at` in UTC.
    """

    provider_id: str
    message_id: str | None
    reference: str | None
    sender: str
    body: str
    received_at: datetime
