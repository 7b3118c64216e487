"""What a channel says of its prices, so that they can be promised."""

from collections.abc import Callable
from dataclasses import dataclass

from core import wallet
from core.quotes.promises import Step


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedSend:
    """So many messages on a route, with this text where it has to do with the price."""

    route: str
    messages: int
    body: str | None


@dataclass(frozen=True, slots=True)
class PricedChannel:
    """The routes of a channel, and what so many messages cost on them, in the order in which they
    are sent. Raises PreconditionFailed for a route without a price.
    """

    routes: frozenset[str]
    steps: Callable[[wallet.PriceSheet, QuotedSend], list[Step]]
