"""Nothing is waited for without end: a silent PostgreSQL, a stopped worker, a pool without a free
connection.
"""

import asyncio
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psutil

from tests.faults.test_postgres import first_accepted, is_outage, the_pool_is_whole, works
from tests.support.books import check_wallets, no_transaction_is_left_open
from tests.support.customer import Answer, Customer
from tests.support.held_up import locked, waiting_for_locks
from tests.support.processes import Process
from tests.support.service import Api, Service
from tests.support.waiting import eventually
from tests.support.wire import Wire, at_port, through_a_wire

BUSY = 24
FREEZES = Path(__file__).parents[1] / "support" / "freezes.py"
SOON = {
    "SVC_STATEMENT_SECONDS": "2",
    "SVC_LOCK_SECONDS": "30",
    "SVC_IDLE_TRANSACTION_SECONDS": "1",
    "SVC_POOL_WAIT_SECONDS": "1",
    "SVC_REQUEST_SECONDS": "2",
}
"""Seconds where an installation has tens of them."""


@asynccontextmanager
async def by_wire(service: Service, **settings: str) -> AsyncIterator[tuple[Api, Customer, Wire]]:
    """An API that reaches PostgreSQL by a way that can fall silent, all of its cells at once."""
    async with through_a_wire(service.environment["DATABASE_URL"]) as (url, wire):
        if service.cell_url is not None:
            await service.lead_to_cell(at_port(service.cell_url, wire.port))
        api = await service.api(settings={**SOON, **settings, "DATABASE_URL": url})
        try:
            yield api, Customer(service.http, api.url, credential=service._known), wire
        finally:
            await api.kill()


async def graphql(customer: Customer, query: str) -> Answer:
    return await customer.call("POST", "/graphql", {"query": query})


async def test_a_postgres_that_falls_silent_is_answered_with_503_and_is_one_line_a_second(
    service: Service,
) -> None:
    async with by_wire(service) as (api, customer, wire):
        await the_pool_is_whole(customer)
        with wire.silent():
            before, started = len(outages(api)), time.monotonic()
            answers = await asyncio.gather(
                *(customer.send("0005", idempotency_key=f"k-{number}") for number in range(BUSY)),
                *(customer.call("GET", "/contacts") for _ in range(BUSY)),
                *(
                    graphql(customer, "{ contacts(first: 2) { nodes { id } } }")
                    for _ in range(BUSY)
                ),
            )
            ready, alive = await asyncio.gather(
                customer.call("GET", "/readyz"), customer.call("GET", "/healthz")
            )
            lines, seconds = len(outages(api)) - before, time.monotonic() - started

        assert [answer for answer in answers if not is_refused(answer)] == []
        assert (ready.status, alive.status) == (503, 200)
        assert not api.logged("unexpected")
        assert lines <= 2 * (seconds + 1), "a line of each kind and second"
        assert lines < len(answers)
        await eventually(lambda: works(customer), "the API recovers")
        again = [await first_accepted(customer, f"k-{number}") for number in range(BUSY)]

    # What was on its way to the server may have arrived after all: the repeat is told of it.
    assert {answer.status for answer in again} == {201}
    assert len({answer.body["id"] for answer in again}) == BUSY
    books = await service.books()
    assert await books.fetchval("SELECT count(*) FROM messages") == BUSY


def outages(api: Process) -> list[dict[str, Any]]:
    """The lines of two kinds that requests write."""
    return [*api.logged("database_away"), *api.logged("took_too_long")]


def is_refused(answer: Answer) -> bool:
    """Over GraphQL too: as a problem with `errors`, or as data with them."""
    if answer.status == 503:
        return (
            answer.body["code"] == "SERVICE_UNAVAILABLE" and int(answer.headers["Retry-After"]) >= 1
        )
    codes = {error["extensions"]["code"] for error in answer.body.get("errors", ())}
    return answer.status == 200 and codes == {"SERVICE_UNAVAILABLE"}


