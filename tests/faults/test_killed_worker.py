"""kill -9 of the worker: what it had begun is begun again; SIGTERM: what it has begun is finished."""

import asyncio
import random

from tests.support.books import (
    check_deliveries,
    check_messages,
    everything_is_settled,
    no_transaction_is_left_open,
)
from tests.support.customer import under_load
from tests.support.receiver import Receiver
from tests.support.service import Service
from tests.support.waiting import eventually


async def test_whatever_moment_the_worker_is_killed_at_no_report_and_no_webhook_is_lost(
    service: Service, receiver: Receiver
) -> None:
    running = await service.up(short_lease=True)
    (worker,), customer = running.workers, running.customer
    await customer.subscribe(receiver)

    async with under_load(customer) as load:
        for _ in range(4):
            arrived = len(receiver.arrivals)
            await eventually(lambda: len(receiver.arrivals) > arrived, "the worker delivers")  # noqa: B023
            await load.more(random.randint(1, 30))
            await asyncio.sleep(random.uniform(0, 0.05))  # anywhere in its work
            await worker.kill()
            worker = await service.worker(short_lease=True)

    assert not load.refused()
    books = await service.books()
    await everything_is_settled(books)
    await check_messages(books, load.accepted)
    await check_deliveries(books, receiver)
    await no_transaction_is_left_open(books)


async def test_deliveries_of_a_worker_killed_while_posting_are_posted_by_the_next_one(
    service: Service, receiver: Receiver
) -> None:
    running = await service.up(short_lease=True)
    (worker,), customer = running.workers, running.customer
    await customer.subscribe(receiver)

    # As many as a receiver gets at once of which nothing is known yet.
    receiver.hold()
    for number in range(4):
        assert (await customer.send("0005", idempotency_key=f"k-{number}")).status == 201
    await eventually(lambda: receiver.waiting == 4, "four posts are under way")
    await worker.kill()
    receiver.release()
    await service.worker(short_lease=True)

    books = await service.books()
    await everything_is_settled(books)
    await check_deliveries(books, receiver)
    assert len(receiver.arrivals) == 8
    assert await books.fetchval("SELECT sum(attempts) FROM webhook_deliveries") == 4


async def test_a_worker_told_to_stop_writes_down_what_it_has_begun_and_begins_no_more(
    service: Service, receiver: Receiver
) -> None:
    running = await service.up()
    (worker,), customer = running.workers, running.customer
    await customer.subscribe(receiver)

    async with under_load(customer) as load:
        await eventually(lambda: len(receiver.arrivals) >= 30, "the worker delivers")
        receiver.hold()
        await eventually(lambda: receiver.waiting >= 5, "some posts are under way")
        stopping = asyncio.create_task(worker.terminate())
        await eventually(lambda: worker.logged("worker_stopping"), "the worker has heard it")
        await load.more(20)
        receiver.release()
        status, _ = await stopping

    assert status == 0
    books = await service.books()
    delivered = {
        row["id"]
        for row in await books.fetch("SELECT id FROM webhook_deliveries WHERE status = 'entregue'")
    }
    assert delivered == set(receiver.answered)
    assert (
        await books.fetchval("SELECT count(*) FROM webhook_deliveries WHERE due_at > now()") == 0
    ), "no lease is left"
    assert await books.fetchval("SELECT count(*) FROM sandbox_reports") >= 20, (
        "later reports wait for the next worker"
    )

    await service.worker()
    await everything_is_settled(books)
    await check_messages(books, load.accepted)
    await check_deliveries(books, receiver)
    assert len(receiver.arrivals) == len(load.accepted), "nothing was delivered twice"


async def test_an_idle_worker_told_to_stop_ends_at_once(service: Service) -> None:
    worker = await service.worker()
    status, seconds = await worker.terminate()
    assert status == 0
    assert seconds < 10, "it waits for nothing"
