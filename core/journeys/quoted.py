"""The quote that a version is activated with: what it promises the messages of its steps."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from core import quotes
from core.foundation.errors import FieldError, ServiceError
from core.foundation.security.caller import Caller
from core.journeys.models import JourneyChannel


@dataclass(slots=True)
class QuoteInUse:
    """What is left of a quote, in segments, by channel; it is locked until the transaction ends."""

    id: str
    left: dict[JourneyChannel, int]
    prices: Mapping[JourneyChannel, int]

    def on(self, channel: JourneyChannel) -> "QuoteOnChannel":
        """What is left for one channel."""
        return QuoteOnChannel(self, channel)


@dataclass(frozen=True, slots=True)
class QuoteOnChannel:
    """A quote as the channel of a step uses it up."""

    quote: QuoteInUse
    channel: JourneyChannel

    @property
    def id(self) -> str:
        """That of the quote."""
        return self.quote.id

    def fitting(self, segments: int, messages: int) -> int:
        """How many of the messages it covers, of so many segments each."""
        return min(messages, self.quote.left.get(self.channel, 0) // segments)

    def use(self, segments: int) -> None:
        """Note what was sent by it."""
        self.quote.left[self.channel] -= segments


async def lock_quote(caller: Caller, id: str, *, at: datetime) -> QuoteInUse:
    """Before any wallet is locked. Of a quote that is over nothing is left, and of one that is
    gone.
    """
    promises = await quotes.lock_quote(caller.organization_id, caller.env, id, at=at)
    found = {
        channel: promise
        for channel in JourneyChannel
        if (promise := promises.get((channel.value, channel.facts.journey_route))) is not None
        and not promise.is_over
    }
    return QuoteInUse(
        id,
        {channel: promise.remaining for channel, promise in found.items()},
        {channel: promise.price(1) for channel, promise in found.items() if promise.remaining},
    )


async def faults_of_quote(
    caller: Caller, id: str | None, channels: Iterable[JourneyChannel], *, at: datetime
) -> list[FieldError]:
    """Why a journey that sends on these channels cannot be activated with this quote."""
    if id is None:
        return []
    promises = await quotes.lock_quote(caller.organization_id, caller.env, id, at=at)
    routes = {(channel.value, channel.facts.journey_route) for channel in channels}
    refusal: ServiceError | None = None
    if not promises:
        refusal = quotes.UnknownQuote()
    elif any(promise.is_over for promise in promises.values()):
        refusal = quotes.QuoteExpired()
    elif not routes & promises.keys():
        refusal = quotes.QuoteOfAnotherRoute()
    return [] if refusal is None else list(refusal.errors)
