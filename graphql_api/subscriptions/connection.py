"""A conversation over graphql-transport-ws: its operations, its caller, and its end. It knows no
socket.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

import structlog
from graphql import GraphQLError

from core.foundation.database.availability import is_outage
from core.foundation.errors import Forbidden, RateLimited, Unauthorized
from core.foundation.observability.metrics import Gauge
from core.foundation.observability.outage_log import tell_outage
from core.foundation.security.caller import Caller
from graphql_api.errors import as_wire
from graphql_api.subscriptions.operations import SocketOperation, messages_of
from graphql_api.subscriptions.outlet import Outlet
from graphql_api.subscriptions.protocol import (
    MAX_OPERATIONS,
    Closing,
    Complete,
    Init,
    Ping,
    Protocol,
    Subscribe,
    said,
)

log = structlog.get_logger()

SOCKETS = Gauge("svc_graphql_sockets", "Open conversations over WebSocket.")
OPERATIONS = Gauge(
    "svc_graphql_socket_operations", "Operations under way in conversations over WebSocket."
)

Recognise = Callable[[str | None], Awaitable[Caller]]
"""The caller behind a token. Raises a kind of Unauthorized."""

CredentialIn = Callable[[dict[str, Any]], str | None]
"""The token that a client shows in the payload of `connection_init`. Raises a kind of Forbidden."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a client may take to introduce itself, and how often its credential is looked at
    again, in seconds.
    """

    init: float = 10.0
    recheck: float = 20.0


@dataclass(slots=True)
class OpenSockets:
    """What is open in this process."""

    sockets: int = 0
    operations: int = 0

    def count(self, *, sockets: int = 0, operations: int = 0) -> None:
        """So many more, or fewer."""
        self.sockets += sockets
        self.operations += operations
        SOCKETS.labels().set(self.sockets)
        OPERATIONS.labels().set(self.operations)


opened = OpenSockets()


class SocketConnection:
    """One conversation. `send` takes a text frame; `receive` answers the next frame, or None when
    the client went.

    `write`: as in Outlet. `address` is the client's, which `recognise` may depend on besides the
    token. `credential_in`: where the transport has more to go by than the payload alone.
    """

    def __init__(
        self,
        *,
        send: Callable[[str], Awaitable[None]],
        receive: Callable[[], Awaitable[str | bytes | None]],
        recognise: Recognise,
        pace: Pace,
        write: Callable[[bytes], bool] | None = None,
        address: str | None = None,
        credential_in: CredentialIn | None = None,
    ) -> None:
        self._send = send
        self._write = write
        self._address = address
        self._credential_in = credential_in or token_of
        self._receive = receive
        self._recognise = recognise
        self._pace = pace
        self._protocol = Protocol()
        self._caller: Caller | None = None
        self._token: str | None = None
        self._known = asyncio.Event()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._end: asyncio.Future[Closing | None] = asyncio.get_running_loop().create_future()

    @property
    def caller(self) -> Caller | None:
        """Who it is, once that is known."""
        return self._caller

    async def converse(self) -> Closing | None:
        """Talk until the client is gone (None), or until the conversation is to be closed. Leaves
        nothing behind.
        """
        opened.count(sockets=1)
        halves: list[asyncio.Future[Any]] = [
            asyncio.ensure_future(self._listen()),
            asyncio.ensure_future(self._watch()),
        ]
        try:
            done, _ = await asyncio.wait({*halves, self._end}, return_when=asyncio.FIRST_COMPLETED)
            return _closing_of(done)
        finally:
            opened.count(sockets=-1)
            await _cancel([*halves, *self._tasks.values()])
            self._end.cancel()

    async def _listen(self) -> None:
        while (frame := await self._receive()) is not None:
            match self._protocol.read(frame):
                case Init(payload):
                    await self._introduce(payload)
                case Ping():
                    await self._send(said("pong"))
                case Subscribe(id, payload):
                    await self._start(id, payload)
                case Complete(id):
                    if task := self._tasks.pop(id, None):
                        await _cancel([task])

    async def _introduce(self, payload: dict[str, Any]) -> None:
        try:
            self._token = self._credential_in(payload)
        except Forbidden as refusal:
            raise Closing(4403, f"Forbidden: {refusal.detail}") from None
        self._caller = await self._look_up()
        self._known.set()
        await self._send(self._protocol.acknowledge())

    async def _watch(self) -> None:
        """End conversations whose client does not introduce itself, or may no longer be here."""
        try:
            async with asyncio.timeout(self._pace.init):
                await self._known.wait()
        except TimeoutError:
            raise Closing(4408, "Connection initialisation timeout") from None
        while True:
            await asyncio.sleep(self._pace.recheck)
            await self._still_welcome()

    async def _look_up(self) -> Caller:
        try:
            return await self._recognise(self._token)
        except Unauthorized as refusal:
            raise Closing(4403, f"Forbidden: {refusal.detail}") from None

    async def _start(self, id: str, payload: dict[str, Any]) -> None:
        assert self._caller is not None, "the protocol lets nobody in before"
        if len(self._protocol.operations) > MAX_OPERATIONS:
            self._protocol.operations.discard(id)
            refusal = RateLimited(
                f"At most {MAX_OPERATIONS} operations may be under way; complete one first."
            )
            wire = as_wire(
                GraphQLError(refusal.detail, original_error=refusal),
                request_id=self._caller.request_id,
            )
            await self._send(said("error", id=id, payload=[wire]))
            return
        self._tasks[id] = asyncio.create_task(self._run(id, payload))

    async def _run(self, id: str, payload: dict[str, Any]) -> None:
        opened.count(operations=1)
        try:
            # As at a request over HTTP: what was revoked a moment ago begins nothing more.
            operation = SocketOperation(await self._still_welcome(), payload, self._outlet())
            async with aclosing(messages_of(id, operation)) as messages:
                async for message in messages:
                    await self._send(message)
        except Exception as error:
            self._close(_closing_for(error))
        finally:
            opened.count(operations=-1)
            if self._tasks.get(id) is asyncio.current_task():
                del self._tasks[id]
                self._protocol.operations.discard(id)

    def _outlet(self) -> Outlet:
        return Outlet(
            send=self._send,
            write=self._write,
            close=self._close,
            still_welcome=self._welcome_or_close,
            credential=(self._token, self._address),
            token=self._token,
        )

    async def _welcome_or_close(self) -> None:
        try:
            await self._still_welcome()
        except Closing:
            raise
        except Exception as error:
            raise _closing_for(error) from None

    async def _still_welcome(self) -> Caller:
        """The caller as it is now, or was when the database was last there. Raises Closing once the
        credential is revoked, or may do something else: from what is remembered of it.
        """
        assert self._caller is not None, "nobody is asked again before he is known"
        try:
            caller = await self._look_up()
        except Exception as error:
            if not is_outage(error):
                raise
            tell_outage("database_away", error, operation="graphql_socket")
            return self._caller
        if caller.scopes != self._caller.scopes:
            raise Closing(4403, "Forbidden: what the credential may do has changed; connect again")
        return caller

    def _close(self, closing: Closing | None) -> None:
        if not self._end.done():
            self._end.set_result(closing)


def token_of(payload: dict[str, Any]) -> str | None:
    """The token of `{"Authorization": "Bearer …"}`, in any case, or of `{"key": "…"}`; None
    without.
    """
    for name, value in payload.items():
        if isinstance(value, str) and name.lower() == "authorization":
            scheme, _, token = value.strip().partition(" ")
            # A scheme that is none is looked up as it is, and is nobody's.
            return token.strip() if scheme.lower() == "bearer" else value
    key = payload.get("key")
    return key if isinstance(key, str) else None


def _closing_of(done: set[asyncio.Future[Any]]) -> Closing | None:
    for one in done:
        if (error := one.exception()) is not None:
            return _closing_for(error)
    for one in done:
        if isinstance(closing := one.result(), Closing):
            return closing
    return None


def _closing_for(error: BaseException) -> Closing:
    if isinstance(error, Closing):
        return error
    if is_outage(error):
        tell_outage("database_away", error, operation="graphql_socket")
        return Closing(1013, "The database cannot be reached right now; connect again in a moment")
    log.error("unexpected", operation="graphql_socket", exc_info=error)
    return Closing(4500, "Internal server error")


async def _cancel(tasks: list[asyncio.Future[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
