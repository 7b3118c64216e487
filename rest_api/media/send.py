"""`GET /messages/{id}/media`: the bytes, a part of them, or the way to our copy."""

import asyncio
from collections.abc import AsyncIterator

import structlog
from starlette.types import Receive, Send

from core import media
from core.foundation.security.caller import Caller
from rest_api.blobs.serve import headers_of
from rest_api.media.ranges import range_of
from rest_api.support.streams import Exchange

log = structlog.get_logger()

READER_SECONDS = 60.0

RawHeaders = list[tuple[bytes, bytes]]


async def send_media(caller: Caller, id: str, query: media.MediaQuery, exchange: Exchange) -> int:
    """Answer, and say with what status."""
    send = exchange.send
    known: RawHeaders = [(b"x-request-id", exchange.request_id.encode())]
    async with media.opened_media(caller, id, query) as found:
        if isinstance(found, media.FileRedirect):
            known += [
                (b"location", found.url.encode()),
                (b"cache-control", b"no-store"),
                (b"content-length", b"0"),
            ]
            await send({"type": "http.response.start", "status": 302, "headers": known})
            await send({"type": "http.response.body", "body": b""})
            return 302
        status, span = 200, None
        known += [
            (name.lower().encode(), value.encode())
            for name, value in headers_of(found.served).items()
        ]
        if found.size is not None:
            span = range_of(exchange.headers, found.size)
            start, end = span or (0, found.size)
            known += [(b"accept-ranges", b"bytes"), (b"content-length", str(end - start).encode())]
            if span:
                status = 206
                known.append((b"content-range", f"bytes {start}-{end - 1}/{found.size}".encode()))
        async with found.read(*(span or (0, None))) as pieces:
            first = await anext(pieces, b"")  # what fails until here is still answered as a problem
            await send({"type": "http.response.start", "status": status, "headers": known})
            if exchange.scope["method"] == "HEAD":
                await send({"type": "http.response.body", "body": b""})
            else:
                await _send_all(first, pieces, exchange.receive, send)
    return status


async def _send_all(
    first: bytes, pieces: AsyncIterator[bytes], receive: Receive, send: Send
) -> None:
    """The body. What breaks now breaks the connection off: the reader sees that something is
    missing.
    """
    left = asyncio.ensure_future(_left(receive))
    try:
        await _send(first, send)
        async for piece in pieces:
            if left.done():
                return
            await _send(piece, send)
        await send({"type": "http.response.body", "body": b""})
    except Exception as error:
        log.warning("media_broken_off", error=type(error).__name__)
    finally:
        left.cancel()


async def _send(piece: bytes, send: Send) -> None:
    """Hand on a piece; a reader who takes nothing must not hold on to a file, or to a connection to
    the platform.
    """
    async with asyncio.timeout(READER_SECONDS):
        await send({"type": "http.response.body", "body": piece, "more_body": True})


async def _left(receive: Receive) -> None:
    """Ends when the reader is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
