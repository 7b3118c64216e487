"""HTTP exchange: one POST and the beginning of its answer, on a pooled connection.

The client's own way to a response serves redirects, cookies, proxies, traces and bodies of any
kind, which here are all absent, and costs as much as the rest of a delivery together. So its
connections, guard and parser are used without it. Source: `aiohttp.ClientSession._request`,
`ClientRequest.send` and `ClientResponse.start`.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

import aiohttp
from multidict import CIMultiDict
from yarl import URL

MAX_READ_AHEAD = 4096
"""Bytes of an endless body that may come in before anyone looks at them."""
SWITCHING_PROTOCOLS = 101
MAX_RESPONSE_HEADS = 1_000
"""Heads of answers, interim ones included: a stream of them would keep the loop busy until time is
up.
"""


@dataclass(slots=True)
class RawResponse:
    """What has arrived: the code of the status line, `Retry-After`, and the beginning of the body."""

    status: int
    retry_after: str | None
    body: bytearray = field(default_factory=bytearray)


class Route:
    """Where requests to one URL go, and what all of them begin with."""

    def __init__(self, session: aiohttp.ClientSession, url: URL) -> None:
        self.whom = aiohttp.ClientRequest(
            "POST", url, session=session, loop=asyncio.get_running_loop()
        )
        self.line = f"POST {url.raw_path_qs} HTTP/1.1\r\n"
        self.headers = CIMultiDict(
            {"Host": url.host_port_subcomponent or ""} | dict(session.headers)
        )

    def head(self, headers: Mapping[str, str], length: int) -> bytes:
        """Request line and headers, `headers` before those of the session. Raises ValueError for a
        line break.
        """
        all_headers = self.headers.copy()
        all_headers.update(headers)
        all_headers["Content-Length"] = str(length)
        lines = [f"{name}: {value}\r\n" for name, value in all_headers.items()]
        text = f"{self.line}{''.join(lines)}\r\n"
        if not text.count("\r") == text.count("\n") == len(lines) + 2 or "\0" in text:
            raise ValueError("a header must not contain a line break")
        return text.encode()


async def exchange(
    connector: aiohttp.BaseConnector,
    route: Route,
    *,
    body: bytes,
    headers: Mapping[str, str],
    timeouts: aiohttp.ClientTimeout,
    keep: int,
) -> RawResponse:
    """POST `body` and return what was answered, with up to `keep` bytes of the answer's body.

    The status line decides: once it has arrived, a body that breaks off, or drips until time is up,
    leaves what came. Afterwards the connection is back in the pool, or gone. Before that raises
    whatever the peer, the guard or the clock makes of it.
    """
    answer = connection = None
    try:
        async with asyncio.timeout(timeouts.total):
            connection = await connector.connect(route.whom, [], timeouts)
            protocol, transport = connection.protocol, connection.transport
            if protocol is None or transport is None:
                raise aiohttp.ServerDisconnectedError
            protocol.set_response_params(
                read_until_eof=True, auto_decompress=False, read_bufsize=MAX_READ_AHEAD
            )
            # No waiting for room: the body is in memory anyhow, and a peer may answer before it has
            # read it all.
            transport.write(route.head(headers, len(body)) + body)
            message, content = await protocol.read()
            heads = 1
            while 100 <= message.code < 200 and message.code != SWITCHING_PROTOCOLS:
                if heads == MAX_RESPONSE_HEADS:
                    raise aiohttp.ClientConnectionError("interim answers without end")
                message, content = await protocol.read()
                heads += 1
            answer = RawResponse(message.code, message.headers.get("Retry-After"))
            # One byte more than is kept tells a body that ends here from one that goes on.
            while len(answer.body) <= keep and not content.at_eof():
                answer.body += await content.read(keep + 1 - len(answer.body))
            if (
                content.is_eof()
                and not transport.get_write_buffer_size()
                and message.code != SWITCHING_PROTOCOLS
            ):
                connection.release()
    except Exception:
        if answer is None:
            raise
    finally:
        if connection is not None:
            connection.close()  # nothing, once it is released
    return answer
