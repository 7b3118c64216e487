"""Sends that name a quote: priced by it, and never more of them than it promised.

The quote is locked, the sends are accepted and what is left of it is lowered in one transaction: quotes are
locked before wallets, and wallets before keys. Sends without a quote never come here.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Generic, Protocol, TypeAlias, TypeVar

from core import quotes, wallet
from core.foundation.database.transactions import transaction
from core.messaging.accept_outcomes import AcceptedSend, AcceptOutcome, AwaitingProvider
from core.messaging.models import Channel

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


@dataclass(frozen=True, slots=True)
class Offer(Generic[Request]):
    """A send, its price, and why a new one is refused before money. `prepaid`: its price is held
    already, for its quote.
    """

    request: Request
    price: int
    forbidden: Exception | None
    prepaid: bool = False


Promises: TypeAlias = Mapping[quotes.PromiseKey, quotes.Promise]


async def write_by_quote(
    channel: Channel,
    offers: Sequence[Offer[Request]],
    price_of: Callable[[Request, int], int],
    *,
    at: datetime,
    write: Callable[[Sequence[Offer[Request]]], Awaitable[list[Outcome]]],
) -> list[Outcome]:
    """Accept sends that all name a quote, by `write`, at no more than it promises. `price_of`: the present
    price of the first so many segments of a send.
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
    if promise is None:
        return quotes.UnknownQuote()
    if promise.is_over:
        return quotes.QuoteExpired()
    if promise.item_id is None:
        return quotes.QuoteOfAnotherRoute()
    if request.segments > promise.remaining:
        return quotes.QuoteExhausted(promise.remaining)
    return None


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
