"""What the gateway knows about a message whose send had no answer."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from core.providers.contracts import (
    Lookup,
    LookupFailed,
    MessageFound,
    MessageNotFound,
    Outgoing,
    Unknown,
)
from core.providers.gateway import Gateway, open_session
from tests.fakes.gateway import (
    Behaviour,
    FakeGateway,
    a_gateway,
    breaks,
    drops,
    hangs,
    says,
    stalls,
)

ID = "msg_000000000000000000001"
SMS = Outgoing(ID, "sms", "+5511987654321", "Oi", None, "premium", None)


@pytest.fixture
async def fake() -> AsyncIterator[FakeGateway]:
    async with a_gateway() as gateway:
        yield gateway


@pytest.fixture
async def client(fake: FakeGateway) -> AsyncIterator[Gateway]:
    async with open_session() as session:
        yield Gateway(fake.url, fake.secret, session, seconds=0.4)


async def test_a_message_that_was_taken_without_a_word_is_found(
    fake: FakeGateway, client: Gateway
) -> None:
    fake.will(drops())
    assert await client.send(SMS) == Unknown()
    assert await client.look_up(ID) == MessageFound("gw_1", "sent")
    asked = fake.seen[-1]
    assert (asked.method, asked.path, asked.body, asked.signed) == (
        "GET",
        f"/v1/messages/{ID}",
        b"",
        True,
    )
    assert "Idempotency-Key" not in asked.headers


async def test_a_message_that_never_arrived_is_not_found(client: Gateway) -> None:
    assert await client.look_up(ID) == MessageNotFound()


async def test_a_message_on_its_way_in_is_not_found_yet(fake: FakeGateway, client: Gateway) -> None:
    fake.will(hangs(released := asyncio.Event()))
    under_way = asyncio.create_task(client.send(SMS))
    await asyncio.sleep(0.05)
    assert await client.look_up(ID) == MessageNotFound()
    released.set()
    await under_way
    assert await client.look_up(ID) == MessageFound("gw_1", "sent")


@pytest.mark.parametrize(
    ("told", "found"),
    [
        ({"status": "ACCEPTD"}, MessageFound("x", "sent")),
        ({"status": "ENROUTE"}, MessageFound("x", "sent")),
        ({"status": None}, MessageFound("x", "sent")),
        ({}, MessageFound("x", "sent")),
        ({"status": "DELIVRD"}, MessageFound("x", "delivered")),
        ({"status": "UNDELIV"}, MessageFound("x", "undelivered", "carrier_rejected")),
        ({"status": "EXPIRED"}, MessageFound("x", "failed", "expired")),
        ({"status": "REJECTD"}, MessageFound("x", "failed", "invalid_number")),
        (
            {"status": "REJECTD", "reason": "blacklisted"},
            MessageFound("x", "failed", "blacklisted"),
        ),
        ({"status": "BLACKLISTED"}, MessageFound("x", "failed", "blacklisted")),
    ],
)
async def test_what_is_found_may_have_ended_already(
    fake: FakeGateway, client: Gateway, told: dict[str, object], found: Lookup
) -> None:
    fake.look_up = says(json.dumps({"reference": "x"} | told).encode())
    assert await client.look_up(ID) == found


@pytest.mark.parametrize(
    "behaviour",
    [
        says(b"{}"),
        says(b'{"reference": ""}'),
        says(b"not json"),
        says(b'{"reference": "x"}', status=202),
        says(b"", status=401),
        says(b"", status=429),
        says(b"", status=302, headers={"Location": "/"}),
        breaks(500),
        breaks(504),
        drops(accepted=False),
        stalls(accepted=False),
        hangs(asyncio.Event()),
    ],
)
async def test_anything_else_tells_nothing(
    fake: FakeGateway, client: Gateway, behaviour: Behaviour
) -> None:
    fake.look_up = behaviour
    assert await client.look_up(ID) == LookupFailed()
