"""The example keeps the protocol of docs/gateway.md, as the service's own client and callbacks read it."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from cli.gateway_example.carriers import Answer, Carrier, CarrierBusy, Lost, Message
from cli.gateway_example.endings import Endings
from cli.gateway_example.memory import Memory
from cli.gateway_example.server import ExampleGateway as Example
from core.foundation.clock import now
from core.providers.contracts import (
    Accepted,
    DeliveryReport,
    Failed,
    InboundReply,
    LookupFailed,
    MessageFound,
    MessageNotFound,
    Outgoing,
    OutOfCredit,
    Refused,
    Throttled,
    Unknown,
)
from core.providers.gateway import Gateway, open_session, read_receipts, read_replies, verify
from tests.support.waiting import eventually

SECRET = "a secret of sixteen or more"


@dataclass
class TheService:
    """Takes callbacks as the service does, and keeps what they say."""

    url: str = ""
    reports: list[DeliveryReport] = field(default_factory=list)
    replies: list[InboundReply] = field(default_factory=list)
    away: bool = False

    async def take(self, request: web.Request) -> web.Response:
        if self.away:
            return web.Response(status=503)
        body = await request.read()
        to = f"POST {request.path}"
        header = request.headers.get("X-Gateway-Signature")
        assert verify(SECRET, header, body, to=to, at=int(time.time())) == "v2"
        assert request.match_info["org"] == "org_1"
        if request.match_info["kind"] == "receipts":
            callback = read_receipts(body, at=now())
            assert not callback.errors
            self.reports += callback.items
        else:
            answers = read_replies(body, at=now())
            assert not answers.errors
            self.replies += answers.items
        return web.json_response({})


async def serve(stack: AsyncExitStack, app: web.Application) -> str:
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    stack.push_async_callback(runner.cleanup)
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    return f"http://127.0.0.1:{runner.addresses[0][1]}"


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as stack:
        yield stack


@pytest.fixture
async def service(stack: AsyncExitStack) -> TheService:
    found = TheService()
    app = web.Application()
    app.router.add_post("/providers/gateway/{org}/{kind}", found.take)
    found.url = await serve(stack, app)
    return found


Start = Callable[..., Any]


@pytest.fixture
def start(stack: AsyncExitStack, service: TheService) -> Start:
    """Starts an example; answers the service's client of it."""

    async def begin(
        memory: Memory | None = None, carrier: Carrier | None = None, secret: str = SECRET
    ) -> Gateway:
        memory = memory or Memory(":memory:")
        carrier = carrier or Endings(memory.tell, delay=0)
        example = Example(
            carrier, memory, secret=SECRET, service=service.url, told=lambda *_, **__: None
        )
        url = await serve(stack, example.app())
        session = await stack.enter_async_context(open_session())
        return Gateway(url, secret, session, seconds=5)

    return begin


def sms(ending: str = "0005", id: str = "msg_000000000000000000001") -> Outgoing:
    return Outgoing(
        id, "sms", f"+551198765{ending}", "Oi", None, "premium", None, organization_id="org_1"
    )


def rcs(ending: str) -> Outgoing:
    return Outgoing(
        "msg_000000000000000000001", "rcs", f"+551198765{ending}", None, {"text": "Oi"}, "easy_rcs", None,
        organization_id="org_1",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("ending", "status", "reason"),
    [
        ("0005", "delivered", None),
        ("4321", "delivered", None),
        ("0006", "undelivered", "carrier_rejected"),
        ("0008", "failed", "invalid_number"),
        ("0013", "failed", "expired"),
        ("0018", "failed", "blacklisted"),
    ],
)
async def test_a_taken_sms_is_reported_as_its_digits_say(
    start: Start, service: TheService, ending: str, status: str, reason: str | None
) -> None:
    answer = await (await start()).send(sms(ending))

    assert isinstance(answer, Accepted)
    await eventually(lambda: len(service.reports) == 1, "it is reported")
    (report,) = service.reports
    assert (report.message_id, report.reference) == (sms().id, answer.reference)
    assert (report.status, report.reason) == (status, reason)


@pytest.mark.parametrize(
    ("ending", "told"),
    [
        ("0005", [("delivered", None), ("read", None)]),
        ("0006", [("failed", "no_rcs")]),
        ("0008", [("failed", "rejected")]),
    ],
)
async def test_rcs_has_endings_of_its_own(
    start: Start, service: TheService, ending: str, told: list[tuple[str, str | None]]
) -> None:
    assert isinstance(await (await start()).send(rcs(ending)), Accepted)

    await eventually(lambda: len(service.reports) == len(told), "it is reported")
    assert [(report.status, report.reason) for report in service.reports] == told


