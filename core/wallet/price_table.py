"""The published price table in whole coins, and the arithmetic over its volume bands."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise


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


RCS = {"easy_rcs": 1_200, "easy_otp_rcs": 1_400}
"""Per RCS message, however long."""

PUSH = {"simple": 20, "rich": 40, "silent": 10}
"""Per device whose push provider accepted."""

SMS_REPLY = 200
EMAIL = 10
CONVERSATION_TEMPLATE = 400


def has_table_price(route: str) -> bool:
    """Whether the route is priced by the table; otherwise it is quote-only."""
    return route in SMS


def bands_of(pairs: Sequence[Sequence[int]]) -> tuple[Band, ...]:
    """The bands of an organization's own table, stored as [[from, coins], …]."""
    return tuple(Band(first, coins) for first, coins in pairs)


def defects_of(bands: Sequence[Band]) -> str | None:
    """What is wrong with a table, or None. A price that rises with volume is refused: holds would
    not cover it.
    """
    if not bands or bands[0].from_segment != 1:
        return "the first band begins at segment 1"
    for lower, upper in pairwise(bands):
        if upper.from_segment <= lower.from_segment:
            return "each band begins after the one before it"
        if upper.coins > lower.coins:
            return "the price never rises with the volume"
    return None if all(band.coins >= 0 for band in bands) else "a price is never negative"


def price_of_segments(bands: Sequence[Band], *, accepted: int, segments: int) -> int:
    """Coins for `segments` more segments after `accepted` ones this month.

    The price of each segment is looked up by its own ordinal, since a band may begin in the middle
    of a message.
    """
    total = 0
    for place, band in enumerate(bands):
        if band.from_segment > accepted + segments:  # nor does any that follows
            break
        until = bands[place + 1].from_segment if place + 1 < len(bands) else None
        first = max(band.from_segment, accepted + 1)
        last = accepted + segments if until is None else min(accepted + segments, until - 1)
        total += max(0, last - first + 1) * band.coins
    return total
