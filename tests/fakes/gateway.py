"""A gateway on a free port of this machine, over real HTTP: it behaves as it is told and remembers
what it took.

It keeps the protocol by its own lights (its signatures are not made by the code under test).
"""

import asyncio
import hashlib
import hmac
import json
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import aiohttp
from aiohttp import web

SECRET = "the gateway's shared secret"
SIGNATURE = "X-Gateway-Signature"

Behaviour = Callable[["FakeGateway", web.Request, dict[str, Any]], Awaitable[web.StreamResponse]]


@dataclass(slots=True)
class Taken:
    """A message that the gateway accepted. `status` is what a look-up says; None leaves it out."""

    reference: str
    message: dict[str, Any]
    status: str | None = "ACCEPTD"


@dataclass(slots=True)
class Seen:
    """A request as it came; `signed` is whether its signature holds."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    signed: bool


@dataclass(slots=True)
class FakeGateway:
    """The gateway of a test; made by `a_gateway`."""

    secret: str = SECRET
    url: str = ""
    taken: dict[str, Taken] = field(default_factory=dict)
    seen: list[Seen] = field(default_factory=list)
    look_up: Behaviour | None = None
    """What look-ups meet instead of the truth."""
    _always: Behaviour | None = None
    _next: deque[Behaviour] = field(default_factory=deque)

    def will(self, *behaviours: Behaviour) -> None:
        """What the next sends meet, one each; afterwards it is as before."""
        self._next.extend(behaviours)

    def always(self, behaviour: Behaviour | None) -> None:
        """What every send meets that `will` says nothing about; None is accepting."""
        self._always = behaviour

    @property
    def sends(self) -> list[Seen]:
        """The sends that arrived, answered or not."""
        return [seen for seen in self.seen if seen.method == "POST"]

    def take(self, message: dict[str, Any]) -> Taken:
        """Accept a message; the same id again is the same message."""
        taken = Taken(f"gw_{len(self.taken) + 1}", message)
        return self.taken.setdefault(message["id"], taken)

    def headers_for(
        self, body: bytes, *, to: str, at: float | None = None, secret: str | None = None
    ) -> dict[str, str]:
        """The headers of a callback with this body to this path, for tests that post it themselves."""
        moment = int(time.time() if at is None else at)
        digest = self._digest(b"%d\nPOST %b\n%b" % (moment, to.encode(), body), secret)
        return {SIGNATURE: f"t={moment},v2={digest}", "Content-Type": "application/json"}

    def old_headers_for(self, body: bytes) -> dict[str, str]:
        """The same by a gateway of old, which signs the body alone."""
        moment = int(time.time())
        digest = self._digest(b"%d.%b" % (moment, body))
        return {SIGNATURE: f"t={moment},v1={digest}", "Content-Type": "application/json"}

    def _digest(self, signed: bytes, secret: str | None = None) -> str:
        return hmac.new((secret or self.secret).encode(), signed, hashlib.sha256).hexdigest()

    def receipt(self, message_id: str, state: str = "DELIVRD", **more: Any) -> dict[str, Any]:
        """A receipt for a message it took (or for any other id); `more` replaces fields, None
        leaves one out.
        """
        taken = self.taken.get(message_id)
        fields = {
            "id": taken.reference if taken else f"gw_{message_id}",
            "type": "api_message",
            "to": taken.message["to"] if taken else "+5511987654321",
            "reference": message_id,
            "status": state,
            "statusDescription": state.title(),
            "channel": "SMS",
        }
        return {name: value for name, value in (fields | more).items() if value is not None}

    def reply(self, message_id: str, body: str = "SIM", **more: Any) -> dict[str, Any]:
        """A recipient's reply to a message, with an id that depends on the message alone unless
        `more` has one.
        """
        taken = self.taken.get(message_id)
        fields = {
            "id": f"mo_{message_id}",
            "inReplyTo": message_id,
            "from": taken.message["to"] if taken else "+5511987654321",
            "body": body,
        }
        return {name: value for name, value in (fields | more).items() if value is not None}

    async def report(self, base_url: str, organization_id: str, *receipts: Any, **how: Any) -> int:
        """Call back with receipts, in the order given; answers the status. See `call_back`."""
        return await self.call_back(
            f"{base_url}/providers/gateway/{organization_id}/receipts", receipts, **how
        )

    async def hand_in(self, base_url: str, organization_id: str, *replies: Any, **how: Any) -> int:
        """Call back with replies, in the order given; answers the status. See `call_back`."""
        return await self.call_back(
            f"{base_url}/providers/gateway/{organization_id}/replies", replies, **how
        )

    async def call_back(
        self,
        url: str,
        items: Sequence[Any],
        *,
        times: int = 1,
        at: float | None = None,
        secret: str | None = None,
    ) -> int:
        """One item is posted alone, several as a batch, the whole `times` over; answers the last
        status.
        """
        body = json.dumps(items[0] if len(items) == 1 else {"items": list(items)}).encode()
        headers = self.headers_for(body, to=urlsplit(url).path, at=at, secret=secret)
        status = 0
        async with aiohttp.ClientSession() as session:
            for _ in range(times):
                async with session.post(url, data=body, headers=headers) as response:
                    status = response.status
        return status

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Every request of a client arrives here."""
        body = await request.read()
        self.seen.append(
            Seen(request.method, request.path, request.headers, body, self._signed(request, body))
        )
        if request.method == "GET":
            id = request.match_info["id"]
            return await (self.look_up or _tells)(self, request, {"id": id})
        behaviour = self._next.popleft() if self._next else self._always or accepts()
        return await behaviour(self, request, json.loads(body))

    def _signed(self, request: web.Request, body: bytes) -> bool:
        given = request.headers.get(SIGNATURE, "")
        moment = given.removeprefix("t=").partition(",")[0]
        whole = "\n".join((moment, f"{request.method} {request.path}", "")).encode() + body
        v1, v2 = self._digest(moment.encode() + b"." + body), self._digest(whole)
        return moment.isdigit() and given == f"t={moment},v1={v1},v2={v2}"


