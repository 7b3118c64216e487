"""The published prices, in whole coins (1 coin = 0.0001 BRL), and the arithmetic over their volume bands."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Band:
    """From this ordinal of the month's segments on, each segment costs `coins`."""

    from_segment: int
    coins: int


SMS: dict[str, tuple[Band, ...]] = {
    "premium": (Band(1, 800), Band(10_000, 720), Band(100_000, 650)),
    "otp": (Band(1, 950), Band(10_000, 870), Band(100_000, 800)),
}
"""SMS per segment, by the organization's accepted live segments of the month on the route.

The route la_dedicada has no table price: it is quoted.
"""


def has_table_price(route: str) -> bool:
    """Whether the route is priced by the table; otherwise it is quote-only."""
    return route in SMS


def price_of_segments(bands: Sequence[Band], *, accepted: int, segments: int) -> int:
    """Coins for `segments` more segments after `accepted` ones this month.

    The price of each segment is looked up by its own ordinal, since a band may begin in the middle of a message.
    """
    total = 0
    for place, band in enumerate(bands):
        until = bands[place + 1].from_segment if place + 1 < len(bands) else None
        first = max(band.from_segment, accepted + 1)
        last = accepted + segments if until is None else min(accepted + segments, until - 1)
        total += max(0, last - first + 1) * band.coins
    return total
