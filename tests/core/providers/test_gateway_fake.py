"""The fake gateway's callbacks, against a receiver that reads them as the service does."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest
from aiohttp import web

from core.foundation.clock import now
from core.providers.contracts import DeliveryReport, InboundReply
from core.providers.gateway import SIGNATURE_HEADER, read_receipts, read_replies, verify
from tests.fakes.gateway import SECRET, FakeGateway

SOLD, LOST = "msg_000000000000000000001", "msg_000000000000000000002"


@dataclass(slots=True)
class Receiver:
    """The callback addresses: what came, call by call."""

    url: str = ""
    receipts: list[tuple[DeliveryReport, ...]] = field(default_factory=list)
    replies: list[tuple[InboundReply, ...]] = field(default_factory=list)

    async def take(self, request: web.Request) -> web.Response:
        raw, at = await request.read(), now()
        to, signature = f"POST {request.path}", request.headers.get(SIGNATURE_HEADER)
        if verify(SECRET, signature, raw, to=to, at=int(at.timestamp())) != "v2":
            return web.Response(status=401)
        assert request.match_info["organization"] == "org_1"
        if request.match_info["kind"] == "receipts":
            self.receipts.append(read_receipts(raw, at=at).items)
        else:
            self.replies.append(read_replies(raw, at=at).items)
        return web.Response(status=200)


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    receiver = Receiver()
    app = web.Application()
    app.router.add_post("/providers/gateway/{organization}/{kind}", receiver.take)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    receiver.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield receiver
    await runner.cleanup()


async def test_it_calls_back_once_twice_in_batches_and_out_of_order(receiver: Receiver) -> None:
    fake = FakeGateway()
    fake.take({"id": SOLD, "to": "+5511987654321"})
    final, early, other = (
        fake.receipt(SOLD),
        fake.receipt(SOLD, "ENROUTE"),
        fake.receipt(LOST, "REJECTD"),
    )
    assert await fake.report(receiver.url, "org_1", final, times=2) == 200
    assert await fake.report(receiver.url, "org_1", early, other) == 200
    assert [
        [(receipt.message_id, receipt.status) for receipt in call] for call in receiver.receipts
    ] == [
        [(SOLD, "delivered")],
        [(SOLD, "delivered")],
        [(SOLD, None), (LOST, "failed")],
    ]
    assert receiver.receipts[0][0].reference == "gw_1"


async def test_it_hands_in_replies(receiver: Receiver) -> None:
    fake = FakeGateway()
    reply = fake.reply(SOLD, "SAIR", receivedAt="2026-03-01T12:00:00Z")
    assert await fake.hand_in(receiver.url, "org_1", reply, times=2) == 200
    at = datetime(2026, 3, 1, 12, tzinfo=UTC)
    said = InboundReply(f"mo_{SOLD}", SOLD, None, "+5511987654321", "SAIR", at)
    assert receiver.replies == [(said,), (said,)]


async def test_it_can_sign_wrongly_and_too_early(receiver: Receiver) -> None:
    fake = FakeGateway()
    assert (
        await fake.report(receiver.url, "org_1", fake.receipt(SOLD), secret="another shared secret")
        == 401
    )
    assert (
        await fake.report(receiver.url, "org_1", fake.receipt(SOLD), at=now().timestamp() - 400)
        == 401
    )
    assert not receiver.receipts
