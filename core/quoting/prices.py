"""What so many messages of a channel cost at this moment, in the order in which they are sent."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from core import quotes, sms, wallet
from core.email import EmailCategory
from core.foundation.absent import existing
from core.foundation.settings import current
from core.push.models import RateKind
from core.rcs import RcsRoute
from core.rcs.errors import RouteWithoutPrice
from core.rcs.price import SMS_ROUTE
from core.sms.errors import QuoteOnlyRoute


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedSend:
    """So many messages on a route, with this text where it has to do with the price."""

    route: str
    messages: int
    body: str | None

    @property
    def segments(self) -> int:
        """Of the text of one message, as an SMS; 1 without a text."""
        return 1 if self.body is None else sms.encode_sms(self.body).segments


@dataclass(frozen=True, slots=True)
class PricedChannel:
    """The routes of a channel, and what is paid on them."""

    routes: frozenset[str]
    steps: Callable[[wallet.PriceSheet, QuotedSend], list[quotes.Step]]


def steps_of(
    channel: quotes.QuoteChannel, prices: wallet.PriceSheet, asked: QuotedSend
) -> list[quotes.Step]:
    """What is to be promised. Raises PreconditionFailed for a route without a price."""
    steps = CHANNELS[channel].steps(prices, asked)
    return steps if current().charges else [(count, 0) for count, _ in steps]


def _sms(prices: wallet.PriceSheet, asked: QuotedSend) -> list[quotes.Step]:
    rate = existing(prices.rates.get(asked.route), QuoteOnlyRoute)
    return rate.steps(asked.messages * asked.segments)


def _rcs(prices: wallet.PriceSheet, asked: QuotedSend) -> list[quotes.Step]:
    """The dearer of its two ways, as it is held; the way that it takes is paid, which costs no
    more.
    """
    price = existing(prices.rcs.get(asked.route), RouteWithoutPrice)
    if asked.body is not None:
        stands_in = existing(prices.rates.get(SMS_ROUTE[asked.route]), RouteWithoutPrice)
        price = max(price, stands_in.price(asked.segments))
    return [(asked.messages, price)]


def _email(prices: wallet.PriceSheet, asked: QuotedSend) -> list[quotes.Step]:
    return [(asked.messages, prices.email)]


def _template(prices: wallet.PriceSheet, asked: QuotedSend) -> list[quotes.Step]:
    """Outside the service window; one that turns out to cost nothing uses nothing up."""
    return [(asked.messages, prices.template)]


def _push(prices: wallet.PriceSheet, asked: QuotedSend) -> list[quotes.Step]:
    return [(asked.messages, prices.push[asked.route])]


CHANNELS: Mapping[quotes.QuoteChannel, PricedChannel] = {
    quotes.QuoteChannel.SMS: PricedChannel(frozenset(route.value for route in sms.SmsRoute), _sms),
    quotes.QuoteChannel.RCS: PricedChannel(frozenset(route.value for route in RcsRoute), _rcs),
    quotes.QuoteChannel.EMAIL: PricedChannel(frozenset(one.value for one in EmailCategory), _email),
    quotes.QuoteChannel.WHATSAPP: PricedChannel(frozenset(["template"]), _template),
    quotes.QuoteChannel.PUSH: PricedChannel(frozenset(kind.value for kind in RateKind), _push),
}
