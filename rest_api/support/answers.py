"""Writing answers: JSON by orjson, straight to the server."""

from typing import Any

import orjson
from starlette.types import Send

from core.foundation.records import WrittenPage
from rest_api.support.compression import ENCODED, SMALL, VARIES, gzipped, takes_gzip
from rest_api.support.requests import Headers

JSON = b"application/json"
PROBLEM = b"application/problem+json"


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
