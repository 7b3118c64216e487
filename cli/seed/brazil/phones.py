"""Mobile phones by number: the n-th phone is always the same, and no two are.

In the sandbox a phone's last digits decide what becomes of a message to it, so there as many of
them end in the magic digits as real phones fail. Elsewhere those endings mean nothing and come as
they come.
"""

from cli.seed.brazil.places import CROWD, PLACES, Location
from core.foundation.security.caller import Env

FIRST, NUMBERS = 60_000_000, 30_000_000
"""Mobiles of one area code: a 9, a digit from 6 to 8, seven more."""
STEP = 24_721_363
"""Shares no factor with NUMBERS: steps of this length meet every number once."""
FIRST_PREFIX, PREFIXES = 9_000, 1_000
"""Those with a magic ending stand apart: a 9, a 9, three digits, the ending."""

OF_A_THOUSAND = (("0006", 30), ("0008", 10), ("0013", 6), ("0018", 4), ("0099", 10), ("0114", 2))
"""How many phones of a thousand have a magic ending."""
SCATTER = 377
"""Shares no factor with 1,000, so that phones with a magic ending do not stand side by side."""


def phone(number: int, env: Env) -> tuple[str, Location]:
    """The E.164 form of the n-th phone and where it is at home."""
    if env == "test":
        turn = number * SCATTER % 1_000
        for ending, many in OF_A_THOUSAND:
            if turn < many:
                return _with_ending(ending, number // 1_000 * many + turn)
            turn -= many
    place = CROWD[_mixed(number) % len(CROWD)]
    return f"+55{place.area}9{FIRST + number * STEP % NUMBERS}", place


def _with_ending(ending: str, number: int) -> tuple[str, Location]:
    """The n-th phone with this ending: each four digits before it come once in an area, and then in
    the next one.
    """
    turn, of_turn = divmod(number, PREFIXES)
    prefix = of_turn * 237 % PREFIXES
    place = PLACES[(PLACES.index(CROWD[_mixed(prefix) % len(CROWD)]) + turn) % len(PLACES)]
    return f"+55{place.area}9{FIRST_PREFIX + prefix}{ending}", place


def phone_abroad(number: int) -> str:
    """A mobile in Portugal or a phone in New York; these may come twice."""
    if number % 2:
        return f"+35191{2_000_000 + number * 299_709 % 1_000_000}"
    return f"+1212{3_340_000 + number * 7_919 % 10_000}"


def _mixed(number: int) -> int:
    """Neighbours come out far apart (Knuth's multiplicative hash)."""
    return number * 2_654_435_761 % 2**32 >> 8
