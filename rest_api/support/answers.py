"""Writing answers: JSON by orjson, straight to the server."""

from collections.abc import AsyncIterator
from typing import Any

import orjson
from starlette.types import Send

from core.foundation.records import WrittenPage
from core.foundation.turns import in_turns
from rest_api.support.compression import ENCODED, SMALL, VARIES, gzipped, takes_gzip
from rest_api.support.requests import Headers

JSON = b"application/json"
PROBLEM = b"application/problem+json"

LONG = 500
"""Items from which on a list is written in turns."""
SLICE = 50
"""Of them are written at once."""


async def send_json(
    send: Send,
    status: int,
    content: Any,
    *,
    request_id: str,
    media: bytes = JSON,
    headers: tuple[tuple[bytes, bytes], ...] = (),
    compress_for: Headers | None = None,
) -> None:
    """Answer with a JSON body, or without one for 204. Bytes and written pages are JSON already.

    `compress_for`: the headers of a request that only reads; they say whether a long answer is
    compressed.
    """
    body = b"" if status == 204 else _as_json(content)
    known: list[tuple[bytes, bytes]] = [(b"x-request-id", request_id.encode()), *headers]
    if compress_for is not None and len(body) >= SMALL:
        known.append(VARIES)
        if takes_gzip(compress_for.get(b"accept-encoding")):
            body = await gzipped(body)
            known.append(ENCODED)
    if status != 204:
        known += [(b"content-type", media), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": known})
    await send({"type": "http.response.body", "body": body})


def _as_json(content: Any) -> bytes:
    if isinstance(content, bytes):
        return content
    return content.encode() if isinstance(content, WrittenPage) else orjson.dumps(content)


async def long_lists_written(content: dict[str, Any]) -> dict[str, Any] | bytes:
    """The content, or, where it has long lists, its JSON: they are written, and let go of, in turns,
    so that nobody waits for ten thousand lines.
    """
    if not any(type(value) is list and len(value) > LONG for value in content.values()):
        return content
    return b"{" + b",".join([part async for part in _fields(content)]) + b"}"


async def _fields(content: dict[str, Any]) -> AsyncIterator[bytes]:
    for name, value in content.items():
        written = orjson.dumps(value) if type(value) is not list else await _list(value)
        yield orjson.dumps(name) + b":" + written


async def _list(items: list[Any]) -> bytes:
    parts = []
    items.reverse()
    async for size in in_turns([SLICE] * (len(items) // SLICE + 1)):
        some = items[: -size - 1 : -1]
        del items[-size:]
        parts.append(orjson.dumps(some)[1:-1])
    return b"[" + b",".join(filter(None, parts)) + b"]"
