"""Workers, APIs, Redis and PostgreSQL that end in the middle of live conversations: nothing is
handed over twice, each message is paid once or its price comes back, and what became of it is told.
"""

import asyncio
import itertools
import json
from collections import Counter
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from tests.support.books import Connection, check_wallets, no_transaction_is_left_open
from tests.support.conversing import (
    PRICE,
    Conversing,
    Mood,
    Platform,
    Shop,
    accepts,
    conversing_by,
    drops,
    one_after_the_other,
    reference_of,
    refuses,
    takes_and_drops,
    takes_and_hangs,
)
from tests.support.customer import Credential, Load, under_load
from tests.support.held_up import A_WALLET, locked, waiting_for_locks
from tests.support.live_service import an_address_that_lets_nobody_in, live_credential
from tests.support.processes import Process
from tests.support.receiver import Receiver
from tests.support.service import Service
from tests.support.waiting import eventually

__all__ = ["live_credential"]

CHANCE = Random(1)
TOLD = ("message.sent", "message.delivered", "message.read", "message.failed", "message.received")
BULK = 50
MOST_BATCHES = 10


@pytest.fixture
async def conversing(live_credential: Credential, service: Service) -> AsyncIterator[Conversing]:
    async with conversing_by(service, live_credential) as conversing:
        yield conversing


async def test_a_worker_killed_before_while_and_after_it_hands_a_message_over_lets_no_message_leave_twice(
    conversing: Conversing, receiver: Receiver
) -> None:
    shop, platform, service = conversing.shop, conversing.platform, conversing.service
    api, books = await service.api(), await service.books()

    # After its claim, before the platform has it: nobody knows, and it is not tried again.
    with an_address_that_lets_nobody_in() as nowhere:
        settings = {"SVC_META_GRAPH_URL": nowhere, "SVC_META_TIMEOUT_SECONDS": "30"}
        worker, _ = await asyncio.gather(conversing.worker(**settings), conversing.open_shop(api))
        await shop.subscribe(receiver, TOLD)
        unreached = await sent(shop, 1)
        await becomes(books, unreached, "sending")
        await worker.kill()
    # Before its claim is committed: as if nothing had been.
    claimed = await sent(shop, 2)
    async with locked(
        await service.books(), "LOCK TABLE conversation_pairs IN ACCESS EXCLUSIVE MODE"
    ):
        worker = await conversing.worker()
        await eventually(lambda: waiting_for_locks(books), "the worker waits in its claim")
        await worker.kill()
    assert not platform.asked

    # While the platform has it, and after the platform took it: its reports tell, or nobody does.
    answered, held = await service.books(), asyncio.Event()
    platform.mood = by_number({3: takes_and_hangs, 4: takes_and_hangs, 5: waits_for(held)})
    worker = await conversing.worker(SVC_META_TIMEOUT_SECONDS="30")
    reported, silent, unsettled = [await sent(shop, number) for number in (3, 4, 5)]
    await eventually(lambda: len(platform.asked) == 4, "the platform has all of them")
    await becomes(books, claimed, "sent")
    async with locked(answered, A_WALLET):
        held.set()
        await eventually(lambda: waiting_for_locks(books), "the worker waits in its settlement")
        await worker.kill()
    assert {await status_of(books, id) for id in (reported, silent, unsettled)} == {"sending"}

    platform.mood = accepts
    await conversing.worker()
    await platform.report((reported, "delivered"), (unsettled, "read"))
    await becomes(books, unsettled, "read")
    last = await sent(shop, 6)
    await conversing.everything_is_settled(books)

    assert platform.asked == Counter([claimed, reported, silent, unsettled, last])
    ends = [
        await status_of(books, id) for id in (unreached, claimed, reported, silent, unsettled, last)
    ]
    assert ends == ["failed", "sent", "delivered", "failed", "read", "sent"]
    assert await reasons(books) == {unreached: "indeterminate", silent: "indeterminate"}
    await check_the_books(books, paid={claimed, reported, unsettled, last})
    await check_events(books, receiver)


