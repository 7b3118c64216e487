"""kill -9 of the API: whoever repeats a request with its key gets one message, paid once."""

import asyncio
import random
from collections.abc import Coroutine
from typing import Any

import aiohttp
import pytest

from tests.support import citus
from tests.support.books import (
    Connection,
    check_deliveries,
    check_messages,
    everything_is_settled,
    no_transaction_is_left_open,
)
from tests.support.customer import Answer, Customer, under_load
from tests.support.held_up import GATE, OURS, hold_back_commits, locked, waiting_for_locks
from tests.support.receiver import Receiver
from tests.support.service import Api, Service
from tests.support.waiting import eventually

LIST = ("POST", "/v2/lists", {"name": "Novembro"})
KEYED = {"Idempotency-Key": "k"}


async def test_an_api_killed_before_it_writes_leaves_nothing_and_the_repeat_is_a_new_send(
    service: Service,
) -> None:
    running = await service.up(workers=0)
    (api,), customer = running.apis, running.customer
    books = await service.books()

    async with locked(
        await service.books(), "LOCK TABLE idempotency_keys IN ACCESS EXCLUSIVE MODE"
    ):
        await killed_while_it_waits(api, customer, books)
    await eventually(lambda: nobody_else(books), "what the API had open is gone")

    assert await books.fetchval("SELECT count(*) FROM messages") == 0
    assert await books.fetchval("SELECT count(*) FROM idempotency_keys") == 0
    assert (
        await books.fetchval("SELECT count(*) FROM wallet_transfers WHERE kind <> 'credito'") == 0
    )
    await service.api(port=api.port)
    answer = await customer.send("0005", idempotency_key="k")
    assert (answer.status, answer.body["replayed"]) == (201, False)


async def test_an_api_killed_while_it_writes_has_written_all_or_nothing_and_the_repeat_settles_it(
    service: Service,
) -> None:
    running = await service.up(workers=0)
    (api,), customer = running.apis, running.customer
    books = await service.books()

    async with locked(await service.books()):
        await killed_while_it_waits(api, customer, books)
    await eventually(lambda: nobody_else(books), "what the API had open is gone")
    written = await books.fetchval("SELECT count(*) FROM messages")

    await service.api(port=api.port)
    answer = await customer.send("0005", idempotency_key="k")
    assert (answer.status, answer.body["replayed"]) == (201, written == 1)
    await service.worker()
    await everything_is_settled(books)
    await check_messages(books, {"k": answer.body})


async def test_an_api_killed_while_it_commits_answers_the_repeat_with_the_first_message(
    service: Service,
) -> None:
    running = await service.up()
    (api,), customer = running.apis, running.customer
    books, gate = await service.books(), await service.rows()
    await killed_while_it_commits(
        customer.send("0005", idempotency_key="k"), api, books, gate, "messages"
    )

    await service.api(port=api.port)
    answer = await customer.send("0005", idempotency_key="k")
    assert (answer.status, answer.body["replayed"]) == (201, True)
    await everything_is_settled(books)
    await check_messages(books, {"k": answer.body})


async def test_an_api_killed_between_a_use_case_and_its_key_leaves_neither_and_the_repeat_is_done(
    service: Service,
) -> None:
    running = await service.up(workers=0)
    (api,), customer = running.apis, running.customer
    books = await service.books()

    # Keys can be read and not written: the list is stored, and what is to be remembered of it
    # waits.
    async with locked(await service.books(), "LOCK TABLE idempotency_keys IN SHARE MODE"):
        making = asyncio.create_task(customer.call(*LIST, headers=KEYED))
        await eventually(
            lambda: claiming(books), "the list is stored, and its key is being written"
        )
        await api.kill()
        with pytest.raises(aiohttp.ClientError):
            await making
    await eventually(lambda: nobody_else(books), "what the API had open is gone")

    assert await books.fetchval("SELECT count(*) FROM contact_lists") == 0
    assert await books.fetchval("SELECT count(*) FROM idempotency_keys") == 0
    await service.api(port=api.port)
    answer = await customer.call(*LIST, headers=KEYED)
    assert (answer.status, "idempotent-replayed" in answer.headers) == (201, False)


async def test_an_api_killed_while_a_use_case_commits_answers_the_repeat_with_what_it_did(
    service: Service,
) -> None:
    running = await service.up(workers=0)
    (api,), customer = running.apis, running.customer
    books, gate = await service.books(), await service.rows()
    await killed_while_it_commits(
        customer.call(*LIST, headers=KEYED), api, books, gate, "contact_lists"
    )

    await service.api(port=api.port)
    answer = await customer.call(*LIST, headers=KEYED)
    assert (answer.status, answer.headers.get("idempotent-replayed")) == (201, "true")
    assert answer.body["id"] == await books.fetchval("SELECT id FROM contact_lists")


async def test_whatever_moment_the_api_is_killed_at_each_key_becomes_one_message_paid_once(
    service: Service, receiver: Receiver
) -> None:
    running = await service.up()
    (api,), customer = running.apis, running.customer
    await customer.subscribe(receiver)

    async with under_load(customer) as load:
        for _ in range(4):
            await load.more(random.randint(5, 40))
            await asyncio.sleep(random.uniform(0, 0.02))  # anywhere between two answers
            await api.kill()
            api = await service.api(port=api.port)
        await load.more(20)

    assert load.cut_off
    assert not load.refused()
    books = await service.books()
    await everything_is_settled(books)
    await check_messages(books, load.accepted)
    await check_deliveries(books, receiver)
    await no_transaction_is_left_open(books)


async def killed_while_it_waits(api: Api, customer: Customer, books: Connection) -> None:
    """Send, and kill the API when it waits for a lock."""
    sending = asyncio.create_task(customer.send("0005", idempotency_key="k"))
    await eventually(lambda: waiting_for_locks(books), "the send waits")
    await api.kill()
    with pytest.raises(aiohttp.ClientError):
        await sending


async def killed_while_it_commits(
    request: Coroutine[Any, Any, Answer], api: Api, books: Connection, gate: Connection, table: str
) -> None:
    """Kill the API while the commit of a row waits, and let the commit take effect then."""
    await hold_back_commits(books, table)
    await gate.execute("SELECT pg_advisory_lock($1)", GATE)
    sending = asyncio.create_task(request)
    await eventually(lambda: waiting_for_locks(books), "the commit waits at the gate")
    await api.kill()
    with pytest.raises(aiohttp.ClientError):
        await sending
    await gate.execute("SELECT pg_advisory_unlock($1)", GATE)
    await eventually(
        lambda: books.fetchval(f"SELECT count(*) FROM {table}"), "the commit takes effect"
    )


async def claiming(books: Connection) -> bool:
    """Whether a connection of the service waits in the statement that writes keys down."""
    return bool(await books.fetchval(CLAIMING))


CLAIMING = f"""
SELECT count(*) FROM {citus.activity()} WHERE datname = current_database() AND usename = current_user
AND wait_event_type = 'Lock' AND query LIKE '%INTO idempotency_keys%'
"""


async def nobody_else(books: Connection) -> bool:
    """Whether no connection of the service is left."""
    count: int = await books.fetchval(f"SELECT count(*) FROM ({OURS})")
    return count == 0
