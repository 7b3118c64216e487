"""Guarded HTTP client (SSRF protection): every connection it opens passes the address rule."""

import asyncio
import socket
import ssl
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING

import aiohttp
from aiohttp.abc import AbstractResolver
from aiohttp.client_proto import ResponseHandler

from core.foundation.bounded_cache import remembering
from core.foundation.http_client.addresses import check_address
from core.foundation.http_client.exchange import MAX_RESPONSE_HEADS, Route
from core.foundation.http_client.policy import OutboundPolicy
from core.foundation.http_client.resolver import GuardedResolver, SystemResolver
from core.foundation.http_client.urls import parse_url

if TYPE_CHECKING:
    from aiohappyeyeballs import AddrInfoType
    from aiohttp.client_reqrep import ConnectionKey
    from aiohttp.connector import Connection
    from aiohttp.tracing import Trace

# Whether the connection now being made will be encrypted. The socket factory sees only an address,
# and plain http has the stricter rule, so that is what holds unless somebody says otherwise.
_encrypted: ContextVar[bool] = ContextVar("outbound_encrypted", default=False)

# Below the five seconds after which common servers drop an idle connection: a POST that meets the
# drop on its way fails, and is not repeated on its own.
_IDLE_SECONDS = 4.0

_HEAD_ENDS = b"\r\n\r\n"

_REMEMBERED_BYTES = 24_000_000


def _weigh(*parts: object) -> int:
    """What is made of a URL: itself several times over, and what a request begins with."""
    return 8_000 + sum(12 * len(part) for part in parts if isinstance(part, str))


class _AbruptHandler(ResponseHandler):
    """A connection that ends at once.

    A polite end waits for the peer: half a minute for a TLS goodbye that never comes, and as long
    as it likes for one that does not read. Receivers that hang would fill the process with sockets
    nobody counts.
    """

    close = ResponseHandler.abort

    def data_received(self, data: bytes) -> None:
        # The parser drops all of a piece in which anything is wrong: of a 204 with a body, the 204
        # too.
        head, end, rest = (
            data.partition(_HEAD_ENDS) if data.startswith(b"HTTP/") else (data, b"", b"")
        )
        super().data_received(head + end)
        if rest:
            super().data_received(rest)
        if self._exception is not None and self._payload is not None and not self._payload.is_eof():
            # Who reads the body is not told that the rest of it makes no sense, and would wait
            # until time is up.
            self._payload.set_exception(aiohttp.ClientPayloadError("the body cannot be read"))
        # Nothing else bounds them: neither while somebody waits, nor in the pool, where nobody
        # reads.
        if len(self) > MAX_RESPONSE_HEADS:
            self.abort()


class GuardedConnector(aiohttp.TCPConnector):
    """Connects only where `policy` allows: the resolver judges names, the socket factory every
    address.

    A literal address in a URL never meets the resolver, so the socket factory is the rule; the
    resolver adds that one bad address refuses the whole name. Raises `OutboundRefused` from within
    a request.
    """

    def __init__(
        self,
        policy: OutboundPolicy,
        *,
        resolver: AbstractResolver,
        limit: int,
        limit_per_host: int,
        tls: ssl.SSLContext | None,
    ) -> None:
        self._policy = policy
        self._guarded_resolver = GuardedResolver(resolver, self._admit)
        super().__init__(
            resolver=self._guarded_resolver,
            use_dns_cache=False,
            socket_factory=self._open_socket,
            ssl=tls or True,
            limit=limit,
            limit_per_host=limit_per_host,
            keepalive_timeout=_IDLE_SECONDS,
        )
        handler: Callable[..., ResponseHandler] = _AbruptHandler
        self._factory = partial(handler, loop=self._loop)
        # The same few URLs are posted to over and over; refusals are not kept.
        remember = remembering(max_bytes=_REMEMBERED_BYTES, weigh=_weigh)
        self.checked_url = remember(lambda url: parse_url(url, policy))
        self.route_to = remember(lambda session, url: Route(session, self.checked_url(url)))

    def _admit(self, address: str) -> None:
        check_address(address, self._policy, encrypted=_encrypted.get())

    def _open_socket(self, target: "AddrInfoType") -> socket.socket:
        family, kind, protocol, _, sockaddr = target
        self._admit(str(sockaddr[0]))
        return socket.socket(family, kind, protocol)

    async def _get(self, key: "ConnectionKey", traces: "list[Trace]") -> "Connection | None":
        """A connection of the pool, but none that spoke while nobody asked: it would be taken for
        the next answer.
        """
        while (found := await super()._get(key, traces)) is not None:
            if found.protocol is not None and not found.protocol.should_close:
                return found
            found.close()
        return None

    async def _create_connection(
        self,
        req: aiohttp.ClientRequest,
        traces: "list[Trace]",
        timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109 - aiohttp's signature
    ) -> ResponseHandler:
        # aiohttp's own connect timeout leaves out the name look-up and starts anew for every
        # address.
        token = _encrypted.set(req.is_ssl())
        try:
            async with asyncio.timeout(timeout.sock_connect):
                return await super()._create_connection(req, traces, timeout)
        finally:
            _encrypted.reset(token)

    async def close(self, *, abort_ssl: bool = False) -> None:
        await super().close(abort_ssl=abort_ssl)
        await self._guarded_resolver.close()


def open_client(
    policy: OutboundPolicy,
    *,
    limit: int = 500,
    limit_per_host: int = 0,
    resolver: AbstractResolver | None = None,
    tls: ssl.SSLContext | None = None,
    headers: Mapping[str, str] | None = None,
) -> aiohttp.ClientSession:
    """A session for `post`; call it inside the loop and close it with `await session.close()`.

    `limit` is the number of open connections, `limit_per_host` those to one host and port (0: no
    bound of its own). Waiting for a free one counts into a request's time, so both should exceed
    what the caller starts at once. `resolver` replaces the system's look-up (its answers are still
    judged), `tls` whom we trust.
    """
    connector = GuardedConnector(
        policy,
        resolver=resolver or SystemResolver(),
        limit=limit,
        limit_per_host=limit_per_host,
        tls=tls,
    )
    return aiohttp.ClientSession(
        connector=connector,
        # One customer's server must not set cookies that the next delivery to the same host
        # carries.
        cookie_jar=aiohttp.DummyCookieJar(),
        # The first kilobytes of an answer are kept as they came; nothing is inflated.
        auto_decompress=False,
        headers={"User-Agent": "SVC/1", "Accept": "*/*", "Accept-Encoding": "identity"}
        | dict(headers or {}),
        # What an endless body may fill before anyone looks at it.
        read_bufsize=4096,
        trust_env=False,
    )
