"""`svc listen` and the service itself: nothing lost and nothing twice, whatever happens to the API
meanwhile.
"""

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from tests.support.customer import Customer
from tests.support.listen_command import Listening, listening
from tests.support.receiver import Receiver, a_receiver, signed_by
from tests.support.service import Service
from tests.support.subscriptions import standard_accepts
from tests.support.waiting import eventually

PHONES = (f"+55119{number}" for number in itertools.count(81000000))


async def a_contact(customer: Customer) -> None:
    """Something happens: `contact.created`."""
    answer = await customer.call(
        "POST", "/contacts", {"phone": next(PHONES), "source": "api"}, api=0
    )
    assert answer.status == 201, answer


async def the_feed(service: Service, customer: Customer) -> list[dict[str, Any]]:
    """Every event that has happened, as the service tells it to whoever asks by himself."""
    books = await service.books()

    async def has_everything() -> bool:
        return not await books.fetchval("SELECT EXISTS (SELECT FROM webhook_feed_queue)")

    await eventually(has_everything, "the worker has given every event its position")
    items: list[dict[str, Any]] = []
    where = ""
    while True:
        answer = await customer.call("GET", f"/v2/event-feed?limit=200{where}", api=0)
        assert answer.status == 200, answer
        items += answer.body["items"]
        if not answer.body["hasMore"]:
            return items
        where = f"&cursor={answer.body['nextCursor']}"


async def test_events_arrive_as_deliveries_do_and_nothing_from_before(
    service: Service, receiver: Receiver
) -> None:
    running = await service.up()
    customer = running.customer
    await a_contact(customer)
    before = await the_feed(service, customer)

    async with listening(customer.urls[0], receiver.url, key=customer.credential.key) as run:
        first = await run.begun()
        await customer.send("0005", idempotency_key="k")
        await a_contact(customer)
        await eventually(lambda: len(run.lines) == 3, "a message and a contact are told")
        status, said = await run.stop()

    assert (status, said) == (0, "stopped; 2 forwarded\n")
    assert first == {
        "listening": customer.urls[0],
        "forwardTo": receiver.url,
        "secret": first["secret"],
    }
    assert receiver.events() == (await the_feed(service, customer))[len(before) :]
    assert {event["type"] for event in receiver.events()} == {"sms.delivered", "contact.created"}
    for arrival, line in zip(receiver.arrivals, run.lines[1:], strict=True):
        assert signed_by(first["secret"], arrival)
        assert standard_accepts(first["secret"], arrival)
        event = arrival.event
        assert line == {"id": event["id"], "type": event["type"], "timestamp": event["timestamp"],
                        "statusCode": 200, "latencyMs": line["latencyMs"]}  # fmt: skip


async def test_it_outlives_a_restart_of_the_api_and_tells_everything_once(
    service: Service, receiver: Receiver
) -> None:
    """What happens meanwhile comes through another API of the same service."""
    heard, other, _ = await asyncio.gather(service.api(), service.api(), service.worker())
    customer = Customer(service.http, other.url, credential=service._known)
    before = await the_feed(service, customer)

    async with listening(heard.url, receiver.url, key=customer.credential.key) as run:
        await run.begun()
        async with under_way(customer):
            await eventually(lambda: receiver.arrivals, "something is told")
            await heard.kill()
            await eventually(lambda: "does not answer" in run.said, "it misses the service")
            told = len(receiver.arrivals)
            await service.api(port=heard.port)
            await eventually(
                lambda: len(receiver.arrivals) > told, lambda: f"it goes on\n{run.said}"
            )
        events = (await the_feed(service, customer))[len(before) :]
        await eventually(lambda: len(run.lines) > len(events), "all of it is told")
        status, said = await run.stop()

    assert len(events) > 10
    assert receiver.events() == events
    assert (status, said.splitlines()[-1]) == (0, f"stopped; {len(events)} forwarded")


@asynccontextmanager
async def under_way(customer: Customer) -> AsyncIterator[None]:
    """While the block runs, contacts are made one after the other."""

    async def keep_making() -> None:
        while True:
            await a_contact(customer)
            await asyncio.sleep(0.05)

    task = asyncio.create_task(keep_making())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def test_what_the_address_refuses_or_misses_is_told_and_passed(service: Service) -> None:
    api, _ = await asyncio.gather(service.api(), service.worker())
    customer = Customer(service.http, api.url, credential=service._known)
    await the_feed(service, customer)
    async with a_receiver() as receiver:
        receiver.answer = lambda _: 503
        async with listening(api.url, receiver.url, key=customer.credential.key) as run:
            await run.begun()
            await a_contact(customer)
            await eventually(lambda: len(run.lines) == 2, "the refusal is told")
    assert run.lines[1]["statusCode"] == 503
    assert len(receiver.arrivals) == 1

    async with listening(
        api.url, receiver.url, key=customer.credential.key
    ) as run:  # nobody is there any more
        await run.begun()
        await a_contact(customer)
        await a_contact(customer)
        await eventually(lambda: len(run.lines) == 3, "both are told")
    assert [line["error"] for line in run.lines[1:]] == ["unreachable"] * 2


async def a_key(service: Service, *, scopes: str) -> dict[str, Any]:
    owner = ("--org", service._known.organization_id, "--env", "test")
    return await service.svc("key", "create", *owner, "--scopes", scopes)


async def test_a_key_that_may_not_ends_it_with_one_line(
    service: Service, receiver: Receiver
) -> None:
    api, weak, lost = await asyncio.gather(
        service.api(),
        a_key(service, scopes="contacts:read"),
        a_key(service, scopes="webhooks:read"),
    )

    for key, status in ((f"svc_test_{'x' * 36}", 401), ("nonsense", 401), (weak["key"], 403)):
        async with listening(api.url, receiver.url, key=key) as run:
            await refused(run, f"{api.url}/v2/event-feed answers {status}: ")
        assert run.lines == []
        assert key not in run.said

    async with listening(api.url, receiver.url, key=lost["key"]) as run:
        await run.begun()
        await service.svc("key", "revoke", lost["id"])
        await refused(run, f"{api.url}/v2/event-feed answers 401: ")


async def test_an_address_that_is_not_the_services_is_told(
    service: Service, receiver: Receiver
) -> None:
    api = await service.api()
    for url, said in (
        (f"{api.url}/nowhere", f"{api.url}/nowhere/v2/event-feed answers 404: "),
        ("http://127.0.0.1:1", "http://127.0.0.1:1/v2/event-feed does not answer "),
        (
            receiver.url,
            f"{receiver.url}/v2/event-feed does not answer ",
        ),  # with anything that we read
    ):
        async with listening(url, receiver.url) as run:
            await refused(run, said)


async def refused(run: Listening, said: str) -> None:
    """It ends by itself, with one line that begins so."""
    assert (await run.ended())[0] == 1
    assert run.said.startswith(f"svc: {said}")
    assert run.said.count("\n") == 1
