"""Guarded HTTP client: public addresses only, no redirects, bounded in time and size.

`urls` judges what was written, `addresses` judges where it leads, `client` applies both to every
connection, `posting` turns whatever the peer does into a `PostResult`, and `shared` keeps sessions for
the life of the process.
"""

from core.foundation.http_client.client import open_client
from core.foundation.http_client.policy import OutboundPolicy, OutboundRefused, Refusal
from core.foundation.http_client.posting import Failure, PostResult, post
from core.foundation.http_client.shared import client_for, close_clients
from core.foundation.http_client.urls import check_url

__all__ = [
    "Failure",
    "OutboundPolicy",
    "OutboundRefused",
    "PostResult",
    "Refusal",
    "check_url",
    "client_for",
    "close_clients",
    "open_client",
    "post",
]