@pytest.mark.parametrize(
    ("ending", "answer"),
    [
        ("0114", OutOfCredit()),
        ("0400", Refused("invalid_number")),
        ("0429", Throttled(5)),
        ("0500", Failed()),
        ("0504", Unknown()),
    ],
)
async def test_some_digits_are_refused_at_once(start: Start, ending: str, answer: Answer) -> None:
    assert await (await start()).send(sms(ending)) == answer


@pytest.mark.parametrize(("ending", "text"), [("0020", "SIM"), ("0021", "SAIR")])
async def test_some_phones_write_back(
    start: Start, service: TheService, ending: str, text: str
) -> None:
    await (await start()).send(sms(ending))

    await eventually(lambda: bool(service.replies), "the reply is handed in")
    (reply,) = service.replies
    assert (reply.message_id, reply.sender, reply.body) == (sms().id, sms(ending).to, text)


async def test_an_id_is_taken_once_also_when_it_comes_twice_at_the_same_moment(
    start: Start, service: TheService
) -> None:
    client = await start()

    first, second = await asyncio.gather(client.send(sms()), client.send(sms()))
    third = await client.send(sms())

    accepted = {answer for answer in (first, second, third) if isinstance(answer, Accepted)}
    assert len(accepted) == 1
    await eventually(lambda: bool(service.reports), "it is reported")
    assert len(service.reports) == 1


async def test_what_was_not_taken_may_come_again(start: Start) -> None:
    class OnceAway(Endings):
        tries = 0

        async def send(self, message: Message) -> Answer:
            self.tries += 1
            return CarrierBusy(503) if self.tries == 1 else await super().send(message)

    memory = Memory(":memory:")
    client = await start(memory, OnceAway(memory.tell, delay=0))

    assert await client.send(sms()) == Failed()
    assert isinstance(await client.send(sms()), Accepted)


async def test_look_ups_tell_what_is_known(start: Start, service: TheService) -> None:
    client = await start()
    await client.send(sms("0006", "msg_000000000000000000001"))
    await client.send(sms("0400", "msg_000000000000000000002"))
    await client.send(sms("0099", "msg_000000000000000000003"))

    undelivered = await client.look_up("msg_000000000000000000001")
    assert isinstance(undelivered, MessageFound)
    assert (undelivered.status, undelivered.reason) == ("undelivered", "carrier_rejected")
    assert await client.look_up("msg_000000000000000000002") == MessageNotFound()
    silent = await client.look_up("msg_000000000000000000003")
    assert isinstance(silent, MessageFound)
    assert silent.status == "sent"
    assert await client.look_up("msg_000000000000000000004") == MessageNotFound()


async def test_what_nobody_knows_never_leaves_again_and_is_settled_by_its_report(
    start: Start, service: TheService
) -> None:
    class LosesAnswers(Endings):
        left = 0

        async def send(self, message: Message) -> Answer:
            self.left += 1
            await super().send(message | {"to": "0099"})
            return Lost()

    memory = Memory(":memory:")
    carrier = LosesAnswers(memory.tell, delay=0)
    client = await start(memory, carrier)

    assert [await client.send(sms()) for _ in range(3)] == [Unknown()] * 3
    assert await client.look_up(sms().id) == LookupFailed()
    assert carrier.left == 1

    carrier._report({"id": sms().id, "to": sms().to, "channel": "sms"}, "gx_1", "DELIVRD", None, 0)
    found = await client.look_up(sms().id)
    assert found == MessageFound("gx_1", "delivered")
    assert await client.send(sms()) == Accepted("gx_1")


async def test_a_file_remembers_ids_and_reports_over_a_restart(
    start: Start, service: TheService, tmp_path: Path
) -> None:
    service.away = True
    first = await (await start(Memory(tmp_path / "taken.db"))).send(sms())
    service.away = False

    again = await start(Memory(tmp_path / "taken.db"))

    assert await again.send(sms()) == first
    await eventually(lambda: bool(service.reports), "the report comes")


async def test_a_request_that_is_not_signed_with_the_secret_is_refused(start: Start) -> None:
    client = await start(secret="another secret, as long")

    assert await client.send(sms()) == Failed()
    assert await client.look_up(sms().id) == LookupFailed()


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{}", b'{"id": 1}', b'{"id": "m", "channel": "sms"}']
)
async def test_an_unreadable_message_is_refused(start: Start, body: bytes) -> None:
    from core.providers.gateway import sign

    client = await start()
    url = str(client._messages)
    headers = {"X-Gateway-Signature": sign(SECRET, body, to="POST /messages", at=int(time.time()))}

    async with aiohttp.ClientSession() as http, http.post(url, data=body, headers=headers) as told:
        assert told.status == 400
