"""The feed of a database that was copied: what was lost is said, what survived goes on, and a
restart is nothing.
"""

import asyncio
import signal
from typing import Any

from tests.support.customer import Customer
from tests.support.service import Service
from tests.support.waiting import eventually


async def happen(customer: Customer, *numbers: int) -> None:
    """So many events, one after the other: `contact.created`."""
    for number in numbers:
        body = {"phone": f"+55119810{number:05}", "source": "api"}
        answer = await customer.call("POST", "/contacts", body, api=0)
        assert answer.status == 201, answer


async def told(customer: Customer, cursor: str = "") -> tuple[list[str], str]:
    """The ids of all events behind a cursor, and the cursor behind the last of them."""
    ids: list[str] = []
    while True:
        answer = await ask(customer, cursor)
        assert answer.status == 200, answer
        ids += [event["id"] for event in answer.body["items"]]
        cursor = answer.body["nextCursor"]
        if not answer.body["hasMore"]:
            return ids, cursor


async def ask(customer: Customer, cursor: str) -> Any:
    where = f"&cursor={cursor}" if cursor else ""
    return await customer.call("GET", f"/v2/event-feed?limit=200{where}", api=0)


async def all_told(customer: Customer, count: int, cursor: str = "") -> tuple[list[str], str]:
    """As `told`, once there are so many."""
    found: tuple[list[str], str] = ([], "")

    async def are_there() -> bool:
        nonlocal found
        found = await told(customer, cursor)
        return len(found[0]) == count

    await eventually(are_there, lambda: f"{count} events are told, not {len(found[0])}")
    return found


async def begun(customer: Customer) -> tuple[list[str], str]:
    """All that is told after a first event of ours, and behind it: what was there before comes
    earlier.
    """
    await happen(customer, 0)

    async def it_is_told() -> bool:
        items: list[dict[str, Any]] = (await ask(customer, "")).body["items"]
        return "contact.created" in [event["type"] for event in items]

    await eventually(it_is_told, "the first event is told")
    return await told(customer)


async def test_a_copy_that_lacks_the_last_events_says_so_and_goes_on(service: Service) -> None:
    running = await service.up()
    customer = running.customer
    earlier, _ = await begun(customer)
    await happen(customer, *range(1, 6))
    kept, within = await all_told(customer, len(earlier) + 5)

    for process in (*running.apis, *running.workers):
        await process.kill()
    copy = await service.copy_of_the_database()
    customer = (await service.up()).customer
    await happen(customer, *range(6, 11))
    lost, ahead = await all_told(customer, 5, within)

    there = {"DATABASE_URL": copy}
    api, _ = await asyncio.gather(service.api(settings=there), service.worker(settings=there))
    on_the_copy = Customer(service.http, api.url, credential=customer.credential)
    for number in (20, 30):  # at first it knows fewer events than were lost, then more
        refused = await ask(on_the_copy, ahead)
        assert (refused.status, refused.body["meta"]["code"]) == (410, "CURSOR_PERDIDO")
        await happen(on_the_copy, *range(number, number + 4))
    new, _ = await all_told(on_the_copy, 8, refused.body["meta"]["cursor"])

    assert not set(new) & {*kept, *lost}
    assert (await told(on_the_copy, within))[0] == new
    assert (await told(on_the_copy))[0] == [*kept, *new]


async def test_a_restart_of_the_server_is_not_noticed(service: Service) -> None:
    customer = (await service.up()).customer
    earlier, cursor = await begun(customer)
    await asyncio.to_thread(service.machines.postgres.restart)

    async def it_answers() -> bool:
        return bool((await ask(customer, cursor)).status == 200)

    await eventually(it_answers, "the API is back")
    await happen(customer, *range(10, 13))

    new, _ = await all_told(customer, 3, cursor)
    assert not set(new) & set(earlier)


async def test_a_frozen_worker_holds_up_nobody(service: Service) -> None:
    running = await service.up(workers=2)
    customer = running.customer
    earlier, cursor = await begun(customer)
    for number in range(1, 13):
        worker = running.workers[number % 2]
        await happen(customer, number)
        worker.send(signal.SIGSTOP)
        await all_told(customer, number, cursor)
        worker.send(signal.SIGCONT)

    assert len((await told(customer))[0]) == len(earlier) + 12