async def test_whatever_ends_in_the_middle_of_bulk_sends_each_message_leaves_and_is_paid_at_most_once(
    conversing: Conversing, receiver: Receiver
) -> None:
    shop, platform, service = conversing.shop, conversing.platform, conversing.service
    platform.mood = moody()
    api, *workers = await asyncio.gather(service.api(), conversing.worker(), conversing.worker())
    await conversing.open_shop(api)
    await shop.subscribe(receiver, TOLD)

    async with asyncio.TaskGroup() as group, under_load(shop, lanes=4) as load:
        bulks = group.create_task(keep_sending_to_many(shop, load))
        told = group.create_task(keep_reporting(platform, load))
        heard = group.create_task(keep_writing(platform, load))

        await load.more(10)
        await api.kill()
        api = await service.api(port=api.port)
        await load.more(10)
        await workers[0].kill()
        workers[0] = await conversing.worker()
        await service.redis.flushall()
        await load.more(10)
        await asyncio.to_thread(service.machines.postgres.restart, "fast")
        await load.more(10)
        await workers[1].kill()
        await service.redis.flushall()
        await asyncio.to_thread(service.machines.postgres.restart, "immediate")
        workers[1] = await conversing.worker()
        await load.more(10)

    assert load.cut_off
    books = await service.books()
    await conversing.everything_is_settled(books)
    rows = {
        row["id"]: row
        for row in await books.fetch("SELECT * FROM messages WHERE direction = 'outbound'")
    }
    check_sends(platform, rows, told.result())
    await check_keys_and_batches(shop, load, bulks.result(), rows)
    await check_the_books(books, paid={id for id, row in rows.items() if row["coins"]})
    await check_inbound(books, heard.result())
    await check_events(books, receiver)
    await no_transaction_is_left_open(books)
    nobody_was_surprised(api, *workers)


# What happens under load --------------------------------------------------------------------------


def moody() -> Mood:
    """One behaviour after the other, for ever. Only of what is refused for now it is certain that
    it did not leave.
    """
    busy, broken = refuses(130429, status=429), refuses(131026)
    return one_after_the_other(
        *[accepts] * 6,
        takes_and_drops,
        accepts,
        busy,
        accepts,
        drops,
        accepts,
        accepts,
        broken,
        takes_and_hangs,
    )


async def keep_sending_to_many(shop: Shop, load: Load) -> dict[str, dict[str, Any]]:
    """Batch after batch, each repeated until it is answered; answers what was answered by key."""
    answers: dict[str, dict[str, Any]] = {}
    for turn in range(MOST_BATCHES):
        if load.stop.is_set():
            break
        key, first = f"bulk-{turn}", 1_000 * turn
        people = [f"+551197{first + place:07d}" for place in range(BULK)]
        while True:
            try:
                answer = await shop.send_bulk(
                    people, idempotency_key=key, campaignId=key, priority="normal"
                )
            except (aiohttp.ClientError, OSError):
                answer = None
            if answer is not None and answer.status == 202:
                answers[key] = answer.body
                break
            assert answer is None or answer.status in (409, 503), answer
            await asyncio.sleep(0.05)
        await asyncio.sleep(1)
    return answers


async def keep_reporting(platform: Platform, load: Load) -> dict[str, str]:
    """Report, twice now and then, on most of what was taken; answers the status that each came to."""
    told: dict[str, str] = {}
    while not load.stop.is_set():
        new = [id for id in platform.taken if id not in told]
        fates = {id: CHANCE.choice(("delivered", "delivered", "read", "failed", "")) for id in new}
        told |= fates
        reports = [(id, status) for id, status in fates.items() if status]
        if reports:
            await platform.report(*reports, *CHANCE.sample(reports, k=min(3, len(reports))))
        await asyncio.sleep(0.2)
    return {id: status for id, status in told.items() if status}


async def keep_writing(platform: Platform, load: Load) -> set[str]:
    """People write, and the platform says so twice; answers the platform's ids."""
    references = set[str]()
    for turn in itertools.count():
        if load.stop.is_set():
            return references
        reference = f"wamid.in.{turn}"
        people = f"+551196{turn % 5:07d}"
        await asyncio.gather(
            *(platform.deliver(people, "Oi", reference=reference) for _ in range(2))
        )
        references.add(reference)
        await asyncio.sleep(0.1)
    raise AssertionError


# What must add up ---------------------------------------------------------------------------------


def check_sends(platform: Platform, rows: dict[str, Any], told: dict[str, str]) -> None:
    """Nothing was taken twice, what was reported came to that, and nothing is sent that was not
    taken.
    """
    assert set(platform.taken.values()) == {1}
    assert {row["status"] for row in rows.values()} == {"sent", "delivered", "read", "failed"}
    assert set(platform.asked) <= set(rows)
    for id, row in rows.items():
        if id in told:
            assert (row["status"], row["coins"]) == (told[id], PRICE), dict(row)
            assert row["provider_reference"] == reference_of(id)
        elif row["status"] == "sent":
            assert id in platform.taken
            assert row["coins"] == PRICE
        else:
            assert (row["status"], row["coins"]) == ("failed", 0), dict(row)
            assert row["reason"] in ("indeterminate", "not_on_channel", "throttled")
            assert id not in platform.taken or row["reason"] == "indeterminate"


