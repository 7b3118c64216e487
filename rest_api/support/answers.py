"""Writing answers: JSON by orjson, straight to the server."""

from typing import Any

import orjson
from starlette.types import Send

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
) -> None:
    """Answer with a JSON body, or without one for 204. Bytes are JSON already."""
    body = b"" if status == 204 else content if isinstance(content, bytes) else orjson.dumps(content)
    known: list[tuple[bytes, bytes]] = [(b"x-request-id", request_id.encode()), *headers]
    if status != 204:
        known += [(b"content-type", media), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": known})
    await send({"type": "http.response.body", "body": body})
