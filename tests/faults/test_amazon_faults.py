"""Amazon's connections cut, API and worker killed between any two steps: what Amazon took is paid once,
what it did not take is paid never, and nothing leaves twice.
"""

import asyncio
import itertools
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from core.foundation.clock import now
from tests.fakes.aws import (
    Behaviour,
    FakeAws,
    an_aws,
    an_event,
    drops,
    fails,
    hangs,
    in_envelope,
    says,
    takes,
)
from tests.support.amazon import amazon_settings
from tests.support.books import Connection, check_wallets
from tests.support.customer import Answer, Credential, Customer, under_load
from tests.support.held_up import GATE, cut_off_who_waits, hold_back_commits, waiting_for_locks
from tests.support.live_service import (
    IMPATIENT,
    an_address_that_lets_nobody_in,
    live_credential,
)
from tests.support.processes import Process
from tests.support.service import Api, Service
from tests.support.waiting import eventually

__all__ = ["live_credential"]

CHANCE = Random(1)
PRICE = 800
LANES = 16
SENDS = 300


@dataclass
class AmazonService:
    """The service, its Amazon, and a live customer with money."""

    service: Service
    aws: FakeAws
    customer: Customer
    books: Connection

    async def api(self, *, port: int | None = None, url: str | None = None) -> Api:
        """Start an API that hands over to Amazon, or to another address; the customer calls it."""
        settings = amazon_settings(self.aws) | ({"AWS_ENDPOINT_URL": url} if url else {})
        api = await self.service.api(port=port, script=IMPATIENT, settings=settings)
        self.customer.urls = (api.url,)
        return api

    async def worker(self) -> Process:
        """Start a worker that reads Amazon's queue."""
        return await self.service.worker(script=IMPATIENT, settings=amazon_settings(self.aws))

    def events_of(self, id: str, *kinds: str) -> list[str]:
        """What Amazon tells of a message that it took."""
        return [
            in_envelope(
                an_event(
                    id,
                    self.customer.credential.organization_id,
                    kind,
                    reference=self.aws.taken[id].reference,
                    final=kind == "TEXT_DELIVERED",
                )
            )
            for kind in kinds or ("TEXT_QUEUED", "TEXT_DELIVERED")
        ]

    async def the_queue_is_empty(self) -> None:
        """What a killed worker had received is there again after a while, as at SQS."""

        def empty() -> bool:
            self.aws.come_back()
            return not self.aws.queue

        await eventually(empty, "every event is applied and deleted", every=0.5)

    async def status(self) -> str:
        """Status and reason of the only message; "" where there is none."""
        found = await self.books.fetchval("SELECT concat_ws(' ', status, reason) FROM messages")
        return found or ""

    async def becomes(self, status: str) -> None:
        async def is_so() -> bool:
            return await self.status() == status

        await eventually(is_so, f"the message becomes {status}", every=0.1)

    async def nothing_is_held(self) -> None:
        async def free() -> bool:
            held = "SELECT count(*) FROM messages WHERE status = 'sending' OR settle_at IS NOT NULL"
            return bool(await self.books.fetchval(held) == 0)

        await eventually(free, "every hold has ended", every=0.2)

    async def three_days_pass(self) -> None:
        """For messages of which nothing was heard."""
        at = now()
        await self.books.execute(
            "UPDATE messages SET created_at = $1, settle_at = $2, "
            "handed_over_at = CASE WHEN handed_over_at IS NOT NULL THEN $1::timestamptz END "
            "WHERE status = 'sending'",
            at - timedelta(hours=73),
            at,
        )

    async def check_books(self) -> None:
        """What Amazon took is delivered and paid once; nothing else is paid; the wallets add up."""
        assert len(self.aws.sent) == len({body["Context"]["svc"] for body in self.aws.sent})
        captures = await self.books.fetch(
            "SELECT origin, coins FROM wallet_transfers WHERE kind = 'captura' AND env = 'live'"
        )
        assert Counter((row["origin"], row["coins"]) for row in captures) == Counter(
            (id, PRICE) for id in self.aws.taken
        )
        rows = {row["id"]: row for row in await self.books.fetch(MESSAGES)}
        assert set(self.aws.taken) <= set(rows)
        for id, row in rows.items():
            if id in self.aws.taken:
                assert (row["status"], row["coins"]) == ("delivered", PRICE)
                assert row["provider_reference"] == self.aws.taken[id].reference
            else:
                assert (row["status"], row["coins"]) == ("failed", 0)
        events = await self.books.fetch(
            "SELECT data ->> 'id' AS id FROM webhook_events WHERE type = 'sms.delivered'"
        )
        assert Counter(row["id"] for row in events) == Counter(list(self.aws.taken))
        keys = [row["number"] for id, row in rows.items() if id in self.aws.taken and row["number"]]
        assert len(set(keys)) == len(keys), "one key left twice"
        await check_wallets(self.books)


