"""PostgreSQL restarted, crashed, away or full: problems meanwhile, and afterwards the books are
right.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import asyncpg
import psutil
import pytest

from cli.embedded.postgres import StopMode
from core.foundation.database.db import CONNECT_TIMEOUT_SECONDS
from tests.support.books import (
    check_deliveries,
    check_messages,
    everything_is_settled,
    no_transaction_is_left_open,
)
from tests.support.customer import Answer, Customer, under_load
from tests.support.receiver import Receiver
from tests.support.service import Running, Service
from tests.support.waiting import eventually

BUSY = 24
"""Requests at once; many more than the two connections of the pool."""


@pytest.mark.parametrize("mode", ["fast", "immediate"])
async def test_a_restart_of_postgres_under_load_is_survived_and_nothing_is_lost(
    service: Service, receiver: Receiver, mode: StopMode
) -> None:
    running = await service.up(short_lease=True)
    await running.customer.subscribe(receiver)

    async with under_load(running.customer) as load:
        for _ in range(3):
            await load.more(40)
            await asyncio.to_thread(service.machines.postgres.restart, mode)
        await load.more(40)

    assert not load.cut_off
    assert set(load.refused()) <= {(503, "SERVICE_UNAVAILABLE")}
    await nothing_was_lost(service, running, receiver, load.accepted)


async def test_while_postgres_is_away_the_api_answers_503_with_retry_after_and_uses_up_no_key(
    service: Service, receiver: Receiver
) -> None:
    running = await service.up(short_lease=True)
    (api,), customer = running.apis, running.customer
    await customer.subscribe(receiver)
    postgres = service.machines.postgres

    async with under_load(customer) as load:
        await load.more(20)
        await asyncio.to_thread(postgres.stop)
        try:
            await eventually(lambda: len(load.refusals) >= 50, "the API refuses")
            late = await customer.send("0005", idempotency_key="late")
            listed = await customer.call("GET", "/v2/sms/messages")
            hooks = await customer.call("GET", "/webhooks")
            ready = await customer.call("GET", "/readyz")
            alive = await customer.call("GET", "/healthz")
        finally:
            await asyncio.to_thread(postgres.start)
        await load.more(20)

    for refused in (late, listed, hooks, *load.refusals):
        assert is_outage(refused), refused
    assert (ready.status, alive.status) == (503, 200)
    again = await first_accepted(customer, "late")
    assert (again.status, again.body["replayed"]) == (201, False)
    assert not api.logged("unexpected")
    await nothing_was_lost(service, running, receiver, {**load.accepted, "late": again.body})


async def test_a_postgres_that_takes_no_more_connections_is_answered_with_503(
    service: Service,
) -> None:
    running = await service.up(workers=0)
    (api,), customer = running.apis, running.customer
    books = await service.books()
    crowd: list[asyncpg.Connection[asyncpg.Record]] = []

    async def full() -> bool:
        with suppress(asyncpg.TooManyConnectionsError):
            crowd.append(await asyncpg.connect(service.environment["DATABASE_URL"]))
            return False
        return True

    try:
        await eventually(full, "PostgreSQL is full", every=0)
        await books.execute(CUT_OFF)
        await eventually(full, "PostgreSQL is full again", every=0)
        refused = await customer.send("0005", idempotency_key="k")
    finally:
        for connection in crowd:
            connection.terminate()

    assert is_outage(refused), refused
    assert not api.logged("unexpected")

    await eventually(lambda: works(customer), "the API recovers")
    again = await first_accepted(customer, "k")
    assert (again.status, again.body["replayed"]) == (201, False)


async def test_a_postgres_that_hangs_is_answered_with_503_within_seconds(service: Service) -> None:
    running = await service.up(workers=0)
    (api,), customer = running.apis, running.customer
    books = await service.books()

    with hanging(service.machines.postmaster()):
        await books.execute(CUT_OFF)
        async with asyncio.timeout(3 * CONNECT_TIMEOUT_SECONDS):
            refusals = await asyncio.gather(
                *(customer.send("0005", idempotency_key=f"k-{number}") for number in range(BUSY))
            )

    assert all(is_outage(refused) for refused in refusals), refusals
    assert not api.logged("unexpected")
    await eventually(lambda: works(customer), "the API recovers")
    answers = [await first_accepted(customer, f"k-{number}") for number in range(BUSY)]
    assert {(answer.status, answer.body["replayed"]) for answer in answers} == {(201, False)}


async def test_connections_cut_off_again_and_again_leave_the_pool_whole(service: Service) -> None:
    running = await service.up(workers=0)
    (api,), customer = running.apis, running.customer
    books = await service.books()

    async with under_load(customer) as load:
        for _ in range(25):
            await load.more(3)
            await books.execute(CUT_OFF)
        await load.more(3)

    assert not load.cut_off
    assert set(load.refused()) <= {(503, "SERVICE_UNAVAILABLE")}
    assert not api.logged("unexpected")
    await the_pool_is_whole(customer)
    await no_transaction_is_left_open(books)


async def nothing_was_lost(
    service: Service, running: Running, receiver: Receiver, accepted: dict[str, dict[str, Any]]
) -> None:
    books = await service.books()
    await everything_is_settled(books)
    await check_messages(books, accepted)
    await check_deliveries(books, receiver)
    assert all(process.running for process in (*running.apis, *running.workers)), (
        "nobody had to be started again"
    )
    assert not running.workers[0].logged("pump_failed")
    await the_pool_is_whole(running.customer)
    await no_transaction_is_left_open(books)


async def the_pool_is_whole(customer: Customer) -> None:
    """Far more requests at once than there are connections are all answered, as soon as the machine is quick
    enough for those that wait for a second at most.
    """

    async def all_are_answered() -> bool:
        answers = await asyncio.gather(
            *(customer.call("GET", "/v2/sms/messages?limit=1") for _ in range(BUSY))
        )
        return {answer.status for answer in answers} == {200}

    await eventually(all_are_answered, "every connection of the pool is of use")


async def first_accepted(customer: Customer, key: str) -> Answer:
    """The answer that settles a send. A connection that was being opened while the database was away
    may end a little later, and refuse meanwhile.
    """
    answers: list[Answer] = []

    async def settles() -> bool:
        answers.append(await customer.send("0005", idempotency_key=key))
        return not is_outage(answers[-1])

    await eventually(settles, "a send is no longer refused")
    return answers[-1]


async def works(customer: Customer) -> bool:
    """Whether the API reaches its database."""
    return (await customer.call("GET", "/v2/sms/messages?limit=1")).status == 200


def is_outage(answer: Answer) -> bool:
    return (
        answer.status == 503
        and answer.body["code"] == "SERVICE_UNAVAILABLE"
        and answer.headers["Content-Type"] == "application/problem+json"
        and int(answer.headers["Retry-After"]) >= 1
    )


@contextmanager
def hanging(postmaster: psutil.Process) -> Iterator[None]:
    """New connections get no answer while the block runs; those that are open go on."""
    postmaster.suspend()
    try:
        yield
    finally:
        postmaster.resume()


# Waits until each is gone, at most five seconds: the signal alone would end one at some later moment.
CUT_OFF = """
SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
WHERE datname = current_database() AND application_name = 'svc'
"""