async def check_keys_and_batches(
    shop: Shop, load: Load, bulks: dict[str, dict[str, Any]], rows: dict[str, Any]
) -> None:
    """Each key has one message or one batch, with all that it took in, and there is nothing else."""
    singles = {id: row for id, row in rows.items() if row["batch_id"] is None}
    assert {key: record["id"] for key, record in load.accepted.items()} == {
        f"load-{json.loads(row['metadata'])['number']}": id for id, row in singles.items()
    }
    assert len(singles) == len(load.accepted)
    in_batches = Counter(row["batch_id"] for row in rows.values() if row["batch_id"])
    assert in_batches == {answer["batchId"]: BULK for answer in bulks.values()}
    for answer in bulks.values():
        assert (answer["aceitas"], answer["coinsEstimados"]) == (BULK, BULK * PRICE)
        batch = (await shop.call("GET", f"/batches/{answer['batchId']}")).body
        assert batch["porStatus"] == {
            **dict.fromkeys(batch["porStatus"], 0),
            **Counter(row["status"] for row in rows.values() if row["batch_id"] == batch["id"]),
        }


async def check_the_books(books: Connection, *, paid: set[str]) -> None:
    """Every hold was captured or released, once."""
    booked = Counter(
        (row["origin"], row["kind"], row["coins"]) for row in await books.fetch(CHARGES)
    )
    ids = [
        row["id"]
        for row in await books.fetch("SELECT id FROM messages WHERE direction = 'outbound'")
    ]
    assert booked == Counter(
        line
        for id in ids
        for line in ((id, "reserva", PRICE), (id, "captura" if id in paid else "liberacao", PRICE))
    )
    await check_wallets(books)


async def check_inbound(books: Connection, references: set[str]) -> None:
    """What people wrote is there once, each."""
    stored = Counter(
        row["provider_reference"]
        for row in await books.fetch(
            "SELECT provider_reference FROM messages WHERE direction = 'inbound'"
        )
    )
    assert stored == Counter(references)


async def check_events(books: Connection, receiver: Receiver) -> None:
    """Each step of each message was told once, what it came to is among them, and the receiver has
    it all.
    """
    events = {row["id"]: (row["message"], row["type"]) for row in await books.fetch(EVENTS)}
    steps = Counter(events.values())
    assert set(steps.values()) <= {1}
    for row in await books.fetch("SELECT id, status, direction FROM messages"):
        last = "received" if row["direction"] == "inbound" else row["status"]
        assert (row["id"], f"message.{last}") in steps
    arrived = {event["id"]: (event["data"]["id"], event["type"]) for event in receiver.events()}
    assert arrived == events


CHARGES = "SELECT origin, kind, coins FROM wallet_transfers WHERE kind IN ('reserva', 'captura', 'liberacao')"

EVENTS = "SELECT id, type, data ->> 'id' AS message FROM webhook_events WHERE type LIKE 'message.%'"


def nobody_was_surprised(*processes: Process) -> None:
    for process in processes:
        assert process.running
        for word in ("unexpected", "pump_failed", "hand_over_failed", "notice_failed"):
            assert not process.logged(word), process.logged(word)


# One message --------------------------------------------------------------------------------------


async def sent(shop: Shop, number: int) -> str:
    """The id of one that was accepted."""
    answer = await shop.send("1234", idempotency_key=f"one-{number}", metadata={"number": number})
    assert answer.status == 201, answer
    id: str = answer.body["id"]
    return id


async def status_of(books: Connection, id: str) -> str:
    status: str = await books.fetchval("SELECT status FROM messages WHERE id = $1", id)
    return status


async def becomes(books: Connection, id: str, status: str) -> None:
    async def is_so() -> bool:
        return await status_of(books, id) == status

    await eventually(is_so, f"the message becomes {status}")


async def reasons(books: Connection) -> dict[str, str]:
    rows = await books.fetch("SELECT id, reason FROM messages WHERE status = 'failed'")
    return {row["id"]: row["reason"] for row in rows}


def by_number(moods: dict[int, Mood]) -> Mood:
    """Behaviours by the number in the recipient."""

    async def behave(
        platform: Platform, request: web.Request, body: dict[str, Any]
    ) -> web.StreamResponse:
        return await moods.get(int(body["to"][-8:-4]), accepts)(platform, request, body)

    return behave


def waits_for(held: asyncio.Event) -> Mood:
    """It is taken, and answered when the test lets it."""

    async def behave(
        platform: Platform, request: web.Request, body: dict[str, Any]
    ) -> web.StreamResponse:
        await held.wait()
        return await accepts(platform, request, body)

    return behave
