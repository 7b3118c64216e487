"""Sends that name a quote: priced by it, and never more of them than it promised.

The quote is locked, the sends are accepted and what is left of it is lowered in one transaction:
quotes are locked before wallets, and wallets before keys. Sends without a quote never come here.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Generic, Protocol, TypeAlias, TypeVar

from core import quotes, wallet
from core.foundation.database.transactions import transaction
from core.foundation.errors import ServiceError
from core.messaging.accept_outcomes import AcceptedSend, AcceptOutcome, AwaitingProvider
from core.messaging.insert import MessageRow
from core.messaging.models import Channel, Status
from core.messaging.send_request import Record, SendRequest

Outcome: TypeAlias = AcceptOutcome | Exception


class Quotable(Protocol):
    """A send of so many segments on a route, which may name a quote."""

    @property
    def id(self) -> str: ...
    @property
    def owner(self) -> wallet.Owner: ...
    @property
    def quote_id(self) -> str | None: ...
    @property
    def route_name(self) -> str: ...
    @property
    def segments(self) -> int: ...


Request = TypeVar("Request", bound=Quotable)


@dataclass(slots=True)
class Offer(Generic[Request]):
    """A send, its price, and why a new one is refused before money. `prepaid`: its price is held
    already, for its quote. `facts`: what its rules looked at, as it is stored.
    """

    request: Request
    price: int
    forbidden: Exception | None
    prepaid: bool = False
    facts: str | None = None


Promises: TypeAlias = Mapping[quotes.PromiseKey, quotes.Promise]


async def write_by_quote(
    channel: Channel,
    offers: Sequence[Offer[Request]],
    price_of: Callable[[Request, int], int],
    *,
    at: datetime,
    write: Callable[[Sequence[Offer[Request]]], Awaitable[list[Outcome]]],
) -> list[Outcome]:
    """Accept sends that all name a quote, by `write`, at no more than it promises. `price_of`: the
    present price of the first so many segments of a send.
    """
    outcomes: dict[str, Outcome] = {}
    used: dict[int, quotes.Use] = {}
    async with transaction():
        promises = await quotes.lock_promises(
            [_key(offer.request) for offer in offers], channel, at=at
        )
        pending = list(offers)
        while pending:
            # What one of them did not need after all is left to those behind it.
            fitting, pending = _fitting(pending, promises, price_of)
            written = await write(fitting)
            for offer, outcome in zip(fitting, written, strict=True):
                outcomes[offer.request.id] = outcome
                if _is_new(outcome):
                    _note_use(offer, promises[_key(offer.request)], used)
        await quotes.use_up(used)
    return [outcomes[offer.request.id] for offer in offers]


def _fitting(
    offers: Sequence[Offer[Request]], promises: Promises, price_of: Callable[[Request, int], int]
) -> tuple[list[Offer[Request]], list[Offer[Request]]]:
    """Those that can be written now, the refused among them, and those that wait for what these
    leave. One that would not fit alone is refused.
    """
    planned = {key: replace(promise) for key, promise in promises.items()}
    fitting: list[Offer[Request]] = []
    waiting: list[Offer[Request]] = []
    for offer in offers:
        request, key = offer.request, _key(offer.request)
        refusal = offer.forbidden or _refusal(request, promises.get(key))
        if refusal is not None:
            fitting.append(replace(offer, forbidden=refusal))
        elif request.segments > planned[key].remaining:
            waiting.append(offer)
        else:
            promise = planned[key]
            price = _price(offer, promise, price_of)
            fitting.append(replace(offer, price=price, prepaid=promise.prepaid))
            promise.remaining -= request.segments
    return fitting, waiting


def _refusal(request: Quotable, promise: quotes.Promise | None) -> Exception | None:
    usable = quotes.usable(promise)
    if isinstance(usable, ServiceError):
        return usable
    return quotes.QuoteExhausted(usable.remaining) if request.segments > usable.remaining else None


def _price(
    offer: Offer[Request], promise: quotes.Promise, price_of: Callable[[Request, int], int]
) -> int:
    """Each segment at the lower of the promised and the present price."""
    if offer.price == 0:
        return 0
    return sum(
        min(
            promise.price(count) - promise.price(count - 1),
            price_of(offer.request, count) - price_of(offer.request, count - 1),
        )
        for count in range(1, offer.request.segments + 1)
    )


def _note_use(offer: Offer[Request], promise: quotes.Promise, used: dict[int, quotes.Use]) -> None:
    assert promise.item_id is not None, "it would have been refused"
    promise.remaining -= offer.request.segments
    use = used.setdefault(promise.item_id, quotes.Use())
    use.segments += offer.request.segments
    use.coins += offer.price if offer.prepaid else 0


def _key(request: Quotable) -> quotes.PromiseKey:
    assert request.quote_id is not None, "others are accepted without one"
    return (*request.owner, request.quote_id, request.route_name)


def _is_new(outcome: Outcome) -> bool:
    return isinstance(outcome, AwaitingProvider) or (
        isinstance(outcome, AcceptedSend) and not outcome.replayed
    )


@dataclass(frozen=True, slots=True)
class _OneUnit:
    """A send that is made up already, with its present price; it is priced as a whole."""

    send: SendRequest

    @property
    def id(self) -> str:
        return self.send.id

    @property
    def owner(self) -> wallet.Owner:
        return self.send.owner

    @property
    def quote_id(self) -> str | None:
        return self.send.quote_id

    @property
    def route_name(self) -> str:
        return self.send.message.route or ""

    @property
    def segments(self) -> int:
        """None of one that is stored as failed and costs nothing."""
        return 0 if self.send.message.status == Status.FAILED else 1


async def accept_by_quote(
    channel: Channel,
    sends: Sequence[SendRequest],
    *,
    write: Callable[[Sequence[SendRequest]], Awaitable[list[Outcome]]],
    answer_to: Callable[[MessageRow], Record],
) -> list[Outcome]:
    """Accept sends of one unit each that all name a quote, by `write`, at no more than it promises.
    `answer_to`: the answer to a message, of those whose answer is known when they are accepted.
    """

    async def write_priced(offers: Sequence[Offer[_OneUnit]]) -> list[Outcome]:
        return await write([_priced(offer, answer_to) for offer in offers])

    offers = [Offer(_OneUnit(send), send.message.coins, send.forbidden) for send in sends]
    at = max(send.at for send in sends)
    return await write_by_quote(channel, offers, _present_price, at=at, write=write_priced)


Send = TypeVar("Send")


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitSends(Generic[Send]):
    """How a channel accepts sends that have one price each: now, or into the queue.

    `requests_of`: each with its price. `write`: accepts them, each once per key: what became of each,
    in their order. `answer_to`: the answer to a message, of those whose answer is known then.
    """

    channel: Channel
    requests_of: Callable[[Sequence[Send]], Awaitable[Sequence[SendRequest]]]
    write: Callable[[Sequence[SendRequest]], Awaitable[list[Outcome]]]
    answer_to: Callable[[MessageRow], Record]

    async def accept(self, sends: Sequence[Send]) -> list[Outcome]:
        """Record what can be sent, in one statement; one refused send never touches its neighbours.

        Joins the transaction of its cause, where there is one.
        """
        return await self.write(await self.requests_of(sends))

    async def accept_quoted(self, sends: Sequence[Send]) -> list[Outcome]:
        """The same for sends that each name a quote, at no more than it promises."""
        requests = await self.requests_of(sends)
        return await accept_by_quote(
            self.channel, requests, write=self.write, answer_to=self.answer_to
        )


def _priced(offer: Offer[_OneUnit], answer_to: Callable[[MessageRow], Record]) -> SendRequest:
    send = offer.request.send
    message = replace(send.message, coins=offer.price)
    return replace(
        send,
        message=message,
        answer=None if send.answer is None else answer_to(message),
        forbidden=offer.forbidden,
        prepaid=offer.prepaid,
    )


def _present_price(unit: _OneUnit, segments: int) -> int:
    return unit.send.message.coins * segments
