"""Fetching: one GET whose body is read piece by piece, as large as it may be."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Self

from core.foundation.dry_run import refuse_dry_run
from core.foundation.http_client.client import GuardedClient
from core.foundation.http_client.connection import HttpConnection
from core.foundation.http_client.errors import BrokenExchange
from core.foundation.http_client.pool import ConnectionPool

MAX_WAITING_BYTES = 128 * 1024
"""Bytes of a body that may wait here for whoever reads it, and one piece of the socket's more."""


class FetchedResponse:
    """An answer whose head has arrived; close it, or use it as a context.

    `content_type` is without parameters, in lower case, empty where there is none.
    """

    def __init__(
        self, pool: ConnectionPool, connection: HttpConnection, patience: "Patience"
    ) -> None:
        response = connection.response
        assert response.status is not None
        self.status = response.status
        content_type = response.headers.get(b"content-type", b"").decode("latin-1")
        self.content_type = content_type.partition(";")[0].strip().lower()
        self._pool = pool
        self._connection: HttpConnection | None = connection
        self._patience = patience

    async def pieces(self) -> AsyncIterator[bytes]:
        """The body as it arrives. Raises OSError where it breaks off, TimeoutError among them."""
        while self._connection is not None:
            response = self._connection.response
            async with self._patience.a_step():
                await self._connection.received(1)
            if response.body:
                piece = bytes(response.body)
                response.body.clear()
                yield piece
            elif response.complete:
                self.close()
            else:
                raise BrokenExchange("the body broke off")

    def close(self) -> None:
        """No more is read: the connection is kept if the answer was read to its end."""
        if self._connection is not None:
            connection, self._connection = self._connection, None
            self._pool.release(connection)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()


class Patience:
    """Seconds for the whole of a fetch, if there is an end to it, and for each step of it."""

    def __init__(self, *, whole: float | None, step: float) -> None:
        self._step = step
        self._until = None if whole is None else asyncio.get_running_loop().time() + whole

    def a_step(self) -> asyncio.Timeout:
        """The time that waiting for something to arrive may take."""
        until = asyncio.get_running_loop().time() + self._step
        return asyncio.timeout_at(until if self._until is None else min(until, self._until))


async def fetch(
    client: GuardedClient,
    url: str,
    *,
    headers: Mapping[str, str] | None = None,
    timeout: float | None = None,  # noqa: ASYNC109 - it covers what the caller reads later, too
    connect_timeout: float = 10,
    idle_timeout: float = 30,
) -> FetchedResponse:
    """GET `url` through a client of `open_client`, following nothing; close the answer.

    `timeout` bounds the whole, the body included; `connect_timeout` finding a connection, and
    `idle_timeout` each wait for something to arrive. Raises OutboundRefused for an address that is
    not allowed, ValueError for headers that cannot be sent, and OSError for the rest.
    """
    refuse_dry_run()
    route = client.route_to(url)
    request = route.head("GET", headers or {}, None)
    patience = Patience(whole=timeout, step=idle_timeout)
    async with asyncio.timeout(connect_timeout):
        connection = await client.pool.acquire(route.origin, connect_timeout=connect_timeout)
    try:
        connection.send(request, most=MAX_WAITING_BYTES)
        async with patience.a_step():
            await connection.received(0)
        if connection.response.status is None:
            raise BrokenExchange("no answer that can be read")
    except BaseException:
        client.pool.release(connection)
        raise
    return FetchedResponse(client.pool, connection, patience)
