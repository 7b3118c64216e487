"""The drill of docs/high-availability.md: the primary is killed under load, and its standby becomes
the primary.
"""

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import asyncpg
import pytest

from core.foundation.database.db import tortoise_config
from tests.support.books import (
    Connection,
    check_deliveries,
    check_messages,
    everything_is_settled,
    no_transaction_is_left_open,
)
from tests.support.customer import Load, under_load
from tests.support.feed_reader import FeedReader, reading
from tests.support.receiver import Receiver
from tests.support.replicated import Pair, a_pair
from tests.support.service import TEMPLATE, Machines, Running, Service, a_service, migrated
from tests.support.waiting import eventually


@asynccontextmanager
async def a_replicated_service(
    machines: Machines, folder: Path
) -> AsyncIterator[tuple[Service, Pair]]:
    """A service whose database has a standby; both are named in its address."""
    with a_pair(folder / "pair") as pair:
        pair.primary.create_database(TEMPLATE)
        own = Machines(pair.primary, machines.redis, count())
        known = await migrated(own)
        async with a_service(own, known, folder) as service:
            name = service.environment["DATABASE_URL"].partition("?")[0].rpartition("/")[2]
            service.environment["DATABASE_URL"] = pair.address_of(name)
            await eventually(pair.state, "the standby follows")
            yield service, pair
            own.postgres = pair.standby  # which is what is left to be cleared up


async def test_a_promotion_under_load_loses_nothing_that_was_acknowledged(
    machines: Machines, receiver: Receiver, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with a_replicated_service(machines, tmp_path) as (service, pair):
        await pair.wait_for_the_standby()
        await eventually(lambda: is_synchronous(pair), "commits wait for the standby")
        running = await service.up(short_lease=True)
        await running.customer.subscribe(receiver)

        async with reading(running.customer) as reader:
            async with under_load(running.customer) as load:
                await load.more(100)
                seconds = await promoted_under(load, pair)
                await load.more(100)
            books = await service.books()
            await everything_is_settled(books)
            await eventually(lambda: is_told_all(reader, books), "the feed tells every event")

        with capsys.disabled():
            sys.stdout.write(f"\nfrom the promotion to the first 201: {seconds:.2f} s\n")
        nobody_began_anew(running, load)
        assert (len(set(reader.ids)), reader.lost_cursors) == (len(reader.ids), 0), "nothing twice"
        await check_messages(books, load.accepted)
        await check_deliveries(books, receiver)
        await no_transaction_is_left_open(books)


async def test_without_a_synchronous_standby_what_it_had_not_heard_of_is_lost_and_its_keys_are_free_again(
    machines: Machines, receiver: Receiver, tmp_path: Path
) -> None:
    async with a_replicated_service(machines, tmp_path) as (service, pair):
        running = await service.up(short_lease=True)
        customer = running.customer
        await customer.subscribe(receiver)
        async with under_load(customer) as before:
            await before.more(20)
        await pair.heard_of_all()

        await pair.cut_off()
        async with reading(customer) as reader:
            lost = await customer.send("0005", idempotency_key="lost")
            assert lost.status == 201
            await eventually(
                lambda: is_told(reader, lost.body["id"]), "the feed tells what will be lost"
            )
            sleeper = FeedReader(customer, cursor=reader.cursor)
            await asyncio.to_thread(pair.kill_primary)
            await pair.promote()
            await eventually(lambda: listed(running), "the API reads the new primary")

            async with under_load(customer) as after:
                again = await customer.send("0005", idempotency_key="lost")
                await after.reached(len(before.accepted) + 20)
            books = await service.books()
            await everything_is_settled(books)
            await eventually(
                lambda: is_told_all(reader, books), "the feed tells every event that is left"
            )
            # By now the new primary has given the number that this cursor names to another event.
            await eventually(
                lambda: has_caught_up(sleeper, reader),
                "who slept meanwhile is told all that is new",
            )
        assert (reader.lost_cursors, sleeper.lost_cursors) == (1, 1)

        assert {key: after.accepted[key]["id"] for key in before.accepted} == {
            key: record["id"] for key, record in before.accepted.items()
        }
        assert (again.status, again.body["replayed"]) == (201, False)
        assert again.body["id"] != lost.body["id"]
        assert (await customer.call("GET", f"/v2/sms/messages/{lost.body['id']}")).status == 404
        nobody_began_anew(running, after)
        await check_messages(books, {**after.accepted, "lost": again.body})


@pytest.mark.parametrize("reader", [False, True])
async def test_a_session_that_wants_to_write_is_not_kept_on_a_standby(
    tmp_path: Path, *, reader: bool
) -> None:
    asked = {"default_transaction_read_only": "on"} if reader else {}
    with a_pair(tmp_path / "pair") as pair:
        config = tortoise_config(pair.standby.address)["connections"]["default"]["credentials"]
        async with asyncpg.create_pool(
            pair.standby.address,
            min_size=1,
            max_size=1,
            reset=config["reset"],
            server_settings=asked,
        ) as pool:
            first = await pool.fetchval("SELECT pg_backend_pid()")
            second = await pool.fetchval("SELECT pg_backend_pid()")
            await pair.promote()
            await eventually(lambda: stays(pool), "sessions of the new primary are kept")

    assert (first == second) is reader


async def stays(pool: "asyncpg.Pool[asyncpg.Record]") -> bool:
    asked = "SELECT pg_backend_pid()"
    return bool(await pool.fetchval(asked) == await pool.fetchval(asked))


async def promoted_under(load: Load, pair: Pair) -> float:
    """Kill the primary, and promote the standby once callers have been refused: the seconds from
    then to a 201.
    """
    await asyncio.to_thread(pair.kill_primary)
    await eventually(lambda: len(load.refusals) >= 20, "the API refuses")
    accepted, started = len(load.accepted), time.monotonic()
    await pair.promote()
    await load.reached(accepted + 1)
    return time.monotonic() - started


def nobody_began_anew(running: Running, load: Load) -> None:
    """No process ended, no caller was cut off, and each refusal was one that says when to come
    again.
    """
    assert not load.cut_off
    assert set(load.refused()) <= {(503, "SERVICE_UNAVAILABLE")}
    assert all(int(refused.headers["Retry-After"]) >= 1 for refused in load.refusals)
    assert all(process.running for process in (*running.apis, *running.workers))
    assert not running.workers[0].logged("pump_failed")
    assert not running.apis[0].logged("unexpected")


async def is_synchronous(pair: Pair) -> bool:
    return await pair.state() == "sync"


def is_told(reader: FeedReader, message_id: str) -> bool:
    return any(event["data"].get("id") == message_id for event in reader.told)


async def is_told_all(reader: FeedReader, books: Connection) -> bool:
    there = {
        row["id"]
        for row in await books.fetch("SELECT id FROM webhook_events WHERE type LIKE 'sms.%'")
    }
    return there <= set(reader.ids)


async def has_caught_up(late: FeedReader, reader: FeedReader) -> bool:
    """Whether it has been told what the other was told behind the cursor of its 410."""
    await late.look()
    return set(reader.told_since_lost) <= set(late.ids)


async def listed(running: Running) -> bool:
    return (await running.customer.call("GET", "/v2/sms/messages?limit=1")).status == 200
