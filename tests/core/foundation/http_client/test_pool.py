"""Which connections are kept, for whom, for how long, and how many there are at once."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest

from core.foundation.http_client.client import GuardedClient
from core.foundation.http_client.connection import HttpConnection
from core.foundation.http_client.errors import ClientClosed
from core.foundation.http_client.pool import IDLE_SECONDS, ConnectionPool
from core.foundation.http_client.request_head import HttpOrigin
from tests.core.foundation.http_client.peers import LOCAL_HTTP
from tests.core.foundation.http_client.wire import Script, Wire, Wired, turns
from tests.support.timeless import Timeless

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
POST = b"POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\nx"
HERE, THERE = HttpOrigin(False, "127.0.0.1", 8080), HttpOrigin(False, "127.0.0.2", 8080)


@dataclass
class House:
    """A pool without a network, and what it has opened."""

    pool: ConnectionPool
    wires: list[Wire]

    async def one(self, origin: HttpOrigin = HERE) -> HttpConnection:
        return await self.pool.acquire(origin, connect_timeout=1)

    async def used(self, origin: HttpOrigin = HERE) -> HttpConnection:
        """A connection on which an exchange is through."""
        connection = await self.one(origin)
        connection.send(POST, most=100)
        await connection.received(100)
        return connection


def in_a_pool(work: Callable[[House], Awaitable[None]], *, limit: int = 2) -> None:
    async def run() -> None:
        connector = Wired(Script([OK]), connecting=1, unsent=0)
        client = GuardedClient(LOCAL_HTTP, connector=connector, limit=limit)
        try:
            await work(House(client.pool, connector.wires))
        finally:
            await client.close()
        assert (client.pool.in_use, client.pool.idle) == (0, 0)
        assert all(wire.closing for wire in connector.wires)

    with asyncio.Runner(loop_factory=Timeless) as runner:
        runner.run(run())


def test_a_connection_is_used_again_for_its_origin_alone() -> None:
    async def work(house: House) -> None:
        first = await house.used()
        house.pool.release(first)
        other = await house.used(THERE)
        assert other is not first
        house.pool.release(other)
        assert await house.one() is first
        house.pool.release(first)

    in_a_pool(work, limit=5)


def test_the_latest_is_used_first_and_what_is_idle_for_long_goes() -> None:
    async def work(house: House) -> None:
        both = [await house.used(), await house.used()]
        house.pool.release(both[0])
        await asyncio.sleep(IDLE_SECONDS / 2)
        house.pool.release(both[1])
        await asyncio.sleep(IDLE_SECONDS / 2 + 0.1)
        assert [wire.closing for wire in house.wires] == [True, False]
        assert await house.used() is both[1]
        await asyncio.sleep(IDLE_SECONDS)
        assert not house.wires[1].closing, "in use it is not idle"
        house.pool.release(both[1])
        await asyncio.sleep(IDLE_SECONDS + 0.1)
        assert house.wires[1].closing
        assert house.pool.idle == 0

    in_a_pool(work)


def test_an_idle_connection_makes_room_for_another_origin() -> None:
    async def work(house: House) -> None:
        house.pool.release(await house.used())
        house.pool.release(await house.used(THERE))
        third = await house.one(HttpOrigin(False, "127.0.0.3", 8080))
        await turns(1)
        assert [wire.closing for wire in house.wires] == [True, False, False]
        house.pool.release(third)

    in_a_pool(work)


def test_who_comes_too_late_waits_in_turn_and_gets_the_connection_that_fits() -> None:
    async def work(house: House) -> None:
        first, second = await house.used(), await house.used()
        waiting = [asyncio.create_task(house.one(origin)) for origin in (HERE, THERE, HERE)]
        await turns(5)
        assert not any(task.done() for task in waiting)
        house.pool.release(first)
        assert await waiting[0] is first
        house.pool.release(second)  # the next one goes elsewhere: it needs the place alone
        other = await waiting[1]
        assert other is not second
        assert len(house.wires) == 3
        assert not waiting[2].done()
        house.pool.release(other)  # nothing was sent on it
        third = await waiting[2]
        assert sum(not wire.closing for wire in house.wires) == 2
        house.pool.release(first)
        house.pool.release(third)

    in_a_pool(work)


@pytest.mark.parametrize("released_first", [False, True])
def test_who_gives_up_waiting_passes_his_turn_on(released_first: bool) -> None:
    async def work(house: House) -> None:
        only = await house.used()
        impatient, patient = asyncio.create_task(house.one()), asyncio.create_task(house.one())
        await turns(3)
        if released_first:
            house.pool.release(only)
            impatient.cancel()
        else:
            impatient.cancel()
            await turns(2)
            house.pool.release(only)
        assert await patient is only
        assert impatient.cancelled()
        house.pool.release(only)
        assert house.pool.in_use == 0

    in_a_pool(work, limit=1)


def test_a_connection_that_fails_to_come_about_gives_its_place_back() -> None:
    async def work(house: House) -> None:
        async def fails(*_: object) -> HttpConnection:
            await turns(2)
            raise ConnectionRefusedError

        pool = ConnectionPool(fails, limit=1)
        attempts = (pool.acquire(HERE, connect_timeout=1) for _ in range(3))
        ends = await asyncio.gather(*attempts, return_exceptions=True)
        assert [type(end) for end in ends] == [ConnectionRefusedError] * 3
        assert pool.in_use == 0

    in_a_pool(work)


def test_what_the_peer_ends_is_not_kept_and_not_handed_out() -> None:
    async def work(house: House) -> None:
        house.pool.release(await house.used())
        house.wires[0].protocol.eof_received()
        assert house.pool.idle == 0
        waits = await house.used()
        late = asyncio.create_task(house.one())
        await turns(3)
        house.pool.release(waits)  # handed over, and ended before it can be used
        house.wires[1].abort()
        assert await late is not waits
        house.pool.release(late.result())

    in_a_pool(work, limit=1)


def test_whoever_waits_when_the_client_closes_is_told() -> None:
    async def work(house: House) -> None:
        held = await house.used()
        late = asyncio.create_task(house.one())
        await turns(3)
        await house.pool.close()
        with pytest.raises(ClientClosed):
            await late
        with pytest.raises(ClientClosed):
            await house.one()
        house.pool.release(held)

    in_a_pool(work, limit=1)
