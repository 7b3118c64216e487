"""What each channel says of the messages of journeys."""

from collections.abc import Mapping

from core import quotes, wallet
from core.channels import PACKAGES
from core.channels.prices import steps_of
from core.foundation.errors import PreconditionFailed
from core.journeys.models import JourneyChannel
from core.messaging.by_journey import JourneyWay

WAYS: Mapping[JourneyChannel, JourneyWay] = {
    JourneyChannel(channel): package.journey
    for package in PACKAGES
    if package.journey is not None
    for channel in package.channels
    if channel.facts.journey
}


def segments_of(channel: JourneyChannel, text: str | None) -> int:
    """How often a message with this text, or without one, costs the price of its route."""
    return WAYS[channel].segments(text) if text else 1


def coins_of(channel: JourneyChannel, segments: int, prices: wallet.PriceSheet) -> int:
    """What so many segments cost, on the route that journeys take; 0 where it has no price."""
    asked = quotes.QuotedSend(route=channel.facts.journey_route, messages=segments, body=None)
    try:
        steps = steps_of(quotes.QuoteChannel(channel), prices, asked)
    except PreconditionFailed:
        return 0
    return sum(count * coins for count, coins in steps)
