"""What so many messages of a channel cost at this moment, in the order in which they are sent."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import get_args

from core import quotes, sms, wallet
from core.email.inputs import Category
from core.foundation.settings import current
from core.push.models import RateKind
from core.rcs import RcsRoute
from core.rcs.errors import RouteWithoutPrice
from core.rcs.price import quote as rcs_price
from core.sms.errors import QuoteOnlyRoute


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """So many messages of an organization on a route, with this text where it has to do with the
    price.
    """

    organization_id: str
    route: str
    messages: int
    body: str | None
    at: datetime

    @property
    def segments(self) -> int:
        """Of the text of one message, as an SMS; 1 without a text."""
        return 1 if self.body is None else sms.encode_sms(self.body).segments


@dataclass(frozen=True, slots=True)
class PricedChannel:
    """The routes of a channel, and what is paid on them."""

    routes: frozenset[str]
    steps: Callable[[Asked], Awaitable[list[quotes.Step]]]


async def steps_of(channel: quotes.QuoteChannel, asked: Asked) -> list[quotes.Step]:
    """What is to be promised. Raises PreconditionFailed for a route without a price."""
    steps = await CHANNELS[channel].steps(asked)
    return steps if current().charges else [(count, 0) for count, _ in steps]


async def _sms(asked: Asked) -> list[quotes.Step]:
    route = (asked.organization_id, asked.route)
    rate = (await wallet.read_rates([route], at=asked.at)).get(route)
    if rate is None or not wallet.has_table_price(asked.route):
        raise QuoteOnlyRoute
    return rate.steps(asked.messages * asked.segments)


async def _rcs(asked: Asked) -> list[quotes.Step]:
    """The dearer of its two ways, as it is held; the way that it takes is paid, which costs no more."""
    segments = 0 if asked.body is None else asked.segments
    prices = await rcs_price(asked.organization_id, asked.route, segments, at=asked.at)
    if prices is None:
        raise RouteWithoutPrice
    return [(asked.messages, prices.dearer)]


async def _email(asked: Asked) -> list[quotes.Step]:
    return [(asked.messages, await wallet.email_price(asked.organization_id))]


async def _template(asked: Asked) -> list[quotes.Step]:
    """Outside the service window; one that turns out to cost nothing uses nothing up."""
    return [(asked.messages, await wallet.conversation_price(asked.organization_id))]


async def _push(asked: Asked) -> list[quotes.Step]:
    return [(asked.messages, await wallet.push_price(asked.organization_id, asked.route))]


CHANNELS: Mapping[quotes.QuoteChannel, PricedChannel] = {
    quotes.QuoteChannel.SMS: PricedChannel(frozenset(route.value for route in sms.SmsRoute), _sms),
    quotes.QuoteChannel.RCS: PricedChannel(frozenset(route.value for route in RcsRoute), _rcs),
    quotes.QuoteChannel.EMAIL: PricedChannel(frozenset(get_args(Category)), _email),
    quotes.QuoteChannel.WHATSAPP: PricedChannel(frozenset(["template"]), _template),
    quotes.QuoteChannel.PUSH: PricedChannel(frozenset(kind.value for kind in RateKind), _push),
}
