"""Two APIs and two workers on one database: nothing happens twice."""

import asyncio

from tests.support.books import check_deliveries, check_messages, everything_is_settled
from tests.support.customer import ENDINGS
from tests.support.receiver import Receiver
from tests.support.service import Service

MESSAGES = 120


async def test_two_apis_and_two_workers_send_charge_report_and_deliver_each_message_once(
    service: Service, receiver: Receiver
) -> None:
    running = await service.up(apis=2, workers=2)
    customer = running.customer
    await customer.subscribe(receiver)
    endings = list(ENDINGS)
    lanes = asyncio.Semaphore(8)  # more at once than 16 repeats that wait are told to come back: a 409

    async def send_to_both(number: int) -> list[dict[str, object]]:
        """The same key at both APIs at the same time, as a client with an impatient retry does."""
        ending, key = endings[number % len(endings)], f"both-{number}"
        async with lanes:
            answers = await asyncio.gather(
                *(customer.send(ending, idempotency_key=key, metadata={"n": number}, api=api) for api in (0, 1))
            )
        assert [answer.status for answer in answers] == [201, 201]
        return [answer.body for answer in answers]

    pairs = await asyncio.gather(*(send_to_both(number) for number in range(MESSAGES)))

    for first, second in pairs:
        assert first["id"] == second["id"]
        assert {first["replayed"], second["replayed"]} == {True, False}
    books = await service.books()
    await everything_is_settled(books)
    await check_messages(books, {f"both-{number}": dict(pair[0]) for number, pair in enumerate(pairs)})
    await check_deliveries(books, receiver)
    assert len(receiver.arrivals) == MESSAGES, "nothing failed, so nothing was delivered twice"
    assert all(process.running for process in (*running.apis, *running.workers))
