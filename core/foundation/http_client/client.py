"""Guarded HTTP client (SSRF protection): every connection it opens passes the address rule."""

import ssl
from typing import Self

from core.foundation.bounded_cache import remembering
from core.foundation.http_client.connecting import Connector
from core.foundation.http_client.policy import OutboundPolicy
from core.foundation.http_client.pool import ConnectionPool
from core.foundation.http_client.request_head import Route
from core.foundation.http_client.resolver import Resolver, SystemResolver
from core.foundation.http_client.urls import parse_url

HEADERS = {"User-Agent": "SVC/1", "Accept": "*/*", "Accept-Encoding": "identity"}
"""Nothing is inflated: the first kilobytes of an answer are kept as they came."""

_REMEMBERED_BYTES = 24_000_000


def _weigh(*parts: object) -> int:
    """What is made of a URL: itself several times over, and what a request begins with."""
    return 4_000 + sum(12 * len(part) for part in parts if isinstance(part, str))


class GuardedClient:
    """HTTP/1.1 to where `policy` allows: no proxy, no cookie, no redirect that is followed."""

    def __init__(self, policy: OutboundPolicy, *, connector: Connector, limit: int) -> None:
        self._connector = connector
        self.pool = ConnectionPool(connector.connect, limit=limit)
        # The same few URLs are posted to over and over; refusals are not kept.
        remember = remembering(max_bytes=_REMEMBERED_BYTES, weigh=_weigh)
        self.route_to = remember(lambda url: Route(parse_url(url, policy), HEADERS))
        """Where a URL leads. Raises OutboundRefused for its text; its addresses come later."""

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self.pool.closed

    async def close(self) -> None:
        """End every connection; whoever waits for an answer gets a BrokenExchange."""
        await self.pool.close()
        await self._connector.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def open_client(
    policy: OutboundPolicy,
    *,
    limit: int = 500,
    resolver: Resolver | None = None,
    tls: ssl.SSLContext | None = None,
) -> GuardedClient:
    """A client for `post` and `fetch`; call it inside the loop and close it.

    `limit` is the number of open connections. Waiting for a free one counts into a request's time,
    so it should exceed what the caller starts at once. `resolver` replaces the system's look-up
    (its answers are still judged), `tls` whom we trust.
    """
    connector = Connector(policy, resolver=resolver or SystemResolver(), tls=tls)
    return GuardedClient(policy, connector=connector, limit=limit)
