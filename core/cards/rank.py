"""Where a card stands in its stage: a fraction in base 62, compared as bytes.

Between two ranks there is always another one. No rank ends in `0`, below which there would be none.
The first four digits count places at either end, so that cards put last, or first, keep short
ranks; what is put between two others halves their distance, which costs a digit each six times.
"""

from core.foundation.ids import BASE62

MAX_RANK_LENGTH = 40
"""A stage whose ranks grow beyond is numbered anew."""

_DIGITS = 4
_PLACES = 62**_DIGITS
_VALUE = {digit: value for value, digit in enumerate(BASE62)}


def rank_between(low: str | None, high: str | None) -> str:
    """A rank above `low` and below `high`; None is the end of the stage on that side."""
    if low is None and high is None:
        return _written(_PLACES // 2)
    if high is None and low is not None and (place := _place(low) + 1) < _PLACES:
        return _written(place)
    if low is None and high is not None and (place := _place(high) - 1) > 0:
        return _written(place)
    return _middle(low or "", high)


def ranks_behind(last: str | None, count: int) -> list[str]:
    """So many ranks in order, above `last`, or of an empty stage."""
    ranks: list[str] = []
    for _ in range(count):
        last = rank_between(last, None)
        ranks.append(last)
    return ranks


def spread(count: int) -> list[str]:
    """Short ranks in order for all cards of a stage, as far from one end as from the other."""
    first = _PLACES // 2 - count // 2
    return [_written(first + place) for place in range(count)]


def _place(rank: str) -> int:
    place = 0
    for digit in rank[:_DIGITS].ljust(_DIGITS, "0"):
        place = place * 62 + _VALUE[digit]
    return place


def _written(place: int) -> str:
    digits = ""
    for _ in range(_DIGITS):
        place, digit = divmod(place, 62)
        digits = BASE62[digit] + digits
    return digits.rstrip("0")


def _middle(low: str, high: str | None) -> str:
    """The shortest fraction in the middle; "" is 0 and None is 1."""
    same = ""
    while high is not None and (low[:1] or "0") == high[0]:
        same, low, high = same + high[0], low[1:], high[1:]
    below = _VALUE[low[0]] if low else 0
    above = _VALUE[high[0]] if high is not None else 62
    if above - below > 1:
        return same + BASE62[(below + above) // 2]
    if high is not None and len(high) > 1:
        return same + high[0]
    return same + BASE62[below] + _middle(low[1:], None)
