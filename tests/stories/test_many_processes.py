"""Several API processes, on ports of their own and on one together, and several workers on one
database: nothing is done twice, and what is killed in between takes nothing with it.
"""

import asyncio
from collections import Counter
from typing import Any

from tests.support.books import (
    check_deliveries,
    check_messages,
    everything_is_settled,
    no_transaction_is_left_open,
)
from tests.support.customer import ENDINGS, Customer, under_load
from tests.support.processes import Process
from tests.support.receiver import Receiver
from tests.support.scrape import scraped, those_that_serve
from tests.support.service import Api, Service

MESSAGES = 120
OUTCOMES = ("sent", "replayed")


async def up(
    service: Service, *, short_lease: bool = False
) -> tuple[list[Api], list[Process], Customer]:
    """Two APIs alone, one of two processes, three workers, and a customer who calls all of them in
    turn.
    """
    running = await service.up(apis=2, workers=3, short_lease=short_lease)
    apis = [*running.apis, await service.api(processes=2)]
    return (
        apis,
        running.workers,
        Customer(service.http, *(api.url for api in apis), credential=service._known),
    )


async def test_many_apis_and_workers_send_charge_report_and_deliver_each_message_once(
    service: Service, receiver: Receiver
) -> None:
    apis, workers, customer = await up(service)
    await customer.subscribe(receiver)
    endings = list(ENDINGS)
    lanes = asyncio.Semaphore(
        5
    )  # more at once than 16 repeats that wait are told to come back: a 409

    async def send_to_all(number: int) -> list[dict[str, Any]]:
        """The same key at every API at the same time, as a client with an impatient retry does."""
        ending, key = endings[number % len(endings)], f"all-{number}"
        async with lanes:
            answers = await asyncio.gather(
                *(
                    customer.send(ending, idempotency_key=key, metadata={"n": number}, api=api)
                    for api in (0, 1, 2, 2)
                )
            )
        assert [answer.status for answer in answers] == [201] * 4
        return [answer.body for answer in answers]

    answered = await asyncio.gather(*(send_to_all(number) for number in range(MESSAGES)))

    for answers in answered:
        assert len({answer["id"] for answer in answers}) == 1
        assert Counter(answer["replayed"] for answer in answers) == {False: 1, True: 3}
    books = await service.books()
    await everything_is_settled(books)
    await check_messages(
        books, {f"all-{number}": answers[0] for number, answers in enumerate(answered)}
    )
    await check_deliveries(books, receiver)
    assert len(receiver.arrivals) == MESSAGES, "nothing failed, so nothing was delivered twice"
    assert all(process.running for process in (*apis, *workers))
    pages = [await scraped(api.url) for api in apis]
    sends = {
        outcome: sum(page["svc_sends_total", "sms", "test", outcome] for page in pages)
        for outcome in OUTCOMES
    }
    assert sends == {"sent": MESSAGES, "replayed": 3 * MESSAGES}


async def test_with_an_api_a_process_and_a_worker_killed_in_between_each_message_is_still_done_once(
    service: Service, receiver: Receiver
) -> None:
    apis, workers, customer = await up(service, short_lease=True)
    await customer.subscribe(receiver)

    async with under_load(customer, lanes=8) as load:
        await load.reached(60)
        await workers[0].kill()
        await load.more(30)
        await apis[0].kill()
        await load.more(30)
        those_that_serve(apis[2])[0].kill()
        await load.more(60)
        await service.api(port=apis[0].port)
        await load.more(30)

    assert set(load.refused()) <= {(409, "CONFLICT")}, (
        "a key whose first use was cut off may have to be asked again"
    )
    assert load.cut_off
    books = await service.books()
    await everything_is_settled(books)
    await check_messages(books, load.accepted)
    await check_deliveries(books, receiver)
    await no_transaction_is_left_open(books)
    assert all(process.running for process in (*apis[1:], *workers[1:])), "nobody else fell"