@asynccontextmanager
async def a_gateway(secret: str = SECRET) -> AsyncIterator[FakeGateway]:
    """A gateway that accepts everything until it is told otherwise; gone, connections too, at the
    end.
    """
    gateway = FakeGateway(secret)
    app = web.Application()
    app.router.add_post("/v1/messages", gateway.serve)
    app.router.add_get("/v1/messages/{id}", gateway.serve)
    # A send that hangs is cancelled when its client goes, and does not keep the server from
    # closing.
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1, access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        gateway.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        yield gateway
    finally:
        await runner.cleanup()


async def _tells(
    gateway: FakeGateway, request: web.Request, asked: dict[str, Any]
) -> web.StreamResponse:
    """An honest look-up."""
    taken = gateway.taken.get(asked["id"])
    if taken is None:
        return web.json_response({}, status=404)
    told = {"reference": taken.reference, "status": taken.status}
    return web.json_response({name: value for name, value in told.items() if value is not None})


# What a send may meet ----------------------------------------------------------------------------


def accepts() -> Behaviour:
    """Taken, and the answer arrives."""

    async def behave(
        gateway: FakeGateway, request: web.Request, message: dict[str, Any]
    ) -> web.StreamResponse:
        return web.json_response({"reference": gateway.take(message).reference})

    return behave


def refuses(reason: str | None, *, status: int = 422) -> Behaviour:
    """Not taken, for this reason; None says nothing more."""
    return says(b"{}" if reason is None else json.dumps({"reason": reason}).encode(), status=status)


def throttles(retry_after: str | None = "7") -> Behaviour:
    """Not taken: come back later."""
    return says(
        b"{}", status=429, headers={} if retry_after is None else {"Retry-After": retry_after}
    )


def is_out_of_credit() -> Behaviour:
    """Not taken: the account is empty."""
    return says(b"{}", status=402)


def breaks(status: int = 500) -> Behaviour:
    """Not taken: something is wrong with the gateway."""
    return says(b"<h1>Error</h1>", status=status)


def says(
    body: bytes,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    accepted: bool = False,
) -> Behaviour:
    """Any answer at all; `accepted` takes the message nevertheless."""

    async def behave(
        gateway: FakeGateway, request: web.Request, message: dict[str, Any]
    ) -> web.StreamResponse:
        if accepted:
            gateway.take(message)
        return web.Response(status=status, body=body, headers=headers)

    return behave


def hangs(until: asyncio.Event, *, accepted: bool = False) -> Behaviour:
    """No answer until the event; `accepted` takes the message before, otherwise it is taken then."""

    async def behave(
        gateway: FakeGateway, request: web.Request, message: dict[str, Any]
    ) -> web.StreamResponse:
        if accepted:
            gateway.take(message)
        await until.wait()
        return await accepts()(gateway, request, message)

    return behave


def drops(*, accepted: bool = True) -> Behaviour:
    """Takes the message and breaks the connection without a word."""

    async def behave(
        gateway: FakeGateway, request: web.Request, message: dict[str, Any]
    ) -> web.StreamResponse:
        if accepted:
            gateway.take(message)
        if request.transport is not None:
            request.transport.abort()
        return web.Response()

    return behave


def stalls(
    body: bytes = b'{"reference":', *, status: int = 200, accepted: bool = True
) -> Behaviour:
    """Takes the message, begins an answer and never ends it."""

    async def behave(
        gateway: FakeGateway, request: web.Request, message: dict[str, Any]
    ) -> web.StreamResponse:
        if accepted:
            gateway.take(message)
        response = web.StreamResponse(status=status)
        response.content_length = 10_000
        await response.prepare(request)
        with suppress(ConnectionError):
            await response.write(body)
            await asyncio.Event().wait()
        return response

    return behave
