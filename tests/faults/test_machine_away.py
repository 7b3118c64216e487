"""A machine of Citus ends, or falls silent, with the cells that it holds: their organizations are told 503, those of
the other machine work on, and with the machine back everything goes on by itself.

They run where the tests have a cluster (`make test-citus`).
"""

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest

from tests.faults.test_cell_away import a_customer_of
from tests.faults.test_postgres import is_outage, nothing_was_lost
from tests.support import citus
from tests.support.books import check_messages, everything_is_settled
from tests.support.customer import Customer, under_load
from tests.support.receiver import Receiver
from tests.support.service import Running, Service
from tests.support.waiting import eventually

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(citus.home() is None, reason="SVC_TEST_CITUS names no cluster"),
]

REQUEST_SECONDS = 10
SOON = {
    "SVC_STATEMENT_SECONDS": "8",
    "SVC_IDLE_TRANSACTION_SECONDS": "4",
    "SVC_POOL_WAIT_SECONDS": "2",
    "SVC_REQUEST_SECONDS": str(REQUEST_SECONDS),
}
"""Seconds where an installation has tens of them."""
READY_SECONDS = 5.0
"""In which a balancer wants to hear of `/readyz`."""


@asynccontextmanager
async def crashed(machine: citus.Machine) -> AsyncIterator[None]:
    """It has ended meanwhile, without a word."""
    await asyncio.to_thread(machine.stop, "immediate")
    try:
        yield
    finally:
        await asyncio.to_thread(machine.start)


@asynccontextmanager
async def frozen(machine: citus.Machine) -> AsyncIterator[None]:
    """It takes connections meanwhile, and answers nothing."""
    with machine.frozen():
        yield


@pytest.mark.parametrize("trouble", [crashed, frozen])
async def test_organizations_of_the_other_machine_work_on_and_all_do_when_it_is_back(
    service: Service,
    receiver: Receiver,
    trouble: Callable[[citus.Machine], AbstractAsyncContextManager[None]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert service.machine is not None
    api, worker = await asyncio.gather(
        service.api(settings=SOON), service.worker(short_lease=True, settings=SOON)
    )
    there = Customer(service.http, api.url, credential=service._known)
    here = await a_customer_of(service, api, "main")
    await there.subscribe(receiver)

    async with under_load(there, lanes=2) as away, under_load(here, lanes=1) as home:
        await away.more(20)
        await home.more(5)
        home.slowest = 0.0
        async with trouble(service.machine):
            away.slowest = 0.0
            await eventually(lambda: len(away.refusals) >= 20, "the API refuses")
            before = len(home.accepted)
            await home.more(30)
            took = await degraded(here)
            (told,) = (await service.svc("cell", "list"))["items"]
            assert (told["name"], told["up"]) == (service.cell, False)
            refused, slowest, accepted = away.slowest, home.slowest, len(home.accepted) - before
        back = time.monotonic()
        await away.more(20)
        back = time.monotonic() - back

    name = "crashed" if trouble is crashed else "frozen"
    with capsys.disabled():
        sys.stdout.write(
            f"\n{name}: {len(away.refusals)} refused, each within {refused:.1f} s; beside them {accepted} were accepted, "
            f"the slowest in {slowest:.1f} s; /readyz took {took:.1f} s; 20 more {back:.1f} s later\n"
        )
    assert not home.refusals
    assert not home.cut_off
    assert not away.cut_off
    assert [answer for answer in away.refusals if not is_outage(answer)] == []
    assert took < READY_SECONDS
    running = Running([api], [worker], there)
    await nothing_was_lost(service, running, receiver, away.accepted)
    books = await service.at_home()
    await everything_is_settled(books)
    await check_messages(books, home.accepted)


async def degraded(customer: Customer) -> float:
    """Wait until `/readyz` names the cell: the seconds that its slowest answer took."""
    slowest = 0.0

    async def is_named() -> bool:
        nonlocal slowest
        began = time.monotonic()
        answer = await customer.call("GET", "/readyz")
        slowest = max(slowest, time.monotonic() - began)
        assert answer.status == 200, answer
        return "cell:south" in answer.body.get("degraded", ())

    await eventually(is_named, "the cell is named", every=0.5)
    return slowest


async def test_without_the_machine_of_the_home_nobody_is_served(service: Service) -> None:
    assert service.home_machine is not None
    running = await service.up(short_lease=True)
    (api,), customer = running.apis, running.customer
    assert (await customer.send("0005", idempotency_key="before")).status == 201

    async with crashed(service.home_machine):
        await eventually(lambda: says(customer, 503), "it is not ready")
        refused = await customer.call("GET", "/readyz")
        assert "does not answer" in refused.body["detail"]
    await eventually(lambda: says(customer, 200), "it is ready again")
    assert (await customer.send("0005", idempotency_key="after")).status == 201
    assert not api.logged("unexpected")


async def says(customer: Customer, status: int) -> bool:
    return (await customer.call("GET", "/readyz")).status == status
