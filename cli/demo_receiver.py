"""The demo's webhook receiver: a local endpoint that verifies the signature of what it gets."""

import asyncio
import hashlib
import hmac
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Arrival:
    """A delivery as it came in. Header names are in lower case."""

    headers: Mapping[str, str]
    body: bytes

    @property
    def event(self) -> dict[str, Any]:
        """The body, read."""
        read: dict[str, Any] = json.loads(self.body)
        return read


class Receiver:
    """Keeps what arrives."""

    def __init__(self) -> None:
        self.url = ""
        self._arrivals: dict[str, Arrival] = {}
        self._news = asyncio.Event()

    def take(self, arrival: Arrival) -> None:
        """One more; a repeated event replaces itself."""
        message = arrival.event["data"].get("id")
        self._arrivals[message] = arrival
        self._news.set()

    async def report_on(self, message_id: str, *, within: float) -> Arrival | None:
        """The event about this message, or None when it does not arrive in time."""
        try:
            async with asyncio.timeout(within):
                while message_id not in self._arrivals:
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            return None
        return self._arrivals[message_id]


def is_signed(secret: str, arrival: Arrival) -> bool:
    """Whether X-SVC-Signature (`t=<unix>,v1=<hex>`) is the HMAC-SHA256 of `<unix>.<body>` with the
    secret.
    """
    parts = [part.partition("=") for part in arrival.headers.get("x-svc-signature", "").split(",")]
    timestamp = next((value for name, _, value in parts if name == "t"), "")
    expected = hmac.new(
        secret.encode(), timestamp.encode() + b"." + arrival.body, hashlib.sha256
    ).hexdigest()
    return any(hmac.compare_digest(value, expected) for name, _, value in parts if name == "v1")


@asynccontextmanager
async def local_receiver() -> AsyncIterator[Receiver]:
    """Listen on a free port of this machine."""
    from aiohttp import web

    receiver = Receiver()

    async def handle(request: web.BaseRequest) -> web.Response:
        headers = {name.lower(): value for name, value in request.headers.items()}
        receiver.take(Arrival(headers, await request.read()))
        return web.Response(status=200)

    runner = web.ServerRunner(web.Server(handle, access_log=None), shutdown_timeout=1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        receiver.url = f"http://{host}:{port}/webhooks"
        yield receiver
    finally:
        await runner.cleanup()
