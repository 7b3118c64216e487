"""Slow start after recovery: a backlog leaves at 10 a second, and twice as fast every 10 seconds.

A receiver that has just come up again is not knocked over by all that it missed.
"""

_DOUBLINGS = "floor(ln({n}::float8 / 100 + 1) / ln(2::float8))"

DELAY_SECONDS = (
    f"(10 * {_DOUBLINGS} + "
    f"({{n}} - 100 * (power(2::float8, {_DOUBLINGS}) - 1)) / (10 * power(2::float8, {_DOUBLINGS})))"
)
"""After how many seconds the delivery at this place, counted from 0, is due; in SQL, of the
expression `{n}`.

Before the k-th doubling there is room for 10 x 10 x (2^k - 1) deliveries. Floating numbers: numeric
logarithms take seconds for a long backlog.
"""
