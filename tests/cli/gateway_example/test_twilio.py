"""The adapter for an aggregator: what Twilio answers and reports, in the words of the protocol."""

import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from cli.gateway_example.carriers import Answer, CarrierAccepted, CarrierBusy, CarrierRefused, Lost
from cli.gateway_example.memory import Memory
from cli.gateway_example.server import ExampleGateway
from cli.gateway_example.twilio import Twilio, twilio_signature

TOKEN = "twilio-token"
LOG_IN = base64.b64encode(f"AC1:{TOKEN}".encode()).decode()
MESSAGE = {
    "id": "msg_1",
    "organizationId": "org_1",
    "channel": "sms",
    "to": "+5511987654321",
    "text": "Olá",
    "route": "premium",
}


@dataclass
class FakeTwilio:
    """Messages.json, answering as told."""

    url: str = ""
    status: int = 201
    answer: Any = field(default_factory=lambda: {"sid": "SM1", "status": "queued"})
    drops: bool = False
    seen: list[dict[str, Any]] = field(default_factory=list)

    async def take(self, request: web.Request) -> web.Response:
        self.seen.append(dict(await request.post()))
        assert request.headers["Authorization"] == f"Basic {LOG_IN}"
        if self.drops:
            assert request.transport is not None
            request.transport.abort()
        return web.json_response(self.answer, status=self.status)


@asynccontextmanager
async def served(app: web.Application) -> AsyncIterator[str]:
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@pytest.fixture
async def twilio() -> AsyncIterator[FakeTwilio]:
    fake = FakeTwilio()
    app = web.Application()
    app.router.add_post("/2010-04-01/Accounts/AC1/Messages.json", fake.take)
    async with served(app) as fake.url:
        yield fake


@pytest.fixture
def memory() -> Memory:
    return Memory(":memory:")


@pytest.fixture
async def adapter(twilio: FakeTwilio, memory: Memory) -> AsyncIterator[Twilio]:
    adapter = Twilio(
        memory.tell, memory, account="AC1", token=TOKEN, sender="+15550001", public="https://gw.test", api=twilio.url
    )  # fmt: skip
    yield adapter
    await adapter.close()


async def test_a_message_is_handed_over_with_our_id_in_its_callback(
    adapter: Twilio, twilio: FakeTwilio
) -> None:
    assert await adapter.send(MESSAGE) == CarrierAccepted("SM1")
    assert twilio.seen == [
        {
            "To": "+5511987654321",
            "Body": "Olá",
            "From": "+15550001",
            "StatusCallback": "https://gw.test/twilio/status?id=msg_1",
        }
    ]


@pytest.mark.parametrize(
    ("status", "code", "answer"),
    [
        (400, 21211, CarrierRefused("invalid_number")),
        (400, 21610, CarrierRefused("blacklisted")),
        (400, 21408, CarrierRefused("carrier_rejected")),
        (400, 21603, CarrierBusy(500)),
        (401, 20003, CarrierBusy(500)),
        (429, 20429, CarrierBusy(429, retry_after=1)),
        (500, 20500, Lost()),
        (201, None, Lost()),
    ],
)
async def test_what_it_answers(
    adapter: Twilio, twilio: FakeTwilio, status: int, code: int | None, answer: Answer
) -> None:
    twilio.status, twilio.answer = status, {"code": code}

    assert await adapter.send(MESSAGE) == answer


async def test_a_cut_connection_is_lost_and_a_refused_one_is_not_taken(
    adapter: Twilio, twilio: FakeTwilio
) -> None:
    twilio.drops = True
    assert await adapter.send(MESSAGE) == Lost()
    assert len(twilio.seen) == 1

    adapter._url = "http://127.0.0.1:9/nobody"
    assert await adapter.send(MESSAGE) == CarrierBusy(503)


async def test_rcs_is_refused(adapter: Twilio) -> None:
    assert await adapter.send({**MESSAGE, "channel": "rcs"}) == CarrierRefused("no_rcs")


async def post(app_url: str, path: str, form: dict[str, str], *, signature: str | None) -> int:
    headers = {"X-Twilio-Signature": signature} if signature else {}
    async with (
        aiohttp.ClientSession() as http,
        http.post(f"{app_url}{path}", data=form, headers=headers) as answer,
    ):
        return answer.status


@pytest.mark.parametrize(
    ("state", "error", "told"),
    [
        ("delivered", None, ("DELIVRD", None)),
        ("undelivered", "30003", ("UNDELIV", None)),
        ("undelivered", "30004", ("BLACKLISTED", None)),
        ("undelivered", "30005", ("REJECTD", "invalid_number")),
        ("failed", None, ("REJECTD", None)),
        ("sent", None, None),
    ],
)
async def test_statuses_and_replies_are_kept_for_the_service(
    adapter: Twilio, memory: Memory, state: str, error: str | None, told: Any
) -> None:
    memory.begin(MESSAGE)
    gateway = ExampleGateway(adapter, memory, secret="s", service="http://127.0.0.1:9", told=lambda *_, **__: None)  # fmt: skip
    form = {"MessageSid": "SM1", "MessageStatus": state, "To": "+5511987654321"}
    form |= {"ErrorCode": error} if error else {}
    path = "/twilio/status?id=msg_1"
    app = gateway.app()
    app.cleanup_ctx.clear()
    async with served(app) as url:
        signature = twilio_signature(TOKEN, f"https://gw.test{path}", form)
        assert await post(url, path, form, signature=None) == 403
        assert await post(url, "/twilio/status?id=msg_2", form, signature=signature) == 403
        assert memory.due(9) == []
        assert await post(url, path, form, signature=signature) == 204

    reports = [report.body for report in memory.due(9)]
    assert [(body["status"], body.get("reason")) for body in reports] == ([told] if told else [])


async def test_a_reply_answers_the_newest_message_to_that_phone(
    adapter: Twilio, memory: Memory
) -> None:
    memory.begin(MESSAGE)
    form = {"MessageSid": "SM9", "From": "+5511987654321", "Body": "SIM"}
    app = web.Application()
    app.add_routes(adapter.routes())
    async with served(app) as url:
        signature = twilio_signature(TOKEN, "https://gw.test/twilio/replies", form)
        assert await post(url, "/twilio/replies", form, signature=signature) == 200

    assert [report.body for report in memory.due(9)] == [
        {"id": "SM9", "inReplyTo": "msg_1", "from": "+5511987654321", "body": "SIM"}
    ]
