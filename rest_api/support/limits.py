"""The limit that a request met, in the headers of the IETF draft on rate limits."""

from core.foundation.security import rate_limit


def limit_headers() -> tuple[tuple[bytes, bytes], ...]:
    """`RateLimit-Policy` and `RateLimit` of the request under way; nothing where no limit holds.

    `q` tokens per window of `w` seconds; `r` are left, and after `t` seconds one more is there.
    """
    allowance = rate_limit.noted()
    if allowance is None:
        return ()
    policy = f'"{allowance.name}";q={allowance.quota};w={allowance.window}'
    state = f'"{allowance.name}";r={allowance.left};t={allowance.wait}'
    return (b"ratelimit-policy", policy.encode()), (b"ratelimit", state.encode())
