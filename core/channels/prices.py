"""What so many messages of a channel cost at this moment, in the order in which they are sent."""

from collections.abc import Mapping

from core import quotes, wallet
from core.channels.registry import PACKAGES
from core.foundation.settings import current

CHANNELS: Mapping[quotes.QuoteChannel, quotes.PricedChannel] = {
    quotes.QuoteChannel(channel): package.prices
    for package in PACKAGES
    if package.prices is not None
    for channel in package.channels
    if channel.facts.quote
}


def steps_of(
    channel: quotes.QuoteChannel, prices: wallet.PriceSheet, asked: quotes.QuotedSend
) -> list[quotes.Step]:
    """What is to be promised. Raises PreconditionFailed for a route without a price."""
    steps = CHANNELS[channel].steps(prices, asked)
    return steps if current().charges else [(count, 0) for count, _ in steps]
