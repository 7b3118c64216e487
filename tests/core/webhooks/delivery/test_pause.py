"""Pausing and resuming: a paused subscription gets nothing, and what waited goes out afterwards."""

import asyncio
from datetime import timedelta

import pytest

from core.foundation.clock import now
from core.foundation.database.transactions import outside_transaction, transaction
from core.foundation.jobs import Job
from core.webhooks import WebhookDelivery, WebhookDeliveryStatus, WebhookSubscription
from core.webhooks.delivery.pause import pause_queues, resume_queues
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_subscription, an_event
from tests.fakes.queue import RecordedQueue
from tests.support.claims import claim_due
from tests.support.receiver import a_receiver
from tests.support.subscriptions import changed, deliver_all, make
from tests.support.waiting import eventually


@pytest.mark.parametrize(
    ("before", "asked", "after"),
    [
        ("active", "active", "active"),
        ("active", "paused", "paused"),
        ("paused", "paused", "paused"),
        ("paused", "active", "active"),
        ("failing", "paused", "paused"),
        ("failing", "active", "active"),
    ],
)
async def test_the_moves_of_a_client(
    clean_slate: None, before: str, asked: str, after: str
) -> None:
    caller = await a_caller()
    id = (await a_subscription(caller))["webhook"]["id"]
    await make(id, before)

    assert (await changed(caller, id, status=asked))["status"] == after
    assert (await WebhookSubscription.get(id=id)).status == after


@pytest.mark.parametrize("before", ["failing", "paused"])
async def test_resuming_forgets_the_failures(clean_slate: None, before: str) -> None:
    caller = await a_caller()
    id = (await a_subscription(caller))["webhook"]["id"]
    await make(id, before, failures=7)

    assert (await changed(caller, id, status="active"))["consecutiveFailures"] == 0


@pytest.mark.parametrize(
    ("before", "asked"), [("active", "active"), ("failing", "paused"), ("active", "paused")]
)
async def test_no_other_move_forgets_the_failures(
    clean_slate: None, before: str, asked: str
) -> None:
    caller = await a_caller()
    id = (await a_subscription(caller))["webhook"]["id"]
    await make(id, before, failures=3)

    assert (await changed(caller, id, status=asked))["consecutiveFailures"] == 3


async def test_a_paused_subscription_gets_nothing_until_it_is_resumed(
    clean_slate: None, queue: RecordedQueue
) -> None:
    caller = await a_caller()
    async with a_receiver() as receiver:
        id = (await a_subscription(caller, receiver.url))["webhook"]["id"]
        other = (await a_subscription(caller, receiver.url))["webhook"]["id"]
        await an_event(caller, id="msg_before")
        await changed(caller, id, status="paused")
        await an_event(caller, id="msg_meanwhile")

        await deliver_all()
        assert {arrival.headers["x-svc-webhook-id"] for arrival in receiver.arrivals} == {other}
        (paused,) = await WebhookDelivery.filter(
            subscription_id=id, status=WebhookDeliveryStatus.PENDING
        )
        assert paused.due_at is None
        assert (
            await WebhookDelivery.filter(
                subscription_id=id, status=WebhookDeliveryStatus.HELD_BACK
            ).count()
            == 1
        )

        receiver.arrivals.clear()
        await asyncio.sleep(0.1)  # the wake-up of the events above
        queue.jobs.clear()
        await changed(caller, id, status="active")
        await deliver_all()

        assert [event["data"]["id"] for event in receiver.events()] == ["msg_before"]
        assert (
            await WebhookDelivery.filter(
                subscription_id=id, status=WebhookDeliveryStatus.HELD_BACK
            ).count()
            == 1
        )


async def test_resuming_wakes_the_workers_for_what_was_paused(
    real_commits: None, queue: RecordedQueue
) -> None:
    caller = await a_caller()
    id = (await a_subscription(caller))["webhook"]["id"]
    await an_event(caller)
    await changed(caller, id, status="paused")
    assert await claim_due(at=now(), limit=10) == []
    await asyncio.sleep(0.1)
    queue.jobs.clear()

    await changed(caller, id, status="active")

    await eventually(lambda: Job.RESUME_WEBHOOKS in queue.jobs, "the workers are woken")
    queue.jobs.clear()
    await resume_queues(at=now())
    await eventually(lambda: queue.jobs == [Job.DELIVER_WEBHOOKS], "they take it up")
    assert len(await claim_due(at=now(), limit=10)) == 1


async def test_a_retry_that_comes_due_during_a_pause_waits_with_its_attempts(
    clean_slate: None,
) -> None:
    caller = await a_caller()
    id = (await a_subscription(caller))["webhook"]["id"]
    await an_event(caller)
    await WebhookDelivery.all().update(
        status=WebhookDeliveryStatus.RETRYING, attempts=2, due_at=now() + timedelta(minutes=5)
    )
    await changed(caller, id, status="paused")

    assert await claim_due(at=now() + timedelta(minutes=6), limit=10) == []
    await changed(caller, id, status="active")
    await resume_queues(at=now())

    (due,) = await claim_due(at=now(), limit=10)
    assert due.attempts == 2


async def test_what_was_found_silent_before_a_resumption_is_not_paused_after_it(
    clean_slate: None,
) -> None:
    caller = await a_caller()
    id = (await a_subscription(caller))["webhook"]["id"]
    await an_event(caller)

    await pause_queues([id], at=now(), limit=10)

    assert (await WebhookDelivery.get(subscription_id=id)).due_at is not None


async def test_pausing_waits_for_a_resumption_under_way_and_then_leaves_it_alone(
    real_commits: None,
) -> None:
    caller = await a_caller()
    id = (await a_subscription(caller))["webhook"]["id"]
    await an_event(caller)
    await make(id, "paused")

    async with transaction():
        await changed(caller, id, status="active")
        pausing = asyncio.create_task(
            pause_queues([id], at=now(), limit=10), context=outside_transaction()
        )
        await asyncio.sleep(0.2)
        assert not pausing.done()
    await asyncio.wait_for(pausing, 60)

    assert (await WebhookDelivery.get(subscription_id=id)).due_at is not None


async def test_finished_deliveries_are_not_sent_again_by_a_resumption(clean_slate: None) -> None:
    caller = await a_caller()
    id = (await a_subscription(caller))["webhook"]["id"]
    for status in (
        WebhookDeliveryStatus.DELIVERED,
        WebhookDeliveryStatus.DEAD,
        WebhookDeliveryStatus.HELD_BACK,
    ):
        await an_event(caller)
        await WebhookDelivery.filter(status=WebhookDeliveryStatus.PENDING).update(
            status=status, due_at=None
        )

    await changed(caller, id, status="paused")
    await changed(caller, id, status="active")
    await resume_queues(at=now())

    assert await claim_due(at=now(), limit=10) == []
