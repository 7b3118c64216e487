"""A customer's webhook endpoint: it keeps what arrives and answers as the test says."""

import asyncio
import hashlib
import hmac
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from aiohttp import web


@dataclass(frozen=True)
class Arrival:
    """One delivery attempt as it came in. Header names are in lower case."""

    headers: Mapping[str, str]
    body: bytes

    @property
    def event(self) -> dict[str, Any]:
        """The body, read."""
        read: dict[str, Any] = json.loads(self.body)
        return read


class Receiver:
    """Answers 200, unless `answer` is replaced; `hold` keeps every request open until `release`."""

    def __init__(self) -> None:
        self.url = ""
        self.arrivals: list[Arrival] = []
        self.answer: Callable[[Arrival], int] = lambda _: 200
        self.answered: Counter[str] = Counter()
        """Delivery ids whose answer has left us."""
        self._open = asyncio.Event()
        self._open.set()
        self._held: Callable[[Arrival], bool] = lambda _: True
        self.waiting = 0

    def hold(self, which: Callable[[Arrival], bool] = lambda _: True) -> None:
        """From now on requests wait, all or those that `which` says."""
        self._held = which
        self._open.clear()

    def release(self) -> None:
        """Answer those that wait, and the next ones at once."""
        self._open.set()

    def events(self, type: str | None = None) -> list[dict[str, Any]]:
        """The events that arrived, in order, repeats included."""
        return [
            event
            for arrival in self.arrivals
            if (event := arrival.event)["type"] == (type or event["type"])
        ]

    async def handle(self, request: web.BaseRequest) -> web.Response:
        """Take one delivery in."""
        headers = {name.lower(): value for name, value in request.headers.items()}
        arrival = Arrival(headers, await request.read())
        self.arrivals.append(arrival)
        if self._held(arrival):
            self.waiting += 1
            try:
                await self._open.wait()
            finally:
                self.waiting -= 1
        status = self.answer(arrival)
        self.answered[headers["x-svc-delivery-id"]] += 1
        return web.Response(status=status)


@asynccontextmanager
async def a_receiver() -> AsyncIterator[Receiver]:
    """A receiver on a free port of this machine."""
    receiver = Receiver()
    runner = web.ServerRunner(web.Server(receiver.handle, access_log=None), shutdown_timeout=1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        host, port = runner.addresses[0][:2]
        receiver.url = f"http://{host}:{port}/hooks"
        yield receiver
    finally:
        receiver.release()
        await runner.cleanup()


def signed_by(secret: str, arrival: Arrival) -> bool:
    """Whether X-SVC-Signature fits, checked as the interface describes it and with nothing of the
    service.
    """
    parts = [part.split("=", 1) for part in arrival.headers["x-svc-signature"].split(",")]
    (timestamp,) = [value for name, value in parts if name == "t"]
    expected = hmac.new(
        secret.encode(), timestamp.encode() + b"." + arrival.body, hashlib.sha256
    ).hexdigest()
    return any(hmac.compare_digest(value, expected) for name, value in parts if name == "v1")
