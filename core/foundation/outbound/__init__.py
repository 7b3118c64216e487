"""Calls to servers that customers name: public addresses only, no redirects, bounded in time and size.

`urls` judges what was written, `addresses` judges where it leads, `client` applies both to every connection,
and `posting` turns whatever the peer does into a `Reply`.
"""

from core.foundation.outbound.client import open_client
from core.foundation.outbound.policy import OutboundPolicy, OutboundRefused, Refusal
from core.foundation.outbound.posting import Reply, post
from core.foundation.outbound.urls import check_url

__all__ = [
    "OutboundPolicy",
    "OutboundRefused",
    "Refusal",
    "Reply",
    "check_url",
    "open_client",
    "post",
]
