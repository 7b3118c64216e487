"""The queue: what is applied is deleted, what is not comes again, and an outage of the queue or of a message stops nobody."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest

from core import sms
from core.foundation.batches import Batches
from core.foundation.clock import now
from core.foundation.settings import current
from core.providers.amazon.calls import AwsError
from core.providers.gateway import open_session
from core.sms.amazon import apply_told, events_loop
from core.sms.amazon.events_loop import AmazonEvents, queue_of, take
from tests.factories.live import a_live_caller, refused_send
from tests.factories.sms import a_send
from tests.fakes.aws import FakeAws, a_reply, an_event, drops, in_envelope
from tests.support.money import Balances, balances_of, the_message
from tests.support.waiting import eventually

pytestmark = pytest.mark.usefixtures("real_commits")


async def running(until: Callable[[], Awaitable[bool]], what: str) -> None:
    """Let the loop run until something is so, and end in good order."""
    stop = asyncio.Event()
    loop = asyncio.create_task(AmazonEvents().run(stop, Batches("receive_amazon_events")))
    try:
        await eventually(until, what)
    finally:
        stop.set()
        await asyncio.wait_for(loop, 60)


async def test_events_are_applied_and_deleted(aws: FakeAws) -> None:
    caller = await a_live_caller()
    ids = [(await a_send(caller))["id"] for _ in range(25)]
    for place, id in enumerate(ids, 1):
        aws.tell(in_envelope(an_event(id, caller.organization_id, reference=f"eum-{place}")))

    async def done() -> bool:
        return not aws.queue and not aws.hidden

    await running(done, "the queue is empty")

    assert {(await the_message(id))["status"] for id in ids} == {"delivered"}


async def test_what_is_too_early_comes_again(aws: FakeAws) -> None:
    caller = await a_live_caller()
    aws.tell(in_envelope(a_reply("eum-1")))

    async def received() -> bool:
        return bool(aws.hidden)

    await running(received, "it was received")
    await a_send(caller)
    aws.come_back()

    async def done() -> bool:
        return not aws.queue and not aws.hidden

    await running(done, "it is applied")
    assert (await sms.list_replies(caller, sms.ReplyFilter()))["total"] == 1


async def test_one_that_fails_by_itself_stays_behind_alone(
    aws: FakeAws, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = await a_live_caller()
    sent = await a_send(caller)

    async def apply(texts: Any, *, at: Any) -> list[bool]:
        if any("poison" in text for text in texts):
            raise ValueError("poison")
        return await apply_told(texts, at=at)

    monkeypatch.setattr(events_loop, "apply_told", apply)
    aws.tell("poison", in_envelope(an_event(sent["id"], caller.organization_id)))

    async def done() -> bool:
        return not aws.queue and len(aws.hidden) == 1

    await running(done, "the other one is deleted")
    assert (await the_message(sent["id"]))["status"] == "delivered"


async def test_a_death_between_applying_and_deleting_changes_nothing(aws: FakeAws) -> None:
    caller = await a_live_caller()
    sent = await a_send(caller)
    aws.tell(in_envelope(an_event(sent["id"], caller.organization_id)))
    async with open_session() as session:
        queue = queue_of(current(), session)
        received = await queue.receive(wait=0)
        aws.queue_away = True
        with pytest.raises(AwsError):
            await take(queue, received)
        aws.queue_away = False
        aws.come_back()

        again = await queue.receive(wait=0)
        await take(queue, again)

    assert [one.text for one in again] == [one.text for one in received]
    assert not aws.hidden
    assert (await the_message(sent["id"]))["status"] == "delivered"


async def test_a_queue_that_is_away_is_asked_again(
    aws: FakeAws, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events_loop, "REST_SECONDS", 0.01)
    caller = await a_live_caller()
    sent = await a_send(caller)
    aws.tell(in_envelope(an_event(sent["id"], caller.organization_id)))
    aws.queue_away = True

    async def done() -> bool:
        asked = [name for name, _ in aws.seen if name == "ReceiveMessage"]
        if len(asked) > 3:
            aws.queue_away = False
        return not aws.queue and not aws.hidden

    await running(done, "it is applied after all")
    assert (await the_message(sent["id"]))["status"] == "delivered"


async def test_a_queue_that_is_away_for_ten_minutes_loses_nothing_and_ends_no_message(
    aws: FakeAws, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = int(timedelta(minutes=10).total_seconds() / events_loop.REST_SECONDS)
    monkeypatch.setattr(events_loop, "REST_SECONDS", 0.001)
    caller = await a_live_caller(10_000)
    aws.will(drops())
    refusal = await refused_send(caller)
    assert refusal.meta
    id = refusal.meta["messageId"]
    aws.tell(in_envelope(an_event(id, caller.organization_id)))
    aws.queue_away, begun = True, now()

    async def ten_minutes_are_over() -> bool:
        return len([name for name, _ in aws.seen if name == "ReceiveMessage"]) > calls

    await running(ten_minutes_are_over, "it asks as often as in ten minutes")
    assert len([line for line in capsys.readouterr().out.splitlines() if "queue_away" in line]) <= 1
    for minutes in range(1, 12):
        await sms.reconcile(at=begun + timedelta(minutes=minutes))
    assert (await the_message(id))["status"] == "sending"
    assert await balances_of(caller) == Balances(9_200, 800, 0, 0)
    aws.queue_away = False

    async def done() -> bool:
        return not aws.queue and not aws.hidden

    await running(done, "it is applied after all")
    assert (await the_message(id))["status"] == "delivered"
    assert await balances_of(caller) == Balances(9_200, 0, 800, 0)
    assert len(aws.sent) == 1


async def test_without_a_queue_the_loop_rests(
    database: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop = asyncio.Event()
    loop = asyncio.create_task(AmazonEvents().run(stop, Batches("receive_amazon_events")))
    with suppress(TimeoutError):
        await asyncio.wait_for(asyncio.shield(loop), 0.05)
    assert not loop.done()
    stop.set()
    await loop
