"""The methods of a path beside its operations: what is allowed, OPTIONS, and HEAD."""

from collections.abc import Iterable

from starlette.types import Message, Send


def allow_of(methods: Iterable[str]) -> bytes:
    """The value of `Allow` for a path with these operations: HEAD goes with GET, OPTIONS with all."""
    known = {*methods, "OPTIONS"}
    if "GET" in known:
        known.add("HEAD")
    return ", ".join(sorted(known)).encode()


async def send_options(send: Send, *, allow: bytes, request_id: str) -> None:
    """Answer OPTIONS: which methods the path has. It needs no credential and tells no more than the
    documentation.
    """
    headers = [(b"x-request-id", request_id.encode()), (b"allow", allow)]
    await send({"type": "http.response.start", "status": 204, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def without_body(send: Send) -> Send:
    """The answer to HEAD: status and headers of GET, its length included, and no body."""

    async def send_head(message: Message) -> None:
        await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

    return send_head
