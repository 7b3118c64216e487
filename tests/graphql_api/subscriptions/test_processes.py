"""Subscriptions of a whole service: what one process commits, a socket of another tells."""

import asyncio
import itertools
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import orjson
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from core.foundation.pubsub.notices import channel_of
from tests.graphql_api.subscriptions.conftest import SPOKEN, hear, say
from tests.support.customer import Customer
from tests.support.service import Api, Service
from tests.support.waiting import PATIENCE, eventually

pytestmark = pytest.mark.slow

CHANGED = {"query": "subscription { messageChanged { id status } }"}


@asynccontextmanager
async def subscribed(
    service: Service, api: Api, customer: Customer
) -> AsyncIterator[ClientConnection]:
    """A socket of an API that hears of the customer's messages."""
    url = f"ws://127.0.0.1:{api.port}/graphql"
    async with connect(url, subprotocols=[SPOKEN]) as socket:  # type: ignore[list-item]
        assert not socket.protocol.extensions, "what is told to many is not compressed for each"
        await say(socket, type="connection_init", payload={"key": customer.credential.key})
        assert await hear(socket) == {"type": "connection_ack"}
        await say(socket, type="subscribe", id="1", payload=CHANGED)
        await eventually(lambda: listens(service, customer), "Redis knows of the listener")
        yield socket


async def listens(service: Service, customer: Customer) -> bool:
    channel = channel_of(customer.credential.organization_id, "test")
    [(_, ears)] = await service.redis.pubsub_numsub(channel)
    return int(ears) > 0


async def heard(socket: ClientConnection, id: str, status: str) -> None:
    """Wait until it was told of the message in this status, in which it stays: a message is told as it is
    when it is read.
    """
    async with asyncio.timeout(PATIENCE):
        while True:
            told: dict[str, Any] = (await hear(socket))["payload"]["data"]["messageChanged"]
            if told == {"id": id, "status": status}:
                return


async def test_what_an_api_and_a_worker_commit_is_told_by_another_api(service: Service) -> None:
    running = await service.up(apis=2, workers=0)
    telling, sending = running.apis
    async with subscribed(service, telling, running.customer) as socket:
        assert running.customer.urls[1] == sending.url
        sent = await running.customer.send("0005", idempotency_key="told-by-another", api=1)
        assert sent.status == 201
        await heard(socket, sent.body["id"], "SENT")
        await service.worker()
        await heard(socket, sent.body["id"], "DELIVERED")


async def test_after_a_restart_of_redis_subscribers_are_told_of_the_gap_and_come_again(
    service: Service,
) -> None:
    running = await service.up(workers=0)
    async with subscribed(service, running.apis[0], running.customer) as socket:
        await service.redis.aclose()
        service.machines.redis.stop()
        try:
            assert (await running.customer.send("0005", idempotency_key="while-away")).status == 201
        finally:
            service.machines.redis.start()
        with pytest.raises(ConnectionClosed) as ended:
            while True:
                await socket.recv()
        assert ended.value.rcvd is not None
        assert ended.value.rcvd.code == 1013
    async with subscribed(service, running.apis[0], running.customer) as socket:
        keys, sent_ids = itertools.count(), set[str]()

        async def told() -> bool:
            """Notices of the first moment may still be lost: the API leaves Redis alone for a
            while.
            """
            sent = await running.customer.send("0005", idempotency_key=f"again-{next(keys)}")
            sent_ids.add(sent.body["id"])
            try:
                async with asyncio.timeout(1):  # what comes later is heard by the next try
                    told = (await hear(socket))["payload"]["data"]["messageChanged"]
                    return told["id"] in sent_ids
            except TimeoutError:
                return False

        await eventually(told, "the subscriber is told again")


async def test_an_api_that_stops_lets_its_subscribers_go_and_ends(service: Service) -> None:
    api = await service.api()
    customer = Customer(service.http, api.url, credential=service._known)
    async with subscribed(service, api, customer) as socket:
        api.send(signal.SIGTERM)
        with pytest.raises(ConnectionClosed) as ended:
            await socket.recv()
        assert ended.value.rcvd is not None
        assert ended.value.rcvd.code == 1012
        assert await api.ended() == 0

    assert not await listens(service, customer)
    (closed,) = [orjson.loads(line) for line in api.lines.splitlines() if '"socket_closed"' in line]
    assert closed["organization_id"] == customer.credential.organization_id
    assert not [
        line
        for line in api.lines.splitlines()
        if '"level": "error"' in line or '"level":"error"' in line
    ]