MESSAGES = "SELECT *, metadata ->> 'number' AS number FROM messages"


@pytest.fixture
async def live(live_credential: Credential, service: Service) -> AsyncIterator[AmazonService]:
    """An Amazon and a live customer; APIs and workers are started by the test."""
    async with an_aws() as aws:
        customer = Customer(service.http, "", credential=live_credential)
        yield AmazonService(service, aws, customer, await service.books())


def by_turns(*behaviours: Behaviour) -> Behaviour:
    """One after the other, for ever."""
    turns = itertools.cycle(behaviours)

    async def behave(aws: FakeAws, request: web.Request, body: Any) -> web.StreamResponse:
        return await next(turns)(aws, request, body)

    return behave


# Connections that are cut -------------------------------------------------------------------------


async def test_sends_of_which_each_fifth_is_cut_are_one_request_each(
    live: AmazonService,
) -> None:
    live.aws.sends = by_turns(takes(), takes(), drops(), takes(), takes())
    await asyncio.gather(live.api(), live.worker())
    answers: dict[str, Answer] = {}
    numbers = iter(range(SENDS))

    async def lane() -> None:
        for number in numbers:
            key = f"k-{number}"
            answers[key] = await live.customer.send(
                "0005", idempotency_key=key, metadata={"number": number}
            )

    await asyncio.gather(*(lane() for _ in range(LANES)))

    assert Counter(answer.status for answer in answers.values()) == {
        201: SENDS * 4 // 5,
        502: SENDS // 5,
    }
    lost = {key: answer.body["meta"] for key, answer in answers.items() if answer.status == 502}
    assert {meta["code"] for meta in lost.values()} == {"RESULTADO_DESCONHECIDO"}
    assert len(live.aws.sent) == SENDS
    held = await live.books.fetchval("SELECT sum(held) FROM wallets WHERE env = 'live'")
    assert held == SENDS // 5 * PRICE
    for key in list(lost)[:5]:
        again = await live.customer.send(
            "0005", idempotency_key=key, metadata={"number": int(key[2:])}
        )
        assert (again.status, again.body["status"]) == (201, "sending")
        assert again.body["id"] == lost[key]["messageId"]

    told = [text for id in live.aws.taken for text in live.events_of(id)]
    CHANCE.shuffle(told)
    live.aws.tell(*told)
    await live.the_queue_is_empty()
    await live.nothing_is_held()

    assert len(live.aws.sent) == SENDS
    await live.check_books()


# The API is killed --------------------------------------------------------------------------------


async def killed_while_sending(live: AmazonService, api: Api, until: Callable[[], Any]) -> None:
    """Send, wait until it has come so far, and kill the API: the customer gets no answer."""
    sending = asyncio.create_task(live.customer.send("0005", idempotency_key="k"))
    await eventually(until, "it has come so far")
    await api.kill()
    with pytest.raises(aiohttp.ClientError):
        await sending


async def test_an_api_killed_before_its_commit_has_sent_nothing(live: AmazonService) -> None:
    gate = await live.service.rows()
    await hold_back_commits(live.books)
    api = await live.api()
    await gate.execute("SELECT pg_advisory_lock($1)", GATE)
    await killed_while_sending(live, api, lambda: waiting_for_locks(live.books))
    assert live.aws.sent == []
    await gate.execute("SELECT pg_advisory_unlock($1)", GATE)

    await asyncio.gather(live.api(), live.worker())
    again = await live.customer.send("0005", idempotency_key="k")
    assert again.status == 201
    # Whether the commit came through decides which of the two it is.
    if again.body["status"] == "sending":
        await live.three_days_pass()
    else:
        live.aws.tell(*live.events_of(again.body["id"]))
    await live.nothing_is_held()
    await live.the_queue_is_empty()
    assert len(live.aws.sent) <= 1
    await live.check_books()


async def test_an_api_killed_before_the_call_leaves_a_message_that_never_leaves(
    live: AmazonService,
) -> None:
    with an_address_that_lets_nobody_in() as nowhere:
        api = await live.api(url=nowhere.removesuffix("/v1"))

        async def sending() -> bool:
            return await live.status() == "sending"

        await killed_while_sending(live, api, sending)

    await asyncio.gather(live.api(), live.worker())
    again = await live.customer.send("0005", idempotency_key="k")
    assert (again.status, again.body["status"], again.body["replayed"]) == (201, "sending", True)
    await live.three_days_pass()
    await live.becomes("failed indeterminate")
    await live.nothing_is_held()

    assert live.aws.sent == []
    await live.check_books()


