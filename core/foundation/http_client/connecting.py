"""Opening connections: names looked up, every address judged, the first that answers taken, TLS."""

import asyncio
import socket
import ssl
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from functools import lru_cache
from ipaddress import ip_address
from itertools import chain, zip_longest

from core.foundation.http_client.addresses import check_address
from core.foundation.http_client.connection import HttpConnection
from core.foundation.http_client.errors import BrokenExchange
from core.foundation.http_client.policy import OutboundPolicy
from core.foundation.http_client.request_head import HttpOrigin
from core.foundation.http_client.resolver import Resolver

MAX_ADDRESSES = 8
"""Addresses of one name that are tried."""
HEAD_START_SECONDS = 0.25
"""How long an address is waited for before the next one is tried beside it (RFC 8305)."""

Connect = Callable[[str], Awaitable[socket.socket]]


class Connector:
    """Connects only where `policy` allows.

    All addresses of a name are judged before the first is tried: one that is not allowed refuses
    the name. The connection is made to exactly these addresses, each judged again in the moment its
    socket is made, with no second look-up in between: a name that changes its mind (DNS rebinding)
    gains nothing.
    """

    def __init__(
        self, policy: OutboundPolicy, *, resolver: Resolver, tls: ssl.SSLContext | None
    ) -> None:
        self._policy = policy
        self._resolver = resolver
        self._tls = tls

    async def connect(self, origin: HttpOrigin, seconds: float) -> HttpConnection:
        """A connection, within `seconds` for look-up, TCP and TLS together.

        Raises OutboundRefused, and the errors of sockets, names and TLS, TimeoutError among them.
        """
        async with asyncio.timeout(seconds):
            addresses = await self._addresses_of(origin)

            async def connect(address: str) -> socket.socket:
                return await self._open_socket(address, origin)

            sock = await first_to_connect(in_turn(addresses)[:MAX_ADDRESSES], connect)
            return await self._begin(sock, origin, seconds)

    async def close(self) -> None:
        """End the look-ups that are under way."""
        await self._resolver.close()

    async def _addresses_of(self, origin: HttpOrigin) -> list[str]:
        if _is_address(origin.host):
            return [origin.host]
        found = await self._resolver.resolve(origin.host)
        if not found:
            raise OSError("the name has no address")
        for address in found:
            check_address(address, self._policy, encrypted=origin.encrypted)
        return found

    async def _open_socket(self, address: str, origin: HttpOrigin) -> socket.socket:
        check_address(address, self._policy, encrypted=origin.encrypted)
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        sock = socket.socket(family, socket.SOCK_STREAM)
        try:
            sock.setblocking(False)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            await asyncio.get_running_loop().sock_connect(sock, (address, origin.port))
        except BaseException:
            sock.close()
            raise
        return sock

    async def _begin(
        self, sock: socket.socket, origin: HttpOrigin, seconds: float
    ) -> HttpConnection:
        loop = asyncio.get_running_loop()
        transport, connection = await loop.create_connection(HttpConnection, sock=sock)
        if not origin.encrypted:
            return connection
        if not connection.is_open:
            raise BrokenExchange("the connection ended before the handshake")
        try:
            encrypted = await loop.start_tls(
                transport,
                connection,
                self._tls or _usual_tls(),
                server_hostname=origin.host.removesuffix("."),
                ssl_handshake_timeout=seconds,
            )
            if encrypted is None:
                raise BrokenExchange("the connection ended during the handshake")
        except BaseException:
            # Whoever is cancelled at the very beginning of the handshake would leave it going on.
            transport.abort()
            raise
        connection.connection_made(encrypted)
        return connection


@lru_cache(maxsize=1)
def _usual_tls() -> ssl.SSLContext:
    """Whom the machine trusts; reading them takes long enough to do it once."""
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def in_turn(addresses: Sequence[str]) -> list[str]:
    """IPv6 and IPv4 by turns, so that a family that leads nowhere costs one attempt."""
    first = ":" in addresses[0] if addresses else False
    same = [address for address in addresses if (":" in address) is first]
    other = [address for address in addresses if (":" in address) is not first]
    pairs = chain.from_iterable(zip_longest(same, other))
    return [address for address in pairs if address is not None]


async def first_to_connect(addresses: Sequence[str], connect: Connect) -> socket.socket:
    """The socket of the first address that takes a connection.

    The next one is tried as soon as one has failed, and beside one that is slow. Raises what the
    first that failed raised; afterwards no other socket is open.
    """
    if len(addresses) == 1:
        return await connect(addresses[0])
    untried = deque(addresses)
    attempts: set[asyncio.Future[socket.socket]] = set()
    failures: list[BaseException] = []
    try:
        while untried or attempts:
            if untried:
                attempts.add(asyncio.ensure_future(connect(untried.popleft())))
            done, _ = await asyncio.wait(
                attempts,
                timeout=HEAD_START_SECONDS if untried else None,
                return_when=asyncio.FIRST_COMPLETED,
            )
            for attempt in done:
                attempts.discard(attempt)
                if (failure := attempt.exception()) is None:
                    attempts |= done - {attempt}
                    return attempt.result()
                failures.append(failure)
        raise failures[0]
    finally:
        for attempt in attempts:
            attempt.cancel()
            attempt.add_done_callback(_close)


def _close(attempt: asyncio.Future[socket.socket]) -> None:
    """Nobody needs the socket of this attempt any more."""
    if not attempt.cancelled() and attempt.exception() is None:
        attempt.result().close()
