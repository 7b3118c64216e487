"""Who may read the metrics."""

import hmac


def may_scrape(authorization: str | None, *, token: str | None) -> bool:
    """Whether a request with this header may; `token` is SVC_METRICS_TOKEN, and without one
    everybody may.
    """
    if token is None:
        return True
    return hmac.compare_digest((authorization or "").encode(), f"Bearer {token}".encode())
