"""Bodies that are read piece by piece, and answers that write themselves."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol

from starlette.types import Receive, Scope, Send

from core.foundation.errors import PayloadTooLarge
from rest_api.support.broken_requests import EndedEarly
from rest_api.support.requests import Headers


class ReadsBody(Protocol):
    """What an operation reads its body with, instead of the usual ways; the handler finds its
    answer in `call.body`.
    """

    def __call__(self, receive: Receive, headers: Headers, *, limit: int) -> Any: ...


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request whose answer is still to be sent."""

    scope: Scope
    receive: Receive
    send: Send
    headers: Headers
    request_id: str


@dataclass(frozen=True, slots=True)
class Streamed:
    """An answer that writes itself and says its status. It raises refusals before it sends
    anything.
    """

    write: Callable[[Exchange], Awaitable[int]]


def pieces_of(receive: Receive, headers: Headers, *, limit: int) -> AsyncIterator[bytes]:
    """The body as it comes. Raises PayloadTooLarge at once when it is announced as too long;
    iterating, EndedEarly.
    """
    declared = headers.get(b"content-length")
    if declared is not None and declared.isdecimal() and int(declared) > limit:
        raise PayloadTooLarge
    return _pieces(receive, limit)


async def _pieces(receive: Receive, limit: int) -> AsyncIterator[bytes]:
    more, size = True, 0
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise EndedEarly
        piece: bytes = message.get("body", b"")
        size += len(piece)
        if size > limit:
            raise PayloadTooLarge
        if piece:
            yield piece
        more = message.get("more_body", False)
