"""Guarded HTTP client: public addresses only, no redirects, bounded in time and size.

`urls` judges what was written, `addresses` where it leads; `connecting` applies both to every
connection and `pool` keeps connections for the next request. On a `connection`, a request that
`request_head` writes is answered by what `response` reads. `exchange` and `posting` turn whatever the
peer does into a `PostResult`, `fetching` reads a long body piece by piece, and `shared` keeps clients
for the life of the process.
"""

from core.foundation.http_client.client import GuardedClient, open_client
from core.foundation.http_client.errors import BrokenExchange, ClientClosed
from core.foundation.http_client.fetching import FetchedResponse, fetch
from core.foundation.http_client.policy import OutboundPolicy, OutboundRefused, Refusal
from core.foundation.http_client.posting import Failure, PostResult, post
from core.foundation.http_client.shared import client_for, close_clients
from core.foundation.http_client.urls import check_url

__all__ = [
    "BrokenExchange",
    "ClientClosed",
    "Failure",
    "FetchedResponse",
    "GuardedClient",
    "OutboundPolicy",
    "OutboundRefused",
    "PostResult",
    "Refusal",
    "check_url",
    "client_for",
    "close_clients",
    "fetch",
    "open_client",
    "post",
]
