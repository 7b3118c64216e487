"""One HTTP exchange with the gateway: its answer, or how far the request got."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import IO

import aiohttp
from yarl import URL

MAX_ANSWER_BYTES = 64 * 1024
"""Bytes; the protocol's answers have a hundred."""

CONNECT_TIMEOUT_SECONDS = 5.0

# aiohttp raises these before it has a connection, and only then. Whatever else goes wrong, bytes
# may have left.
_BEFORE_HAND_OVER = (
    aiohttp.ClientConnectorError,
    aiohttp.ConnectionTimeoutError,
    aiohttp.InvalidURL,
)


@dataclass(frozen=True, slots=True)
class HttpReply:
    """What came back. `body` is None when it broke off, took too long or was too long."""

    status: int
    body: bytes | None
    retry_after: str | None = None


@dataclass(frozen=True, slots=True)
class Silence:
    """Nothing came back. `handed_over`: the request may have been received. `kind` is for the log."""

    handed_over: bool
    kind: str


async def exchange(
    session: aiohttp.ClientSession,
    method: str,
    url: URL,
    *,
    headers: Mapping[str, str],
    seconds: float,
    body: bytes | IO[bytes] | aiohttp.FormData | None = None,
    most: int = MAX_ANSWER_BYTES,
) -> HttpReply | Silence:
    """Send one request and wait `seconds` at most for the whole answer; redirects are answers.

    `most`: the bytes of an answer that are read at most.

    Raises nothing that the gateway or the network can cause. A POST is never repeated (aiohttp
    repeats what is idempotent by its method, a GET, when an idle connection turns out to be dead).
    """
    if session.closed:
        return Silence(handed_over=False, kind="SessionClosed")
    try:
        response = await session.request(
            method,
            url,
            data=body,
            headers=headers,
            allow_redirects=False,
            timeout=_timeouts(seconds),
        )
    except _BEFORE_HAND_OVER as error:
        return Silence(handed_over=False, kind=type(error).__name__)
    except Exception as error:
        return Silence(handed_over=True, kind=type(error).__name__)
    return HttpReply(
        response.status, await _body_of(response, most), response.headers.get("Retry-After")
    )


async def _body_of(response: aiohttp.ClientResponse, most: int) -> bytes | None:
    """The whole body. Afterwards the connection is back in the pool, or gone."""
    content = response.content
    kept = bytearray()
    try:
        while len(kept) <= most and not content.at_eof():
            kept += await content.read(most + 1 - len(kept))
    except Exception:  # however it broke off: the status is known and the body is not
        return None
    finally:
        if not content.is_eof():
            response.close()
    return bytes(kept) if len(kept) <= most else None


@lru_cache(maxsize=8)
def _timeouts(seconds: float) -> aiohttp.ClientTimeout:
    # Name look-up, TCP, TLS and waiting for a place in the pool end before the whole does: only
    # then is it certain that nothing was handed over. The threshold above which aiohttp rounds up
    # is put out of the way.
    return aiohttp.ClientTimeout(
        total=seconds, connect=min(CONNECT_TIMEOUT_SECONDS, seconds / 2), ceil_threshold=seconds + 1
    )
