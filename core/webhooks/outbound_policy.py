"""Outbound policy from the settings: where deliveries may go."""

from functools import lru_cache

from core.foundation.http_client import OutboundPolicy
from core.foundation.settings import current


@lru_cache(maxsize=1)
def policy() -> OutboundPolicy:
    """The outbound policy of this process."""
    settings = current()
    return OutboundPolicy(
        allow_http=settings.webhook_allow_http == "on",
        allow_networks=settings.webhook_allow_networks,
    )
