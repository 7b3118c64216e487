"""How messages of journeys go over a channel: many of one content at once, each to its own
recipient.

The package of a channel says it in a `JourneyWay`: its `carry` puts them through the channel's own
set-based acceptance, with all its rules, in the transaction that moves their runs.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from typing import Generic, Protocol, TypeAlias, TypeVar
from uuid import UUID

from core.foundation.security.caller import Caller
from core.foundation.validation.inputs import Input
from core.messaging.accept_outcomes import AcceptedSend, AcceptOutcome
from core.messaging.models import MessagePriority
from core.messaging.queue.accept import SendSchedule, SentByJourney

KEY_ROUTE = "journeys"
"""Sends of journeys are none of requests. Of their keys nothing is kept: effects of runs tell what
was sent.
"""

A_PHONE, AN_ADDRESS = "+5511999999999", "a@example.com"
"""What stands in a message that is checked once, before each has its own recipient."""


@dataclass(slots=True)  # frozen, it would take four times as long to make
class JourneyRecipient:
    """Whom a message is for: a contact, by a run on its step. `key`: names this try of this run."""

    contact_id: str
    phone: str
    email: str | None
    identity: bytes
    run: UUID
    step: int
    key: str

    @property
    def journey(self) -> SentByJourney:
        """What the message keeps of it."""
        return SentByJourney(self.run, self.step)


@dataclass(frozen=True, slots=True)
class JourneyMessage:
    """What is sent: a text with a subject, or a template of a number with what fills it in."""

    text: str | None
    subject: str
    template_id: str | None = None
    number_id: str | None = None
    variables: tuple[str, ...] = ()


class QuoteLeft(Protocol):
    """What is left of a quote for the channel; it is locked until the transaction ends."""

    @property
    def id(self) -> str: ...

    def fitting(self, segments: int, messages: int) -> int:
        """How many of the messages it covers, of so many segments each."""
        ...

    def use(self, segments: int) -> None:
        """Note what was sent by it."""
        ...


@dataclass(slots=True)
class CarriedMessage:
    """The message, or the dispatch, that was accepted. `settled`: there is nothing to wait for."""

    ref: str
    settled: bool = False


class NotSent(Enum):
    """Why a message did not leave that nobody refused."""

    NO_ADDRESS = auto()
    OPTED_OUT = auto()
    SUPPRESSED = auto()
    NOT_NOW = auto()
    """Nothing is wrong with it: it may be tried again."""


Carried: TypeAlias = CarriedMessage | NotSent | Exception
"""What became of a message; an exception says why the channel refused it."""

Carry = Callable[
    [Caller, JourneyMessage, QuoteLeft | None, Sequence[JourneyRecipient], datetime],
    Awaitable[Sequence[Carried]],
]


@dataclass(frozen=True, slots=True, kw_only=True)
class JourneyWay:
    """What a channel says of the messages of journeys.

    `carry`: takes them, and answers what became of each in their order. `segments`: those of a
    text, each of which has the price. `longest`: characters of a text, where it takes less than a
    step may hold. `has_subject`: a text has a subject, or a title. `counts`: its acceptance counts
    what it took.
    """

    carry: Carry
    segments: Callable[[str], int] = lambda _: 1
    longest: int | None = None
    has_subject: bool = False
    counts: bool = False

    def takes(self, text: str) -> bool:
        """Whether a text is short enough."""
        return self.longest is None or len(text) <= self.longest


New = TypeVar("New", bound=Input)
Request = TypeVar("Request")
New_contra = TypeVar("New_contra", bound=Input, contravariant=True)
Request_co = TypeVar("Request_co", covariant=True)
Queue = Callable[[Sequence[Request]], Awaitable[Sequence[AcceptOutcome | Exception]]]


class MakeRequest(Protocol[New_contra, Request_co]):
    """Makes the command to send a message later."""

    def __call__(
        self,
        caller: Caller,
        new: New_contra,
        *,
        key: str,
        later: SendSchedule,
        key_route: str,
    ) -> Request_co: ...


@dataclass(frozen=True, slots=True)
class QueuedByJourney(Generic[New, Request]):
    """A channel whose messages wait in the queue. `draft`: what all of a step have in common, valid
    for one of its contacts. `address`: where a contact gets it. `segments`: what each of them
    takes.
    """

    draft: Callable[[JourneyMessage, str], New]
    address: Callable[[JourneyRecipient], str | None]
    request: MakeRequest[New, Request]
    queue: Queue[Request]
    queue_quoted: Queue[Request]
    segments: Callable[[str], int] = lambda _: 1

    async def carry(
        self,
        caller: Caller,
        message: JourneyMessage,
        quote: QuoteLeft | None,
        to: Sequence[JourneyRecipient],
        at: datetime,
    ) -> list[Carried]:
        """Put the messages into the queue of their channel: the first of them by the quote, as far
        as it goes.
        """
        new = self.draft(message, to[0].contact_id)
        reached = [one for one in to if self.address(one) is not None]

        def request(one: JourneyRecipient, quote_id: str | None) -> Request:
            told = {
                "to": self.address(one),
                "contact_id": one.contact_id,
                "quote_id": quote_id,
            }
            return self.request(
                caller,
                new.model_copy(update=told),
                key=one.key,
                later=SendSchedule(at, priority=MessagePriority.BULK, journey=one.journey),
                key_route=KEY_ROUTE,
            )

        segments, covered = self.segments(message.text or ""), 0
        outcomes: list[Carried] = []
        if quote is not None and (covered := quote.fitting(segments, len(reached))):
            quoted = await self.queue_quoted([request(one, quote.id) for one in reached[:covered]])
            outcomes += map(_read, quoted)
            taken = sum(isinstance(outcome, CarriedMessage) for outcome in outcomes)
            quote.use(taken * segments)
        if covered < len(reached):
            outcomes += map(
                _read, await self.queue([request(one, None) for one in reached[covered:]])
            )
        carried = {one.key: outcome for one, outcome in zip(reached, outcomes, strict=True)}
        return [carried.get(one.key, NotSent.NO_ADDRESS) for one in to]


def _read(outcome: AcceptOutcome | Exception) -> Carried:
    """What the acceptance of a queued message says."""
    if isinstance(outcome, Exception):
        return outcome
    if isinstance(outcome, AcceptedSend):
        answer = outcome.record
        return NotSent.SUPPRESSED if answer["status"] == "failed" else CarriedMessage(answer["id"])
    return NotSent.NOT_NOW
