"""How a backlog goes out once its receiver is back: 10 a second, and twice as fast every 10 seconds.

Whoever has just come up again is not knocked over by all that it missed.
"""

from math import floor, log2

STEP_SECONDS = 10
FIRST_PER_SECOND = 10


def seconds_until(place: int) -> float:
    """When the delivery at this place, counted from 0, is due.

    Before the k-th doubling there is room for 10 x 10 x (2^k - 1) deliveries.
    """
    step = STEP_SECONDS * FIRST_PER_SECOND
    doublings = floor(log2(place / step + 1))
    faster: int = 2**doublings
    return STEP_SECONDS * doublings + (place - step * (faster - 1)) / (FIRST_PER_SECOND * faster)


_DOUBLINGS = "floor(ln({n}::float8 / 100 + 1) / ln(2::float8))"

SECONDS_UNTIL = (
    f"(10 * {_DOUBLINGS} + "
    f"({{n}} - 100 * (power(2::float8, {_DOUBLINGS}) - 1)) / (10 * power(2::float8, {_DOUBLINGS})))"
)
"""The same in SQL, of the expression `{n}`. Floating numbers: numeric logarithms take seconds for a long backlog."""
