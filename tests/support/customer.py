"""A customer of the service: one API key, calls over HTTP, and load that repeats itself until it is
answered.
"""

import asyncio
import itertools
import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from tests.support.receiver import Receiver
from tests.support.waiting import PATIENCE, eventually

ENDINGS = {
    "0005": ("delivered", None),
    "0006": ("undelivered", "carrier_rejected"),
    "0008": ("failed", "invalid_number"),
    "0013": ("failed", "expired"),
    "0018": ("failed", "blacklisted"),
}
"""Last digits of the recipient, and the report that the interface promises for them."""

OUTCOMES = ("sms.delivered", "sms.failed", "sms.undelivered")
PAUSE = 0.02
"""Seconds between two sends of one lane: load, but not a flood."""
REPEAT_AFTER = 0.05


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True)
class Subscription:
    """A subscription and its secret."""

    id: str
    secret: str


@dataclass(frozen=True)
class Credential:
    """A key, as the shell shows it once."""

    id: str
    key: str
    organization_id: str


class Customer:
    """Calls one or several APIs of the same service, in turn."""

    def __init__(self, http: aiohttp.ClientSession, *urls: str, credential: Credential) -> None:
        self._http = http
        self.urls = urls
        self.credential = credential
        self._turn = itertools.cycle(range(len(urls)))

    async def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        headers: Mapping[str, str] | None = None,
        api: int | None = None,
    ) -> Answer:
        """One request; `api` chooses which one is asked."""
        url = self.urls[next(self._turn) if api is None else api]
        async with self._http.request(
            method,
            url + path,
            json=body,
            headers={"Authorization": f"Bearer {self.credential.key}", **(headers or {})},
            timeout=aiohttp.ClientTimeout(total=PATIENCE),
        ) as answer:
            read = await answer.json(content_type=None) if answer.status != 204 else None
            return Answer(answer.status, dict(answer.headers), read)

    async def subscribe(self, receiver: Receiver, events: Sequence[str] = OUTCOMES) -> Subscription:
        """Have events sent to the receiver."""
        answer = await self.call(
            "POST",
            "/webhooks",
            {
                "url": receiver.url,
                "events": list(events),
                "retry": {"maxAttempts": 12, "backoffSeconds": 5},
            },
        )
        assert answer.status == 201, answer
        return Subscription(answer.body["webhook"]["id"], answer.body["reveal"]["secret"])

    async def send(
        self,
        ending: str,
        *,
        idempotency_key: str,
        metadata: Mapping[str, Any] | None = None,
        api: int | None = None,
    ) -> Answer:
        """Send one SMS to a number with this ending."""
        body: dict[str, Any] = {
            "to": f"+551198765{ending}",
            "body": "Olá! Seu pedido saiu.",
            "route": "premium",
        }
        if metadata is not None:
            body["metadata"] = metadata
        return await self.call(
            "POST", "/v2/sms/messages", body, headers={"Idempotency-Key": idempotency_key}, api=api
        )

    async def message(self, id: str) -> dict[str, Any]:
        """One message as the API reads it back."""
        answer = await self.call("GET", f"/v2/sms/messages/{id}")
        assert answer.status == 200, answer
        found: dict[str, Any] = answer.body
        return found


@dataclass
class Load:
    """Sends under way and what became of them."""

    accepted: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Idempotency key and record of every message that was answered with 201."""
    refusals: list[Answer] = field(default_factory=list)
    """Every other answer on the way there."""
    cut_off: Counter[str] = field(default_factory=Counter)
    """Requests that got no answer at all, by kind of error."""
    slowest: float = 0.0
    """Seconds that the slowest answer took."""
    stop: asyncio.Event = field(default_factory=asyncio.Event)

    async def reached(self, count: int) -> None:
        """Wait until this many messages were accepted."""
        await eventually(
            lambda: len(self.accepted) >= count,
            lambda: f"{count} accepted, but {len(self.accepted)}; {self.refused()}; {self.cut_off}",
        )

    async def more(self, count: int) -> None:
        """Wait until this many further messages were accepted."""
        await self.reached(len(self.accepted) + count)

    def refused(self) -> Counter[tuple[int, str]]:
        """The refusals by status and code."""
        return Counter((answer.status, answer.body["code"]) for answer in self.refusals)


@asynccontextmanager
async def under_load(customer: Customer, *, lanes: int = 6) -> AsyncIterator[Load]:
    """Keep sending while the block runs; afterwards every send has been repeated until it was
    accepted.
    """
    load = Load()
    numbers = itertools.count()
    async with asyncio.TaskGroup() as group:
        for _ in range(lanes):
            group.create_task(_keep_sending(customer, load, numbers))
        try:
            yield load
        finally:
            load.stop.set()


async def _keep_sending(customer: Customer, load: Load, numbers: "itertools.count[int]") -> None:
    endings = list(ENDINGS)
    while not load.stop.is_set():
        number = next(numbers)
        await _until_accepted(
            customer, load, f"load-{number}", endings[number % len(endings)], {"number": number}
        )
        await asyncio.sleep(PAUSE)


async def _until_accepted(
    customer: Customer, load: Load, key: str, ending: str, metadata: Mapping[str, Any]
) -> None:
    """Repeat one send, as a good client does: the same key until there is an answer that settles
    it.
    """
    async with asyncio.timeout(PATIENCE):
        while True:
            began = time.monotonic()
            try:
                answer = await customer.send(ending, idempotency_key=key, metadata=metadata)
            except (aiohttp.ClientError, OSError) as error:
                load.cut_off[type(error).__name__] += 1
            else:
                load.slowest = max(load.slowest, time.monotonic() - began)
                if answer.status == 201:
                    load.accepted[key] = answer.body
                    return
                load.refusals.append(answer)
            await asyncio.sleep(REPEAT_AFTER)
