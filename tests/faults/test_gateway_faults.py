"""A gateway that hangs, an API that is killed or stopped and a PostgreSQL that restarts in the
middle of live sends: what the gateway took is paid once, what it did not take is paid never, and no
key sends twice.
"""

import asyncio
import itertools
import signal
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from cli.embedded.postgres import StopMode
from tests.fakes.gateway import (
    Behaviour,
    FakeGateway,
    accepts,
    breaks,
    drops,
    hangs,
    is_out_of_credit,
    refuses,
    throttles,
)
from tests.support.books import Connection
from tests.support.customer import Load, under_load
from tests.support.held_up import GATE, hold_back_commits, waiting_for_locks
from tests.support.live_service import (
    LiveService,
    an_address_that_lets_nobody_in,
    live,
    live_credential,
)
from tests.support.service import Api
from tests.support.waiting import eventually

__all__ = ["live", "live_credential"]

CHANCE = Random(1)
MODES: "itertools.cycle[StopMode]" = itertools.cycle(("fast", "immediate"))


async def status_of(books: Connection) -> str | None:
    """Status and reason of the only message."""
    status: str | None = await books.fetchval("SELECT concat_ws(' ', status, reason) FROM messages")
    return status


async def becomes(books: Connection, status: str) -> None:
    async def is_so() -> bool:
        return await status_of(books) == status

    await eventually(is_so, f"the message becomes {status}", every=0.1)


async def test_what_an_api_killed_before_the_hand_over_wrote_down_is_handed_over_by_the_worker(
    live: LiveService,
) -> None:
    with an_address_that_lets_nobody_in() as nowhere:
        api = await live.api(url=nowhere, seconds="30")
        sending = asyncio.create_task(live.customer.send("0005", idempotency_key="k"))
        await becomes(live.books, "sending")
        await api.kill()
        with pytest.raises(aiohttp.ClientError):
            await sending
    assert (
        await live.books.fetchval("SELECT held FROM wallets WHERE env = 'live' AND held > 0") == 800
    )

    await live.api()
    again = await live.customer.send("0005", idempotency_key="k")
    assert (again.status, again.body["status"], again.body["replayed"]) == (201, "sending", True)
    await live.worker()
    await becomes(live.books, "sent")
    await live.everything_is_settled()

    last = await live.customer.send("0005", idempotency_key="k")
    assert (last.body["id"], last.body["status"], last.body["replayed"]) == (
        again.body["id"],
        "sent",
        True,
    )
    assert last.body["billing"] == {"coins": 800}
    assert len(live.gateway.sends) == 1
    await live.check_books()


async def test_a_gateway_that_takes_nothing_for_ten_minutes_is_paid_nothing(
    live: LiveService,
) -> None:
    live.gateway.always(drops(accepted=False))
    await asyncio.gather(live.api(), live.worker())
    refused = await live.customer.send("0005", idempotency_key="k")
    assert refused.body["meta"]["code"] == "RESULTADO_DESCONHECIDO"
    await becomes(live.books, "failed indeterminate")
    await live.everything_is_settled()

    last = await live.customer.send("0005", idempotency_key="k")
    assert (last.body["status"], last.body["reason"], last.body["billing"]) == (
        "failed",
        "indeterminate",
        {"coins": 0},
    )
    assert 1 < len(live.gateway.sends) <= 5
    await live.check_books()


async def test_an_api_stopped_between_commit_and_hand_over_sends_what_the_worker_has_sent_and_no_second_one(
    live: LiveService,
) -> None:
    gate = await live.service.rows()
    await hold_back_commits(live.books)
    api, _ = await asyncio.gather(live.api(seconds="30"), live.worker())

    await gate.execute("SELECT pg_advisory_lock($1)", GATE)
    sending = asyncio.create_task(live.customer.send("0005", idempotency_key="k"))
    await eventually(lambda: waiting_for_locks(live.books), "the commit waits at the gate")
    api.send(signal.SIGSTOP)
    await gate.execute("SELECT pg_advisory_unlock($1)", GATE)
    await becomes(live.books, "sent")
    assert len(live.gateway.sends) == 1
    api.send(signal.SIGCONT)

    answer = await sending
    assert (answer.status, answer.body["status"], answer.body["billing"]) == (
        201,
        "sent",
        {"coins": 800},
    )
    assert len(live.gateway.sends) == 2
    assert len(live.gateway.taken) == 1
    await live.everything_is_settled()
    await live.check_books()