async def test_a_worker_that_is_stopped_with_the_row_of_a_wallet_holds_up_nobody_for_long(
    service: Service,
) -> None:
    api = await service.api()
    customer = Customer(service.http, api.url, credential=service._known)
    books = await service.books()
    worker = await service.worker(script=FREEZES, settings=SOON)
    stopped = psutil.Process(worker.all_of_it[0].pid)

    sent = await customer.call(
        "POST",
        "/v2/rcs/messages",
        {"to": "+5511987650005", "route": "easy_rcs", "content": {"text": "Hello"}},
        headers={"Idempotency-Key": "an rcs"},
    )
    assert sent.status == 201, sent
    await eventually(
        lambda: stopped.status() == psutil.STATUS_STOPPED,
        "the worker stops with the wallet in its hand",
    )
    answers = await asyncio.gather(
        *(customer.send("0005", idempotency_key=f"k-{number}") for number in range(BUSY))
    )
    assert {answer.status for answer in answers} == {201}

    worker.send(signal.SIGCONT)

    async def nothing_is_held() -> bool:
        return not await books.fetchval("SELECT sum(held) FROM wallets")

    await eventually(nothing_is_held, "the worker does what it was stopped in")
    await check_wallets(books)
    assert not worker.logged("pump_failed")
    await no_transaction_is_left_open(books)
    assert await books.fetchval("SELECT count(*) FROM messages") == 1 + BUSY


async def test_a_request_whose_time_is_over_is_undone_and_its_connection_is_free_again(
    service: Service,
) -> None:
    api = await service.api(settings={**SOON, "SVC_STATEMENT_SECONDS": "30"})
    customer = Customer(service.http, api.url, credential=service._known)
    books = await service.books()
    company = {"nome": "ACME"}

    async with locked(await service.books(), "LOCK TABLE companies IN EXCLUSIVE MODE"):
        refused = await customer.call(
            "POST", "/v2/companies", company, headers={"Idempotency-Key": "k"}
        )
        over_graphql = await graphql(
            customer, 'mutation { createCompany(input: {nome: "ACME"}) { id } }'
        )
        await eventually(lambda: nobody_waits(books), "their statements are cancelled")
    assert is_outage(refused), refused
    assert is_refused(over_graphql), over_graphql
    assert over_graphql.body["errors"][0]["extensions"]["code"] == "SERVICE_UNAVAILABLE"
    assert await books.fetchval("SELECT count(*) FROM companies") == 0
    assert await books.fetchval("SELECT count(*) FROM idempotency_keys") == 0

    await the_pool_is_whole(customer)
    made = await customer.call("POST", "/v2/companies", company, headers={"Idempotency-Key": "k"})
    assert made.status == 201, made
    assert "Idempotent-Replayed" not in made.headers


async def nobody_waits(books: Any) -> bool:
    return not await waiting_for_locks(books)


async def test_sends_that_travel_together_end_each_for_itself(service: Service) -> None:
    """One of a batch that is under way gets its 503; the batch stands, and a repeat is told its
    message.
    """
    api = await service.api(settings={**SOON, "SVC_STATEMENT_SECONDS": "30"})
    customer = Customer(service.http, api.url, credential=service._known)
    books = await service.books()

    async with locked(await service.books()):
        refused = await asyncio.gather(
            *(customer.send("0005", idempotency_key=f"k-{number}") for number in range(BUSY))
        )
        assert all(is_outage(answer) for answer in refused), refused

    await the_pool_is_whole(customer)
    again = [await first_accepted(customer, f"k-{number}") for number in range(BUSY)]
    assert {answer.status for answer in again} == {201}
    assert len({answer.body["id"] for answer in again}) == BUSY
    assert await books.fetchval("SELECT count(*) FROM messages") == BUSY
    await no_transaction_is_left_open(books)


async def test_while_all_connections_are_in_use_who_waits_is_told_in_time(service: Service) -> None:
    api = await service.api(
        settings={**SOON, "SVC_STATEMENT_SECONDS": "30", "SVC_REQUEST_SECONDS": "30"}
    )
    customer = Customer(service.http, api.url, credential=service._known)
    holder = await service.books()

    async with locked(holder, "LOCK TABLE companies IN ACCESS EXCLUSIVE MODE"):
        # Two connections, so two of them wait for the lock; the others wait for a connection. Pages of
        # usual limits have connections of their own.
        page = "/v2/companies?limit=7"
        asked = [asyncio.create_task(customer.call("GET", page)) for _ in range(6)]
        done: list[Answer] = []
        for told in asyncio.as_completed(asked):
            done.append(await told)
            if len(done) == 4:
                break
        assert all(is_outage(answer) for answer in done), done
    rest = await asyncio.gather(*asked)
    assert sorted(answer.status for answer in rest) == [200, 200, 503, 503, 503, 503]
