"""Headers of an answer that tell under what it was made: the limit that the request met, and the clock
of its sandbox.
"""

from typing import Final

from starlette.types import Scope

from core.foundation.security import rate_limit

CLOCK: Final = "svc.clock"
"""Under what a request's scope remembers the time of its sandbox, where its clock was moved."""


def limit_headers() -> tuple[tuple[bytes, bytes], ...]:
    """`RateLimit-Policy` and `RateLimit` of the request under way, as the IETF draft on rate limits
    has them; nothing where no limit holds.

    `q` tokens per window of `w` seconds; `r` are left, and after `t` seconds one more is there.
    """
    allowance = rate_limit.noted()
    if allowance is None:
        return ()
    policy = f'"{allowance.name}";q={allowance.quota};w={allowance.window}'
    state = f'"{allowance.name}";r={allowance.left};t={allowance.wait}'
    return (b"ratelimit-policy", policy.encode()), (b"ratelimit", state.encode())


def clock_headers(scope: Scope) -> tuple[tuple[bytes, bytes], ...]:
    """`X-SVC-Clock`: at what time of its sandbox the request happened; nothing in real time."""
    at: str | None = scope.get(CLOCK)
    return () if at is None else ((b"x-svc-clock", at.encode()),)