async def test_an_api_killed_during_the_call_is_answered_for_by_the_events(
    live: AmazonService,
) -> None:
    live.aws.will(hangs(asyncio.Event()))
    api, _ = await asyncio.gather(live.api(), live.worker())
    await killed_while_sending(live, api, lambda: live.aws.taken)

    await live.api(port=api.port)
    (id,) = live.aws.taken
    live.aws.tell(*live.events_of(id, "TEXT_QUEUED"))
    await live.becomes("sent")
    again = await live.customer.send("0005", idempotency_key="k")
    assert (again.status, again.body["id"], again.body["replayed"]) == (201, id, True)
    live.aws.tell(*live.events_of(id))
    await live.becomes("delivered")

    await live.nothing_is_held()
    assert len(live.aws.sent) == 1
    await live.check_books()


async def test_an_api_killed_before_it_writes_the_answer_down_is_answered_for_by_the_events(
    live: AmazonService,
) -> None:
    gate = await live.service.rows()
    await hold_back_commits(live.books, when="UPDATE")
    api = await live.api()
    await gate.execute("SELECT pg_advisory_lock($1)", GATE)
    await killed_while_sending(live, api, lambda: waiting_for_locks(live.books))
    (id,) = live.aws.taken
    await cut_off_who_waits(gate)
    await gate.execute("SELECT pg_advisory_unlock($1)", GATE)
    assert await live.status() == "sending"

    await asyncio.gather(live.api(), live.worker())
    live.aws.tell(*live.events_of(id))
    await live.becomes("delivered")
    await live.nothing_is_held()
    again = await live.customer.send("0005", idempotency_key="k")
    assert (again.status, again.body["id"], again.body["replayed"]) == (201, id, True)
    assert len(live.aws.sent) == 1
    await live.check_books()


# The worker is killed -----------------------------------------------------------------------------


async def test_a_worker_killed_while_it_applies_leaves_its_events_in_the_queue(
    live: AmazonService,
) -> None:
    _, worker = await asyncio.gather(live.api(), live.worker())
    sent = await live.customer.send("0005", idempotency_key="k")
    holder = await live.service.books()
    async with holder.transaction():
        await holder.execute("SELECT FROM messages FOR UPDATE")
        live.aws.tell(*live.events_of(sent.body["id"]))
        await eventually(lambda: waiting_for_locks(live.books), "the worker applies")
        await worker.kill()
    assert await live.status() == "sent"

    await live.worker()
    await live.the_queue_is_empty()
    await live.becomes("delivered")
    await live.nothing_is_held()
    await live.check_books()


async def test_a_worker_killed_between_applying_and_deleting_applies_nothing_twice(
    live: AmazonService,
) -> None:
    never = asyncio.Event()

    async def hang(_: FakeAws, __: web.Request, ___: Any) -> web.StreamResponse:
        await never.wait()
        raise AssertionError

    _, worker = await asyncio.gather(live.api(), live.worker())
    sent = await live.customer.send("0005", idempotency_key="k")
    live.aws.answers["DeleteMessageBatch"] = hang
    live.aws.tell(*live.events_of(sent.body["id"]))
    await live.becomes("delivered")
    await eventually(
        lambda: any(name == "DeleteMessageBatch" for name, _ in live.aws.seen), "it deletes"
    )
    await worker.kill()
    live.aws.answers.clear()

    await live.worker()
    await live.the_queue_is_empty()
    await live.nothing_is_held()
    await live.check_books()


# All of it under load -----------------------------------------------------------------------------


async def test_whoever_is_killed_under_load_nothing_leaves_twice_and_what_left_is_paid_once(
    live: AmazonService,
) -> None:
    def told(behaviour: Behaviour) -> Behaviour:
        """Amazon tells of what it took, at once, in any order, and again."""

        async def behave(aws: FakeAws, request: web.Request, body: Any) -> web.StreamResponse:
            answer = await behaviour(aws, request, body)
            if body["Context"]["svc"] in aws.taken:
                events = live.events_of(body["Context"]["svc"]) * 2
                CHANCE.shuffle(events)
                aws.tell(*events)
            return answer

        return behave

    throttled = fails("ThrottlingException", status=429)
    moods = (takes(), takes(), drops(), takes(), throttled, says(b"", status=502), drops(taken=False))  # fmt: skip
    live.aws.sends = by_turns(*map(told, moods))
    api, worker = await asyncio.gather(live.api(), live.worker())

    async with under_load(live.customer) as load:
        for _ in range(2):
            await load.more(CHANCE.randint(20, 40))
            await api.kill()
            api = await live.api(port=api.port)
            await load.more(CHANCE.randint(20, 40))
            await worker.kill()
            worker = await live.worker()
        await load.more(15)
    await live.the_queue_is_empty()

    await live.three_days_pass()
    await live.nothing_is_held()
    for record in load.accepted.values():
        if record["status"] == "sent":
            assert record["id"] in live.aws.taken
    await live.check_books()
