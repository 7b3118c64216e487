"""`/graphql` over WebSocket: frames in and out of a conversation in graphql-transport-ws, and its
end.
"""

import asyncio
import time
from contextlib import suppress
from functools import partial
from typing import Any

import structlog
from starlette.types import Receive, Scope, Send

from core import cells
from core.foundation.language import note_header
from core.foundation.security.caller import Caller
from core.organizations import authenticate
from graphql_api.subscriptions.connection import Pace, SocketConnection, token_of
from graphql_api.subscriptions.protocol import SUBPROTOCOL, Closing
from rest_api.console.browser_session import CSRF_FIELD, cookie_of_socket
from rest_api.socket_connections import FRAMES
from rest_api.support.cors import may_connect
from rest_api.support.requests import Headers, address_of, request_id_of

CLOSE_SECONDS = 2.0
"""How long a client that does not read may take to let us say why we close."""

GONE = 1005
"""What we log of a client that went; the server closes with 1012 by itself when it stops."""

MOVED = 1012
"""What servers say that restart: clients connect again."""

FOREIGN = 4403
"""A page of an origin that SVC_CORS_ORIGINS does not name."""

log = structlog.get_logger()


class GraphQLSocket:
    """One conversation for each WebSocket."""

    def __init__(self, pace: Pace | None = None) -> None:
        self._pace = pace or Pace()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope["headers"])
        request_id = request_id_of(headers)
        note_header(headers.get(b"accept-language"))
        structlog.contextvars.bind_contextvars(request_id=request_id)
        started = time.perf_counter()
        await receive()  # websocket.connect
        if not may_connect(headers):
            log.info("socket_refused", reason="origin")
            await send(
                {"type": "websocket.close", "code": FOREIGN, "reason": ""}
            )  # before it is open: 403
            return
        spoken = SUBPROTOCOL if SUBPROTOCOL in scope["subprotocols"] else None
        named = [(b"x-request-id", request_id.encode())]
        await send({"type": "websocket.accept", "subprotocol": spoken, "headers": named})

        async def say(text: str) -> None:
            with suppress(OSError):  # the client is gone, which `hear` will tell
                await send({"type": "websocket.send", "text": text})

        async def hear() -> str | bytes | None:
            message = await receive()
            if message["type"] != "websocket.receive":
                return None
            text: str | None = message.get("text")
            return message.get("bytes", b"") if text is None else text

        recognise = Recognising(request_id, address_of(scope)).recognise

        conversation = SocketConnection(
            send=say,
            receive=hear,
            recognise=recognise,
            credential_in=partial(_credential_in, headers),
            pace=self._pace,
            write=scope.get("extensions", {}).get(FRAMES),
            address=address_of(scope),
        )
        closing: Closing | None = Closing(4406, f"Subprotocol not acceptable: offer {SUBPROTOCOL}")
        if spoken:
            closing = await conversation.converse()
        if closing is not None:
            await _close(send, closing)
        caller = conversation.caller
        log.info(
            "socket_closed",
            code=closing.code if closing else GONE,
            seconds=round(time.perf_counter() - started, 1),
            organization_id=caller.organization_id if caller else None,
            credential_id=caller.credential_id if caller else None,
        )


class Recognising:
    """Who it is, again and again; a socket hears nothing of another cell than that in which it began."""

    def __init__(self, request_id: str, address: str | None) -> None:
        self._request_id = request_id
        self._address = address
        self._cell: cells.Cell | None = None

    async def recognise(self, token: str | None) -> Caller:
        """The caller behind a token. Raises Closing once its organization has moved."""
        caller = await authenticate(token, request_id=self._request_id, address=self._address)
        self._cell = self._cell or cells.current()
        if self._cell != cells.current():
            raise Closing(MOVED, "The organization has moved; connect again")
        return caller


def _credential_in(headers: Headers, payload: dict[str, Any]) -> str | None:
    """What the client shows in `connection_init`, or else the cookie that its browser sent."""
    shown = token_of(payload)
    return cookie_of_socket(headers, payload.get(CSRF_FIELD)) if shown is None else shown


async def _close(send: Send, closing: Closing) -> None:
    """Say why, and go. A client that reads nothing is let go without a word: it might hold us for
    ever.
    """
    try:
        async with asyncio.timeout(CLOSE_SECONDS):
            await send({"type": "websocket.close", "code": closing.code, "reason": closing.reason})
    except TimeoutError:
        # Nothing in ASGI lets go of a client; the server would wait until what is written was read.
        transport = getattr(getattr(send, "__self__", None), "transport", None)
        if transport is not None:
            transport.abort()
    except OSError:  # it is gone
        pass