async def test_an_api_killed_after_the_hand_over_is_answered_for_by_the_worker(
    live: LiveService,
) -> None:
    live.gateway.will(hangs(asyncio.Event(), accepted=True))
    api, _ = await asyncio.gather(live.api(seconds="30"), live.worker())

    sending = asyncio.create_task(live.customer.send("0005", idempotency_key="k"))
    await eventually(lambda: live.gateway.taken, "the gateway has the message")
    await api.kill()
    with pytest.raises(aiohttp.ClientError):
        await sending
    await live.api(port=api.port)
    await becomes(live.books, "sent")

    again = await live.customer.send("0005", idempotency_key="k")
    assert (again.status, again.body["status"], again.body["replayed"]) == (201, "sent", True)
    assert again.body["billing"] == {"coins": 800}
    assert len(live.gateway.sends) == 1
    await live.everything_is_settled()
    await live.check_books()


async def test_a_gateway_that_hangs_longer_than_its_time_holds_nobody_else_up(
    live: LiveService,
) -> None:
    await live.api(seconds="3")  # time enough for another send, however busy the machine is
    never = asyncio.Event()
    live.gateway.will(*(hangs(never, accepted=number % 2 == 0) for number in range(6)))

    slow = [
        asyncio.create_task(live.customer.send("0005", idempotency_key=f"slow-{number}"))
        for number in range(6)
    ]
    await eventually(lambda: len(live.gateway.sends) == 6, "all of them hang")
    quick = await live.customer.send("0005", idempotency_key="quick")
    assert not any(task.done() for task in slow)
    answers = await asyncio.gather(*slow)

    assert (quick.status, quick.body["status"]) == (201, "sent")
    assert {answer.status for answer in answers} == {502}
    assert {answer.body["meta"]["code"] for answer in answers} == {"RESULTADO_DESCONHECIDO"}
    ids = [answer.body["meta"]["messageId"] for answer in answers]
    again = [
        await live.customer.send("0005", idempotency_key=f"slow-{number}") for number in range(6)
    ]
    assert [(answer.status, answer.body["id"], answer.body["replayed"]) for answer in again] == [
        (201, id, True) for id in ids
    ]
    await live.worker()
    await live.everything_is_settled()
    # What it had not taken is handed over again, or has failed when it was too late for that.
    assert 4 <= len(live.gateway.taken) <= 7
    await live.check_books()


# Under load ---------------------------------------------------------------------------------------


def moody() -> Behaviour:
    """One behaviour after the other, for ever."""
    never = asyncio.Event()
    moods = itertools.cycle(
        [
            *(accepts() for _ in range(6)),
            drops(accepted=True),
            accepts(),
            throttles("1"),
            hangs(never, accepted=True),
            refuses("blacklisted"),
            accepts(),
            breaks(500),
            drops(accepted=False),
            is_out_of_credit(),
        ]
    )

    async def behave(
        gateway: FakeGateway, request: web.Request, message: dict[str, Any]
    ) -> web.StreamResponse:
        return await next(moods)(gateway, request, message)

    return behave


async def kill_the_api(live: LiveService, api: Api) -> Api:
    await api.kill()
    return await live.api(port=api.port)


async def restart_postgres(live: LiveService, api: Api) -> Api:
    await asyncio.to_thread(live.service.machines.postgres.restart, next(MODES))
    return api


@pytest.mark.parametrize("disturb", [kill_the_api, restart_postgres])
async def test_whatever_is_cut_off_under_load_each_key_is_sent_and_paid_at_most_once(
    live: LiveService, disturb: Callable[[LiveService, Api], Awaitable[Api]]
) -> None:
    live.gateway.always(moody())
    api, worker = await asyncio.gather(live.api(), live.worker())

    async with under_load(live.customer) as load:
        for _ in range(2):
            await load.more(CHANCE.randint(20, 40))
            await asyncio.sleep(CHANCE.uniform(0, 0.02))  # anywhere between two answers
            api = await disturb(live, api)
        await load.more(15)

    live.books = await live.service.books()
    await live.everything_is_settled()
    await live.check_books()
    await every_key_was_told_the_truth(live, load)
    assert not api.logged("unexpected")
    assert not worker.logged("pump_failed")


async def every_key_was_told_the_truth(live: LiveService, load: Load) -> None:
    """What was answered as sent was taken, and what was told by meta.messageId is there to be read."""
    for record in load.accepted.values():
        if record["status"] == "sent":
            assert record["id"] in live.gateway.taken
    known = {row["id"] for row in await live.books.fetch("SELECT id FROM messages")}
    assert {record["id"] for record in load.accepted.values()} <= known
    assert {
        answer.body["meta"]["messageId"]
        for answer in load.refusals
        if "messageId" in answer.body.get("meta", {})
    } <= known
    assert {answer.status for answer in load.refusals} <= {409, 429, 502, 503}
