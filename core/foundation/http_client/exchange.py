"""HTTP exchange: one request and the beginning of its answer, on a pooled connection."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from core.foundation.http_client.errors import BrokenExchange
from core.foundation.http_client.pool import ConnectionPool
from core.foundation.http_client.request_head import Route


@dataclass(slots=True)
class RawResponse:
    """What has arrived: the code of the status line, `Retry-After`, and the beginning of the body."""

    status: int
    retry_after: str | None
    body: bytes


async def exchange(
    pool: ConnectionPool,
    route: Route,
    *,
    body: bytes,
    headers: Mapping[str, str],
    timeout: float,  # noqa: ASYNC109 - what came in time is kept when the rest does not
    connect_timeout: float,
    keep: int,
) -> RawResponse:
    """POST `body` and return what was answered, with up to `keep` bytes of the answer's body.

    The status line decides: once it has arrived, a body that breaks off, or drips until time is up,
    leaves what came. Afterwards the connection is back in the pool, or gone. Before that raises
    whatever the peer, the guard or the clock makes of it.
    """
    request = route.head("POST", headers, len(body)) + body
    connection = None
    try:
        async with asyncio.timeout(timeout):
            connection = await pool.acquire(route.origin, connect_timeout=connect_timeout)
            # One byte more than is kept tells a body that ends here from one that goes on.
            connection.send(request, most=keep + 1)
            await connection.received(keep + 1)
    except TimeoutError:
        if connection is None or connection.response.status is None:
            raise
    finally:
        if connection is not None:
            pool.release(connection)
    response = connection.response
    if response.status is None:
        raise BrokenExchange("no answer that can be read")
    retry_after = response.headers.get(b"retry-after")
    return RawResponse(
        response.status,
        None if retry_after is None else retry_after.decode("latin-1"),
        bytes(response.body[:keep]),
    )
