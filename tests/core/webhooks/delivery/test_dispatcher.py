"""The loop of a worker: it goes on while somebody hangs, shares the work, and ends what it began."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta

import asyncpg
import pytest

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import outside_transaction
from core.foundation.http_client import GuardedClient
from core.foundation.security.caller import Caller
from core.webhooks import Dispatcher
from core.webhooks.delivery import dispatcher, in_flight
from core.webhooks.delivery.attempt import AttemptOutcome
from core.webhooks.delivery.concurrency import HOST_BOUNDS, SUBSCRIPTION_BOUNDS
from core.webhooks.delivery.pause import resume_queues
from core.webhooks.delivery.save_outcomes import save_outcomes
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_subscription, an_event
from tests.support.receiver import Receiver, a_receiver
from tests.support.waiting import eventually

pytestmark = pytest.mark.usefixtures("real_commits")


@asynccontextmanager
async def running(*dispatchers: Dispatcher) -> AsyncIterator[asyncio.Event]:
    """The dispatchers at work; the event that stops them."""
    stop = asyncio.Event()
    tasks = [
        asyncio.create_task(one.run(stop), context=outside_transaction()) for one in dispatchers
    ]
    try:
        yield stop
    finally:
        stop.set()
        for one in dispatchers:
            one.wake()
        await asyncio.wait_for(asyncio.gather(*tasks), 60)


async def statuses() -> list[str]:
    rows = await db.fetch("SELECT status FROM webhook_deliveries ORDER BY id")
    return [row["status"] for row in rows]


async def all_delivered() -> bool:
    return set(await statuses()) == {"entregue"}


async def published(caller: Caller, count: int, type: str = "sms.delivered") -> None:
    for number in range(count):
        await an_event(caller, type, n=number)


async def test_what_is_due_is_delivered_and_written_down(
    receiver: Receiver, http: GuardedClient
) -> None:
    caller = await a_caller()
    await a_subscription(caller, receiver.url)
    await published(caller, 20)

    async with running(Dispatcher(http)):
        await eventually(all_delivered, "everything is delivered")

    assert sorted(event["data"]["n"] for event in receiver.events()) == list(range(20))


async def test_what_comes_later_is_found_without_a_wake_up(
    receiver: Receiver, http: GuardedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatcher, "POLL_SECONDS", 0.05)
    caller = await a_caller()
    await a_subscription(caller, receiver.url)

    async with running(Dispatcher(http)):
        await asyncio.sleep(0.1)
        await published(caller, 1)
        await eventually(lambda: len(receiver.arrivals) == 1, "the poll finds it")


async def test_a_wake_up_makes_it_look_at_once(
    receiver: Receiver, http: GuardedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatcher, "POLL_SECONDS", 3600.0)
    caller = await a_caller()
    await a_subscription(caller, receiver.url)
    worker = Dispatcher(http)

    async with running(worker):
        await asyncio.sleep(0.1)
        await published(caller, 1)
        worker.wake()
        await eventually(all_delivered, "the wake-up makes it look")


async def test_an_endpoint_that_hangs_keeps_nobody_else_waiting(
    receiver: Receiver, http: GuardedClient
) -> None:
    caller = await a_caller()
    async with a_receiver() as hanging:
        hanging.hold()
        await a_subscription(caller, hanging.url, events=["sms.failed"])
        await a_subscription(caller, receiver.url, events=["sms.delivered"])
        worker = Dispatcher(http)
        async with running(worker):
            await published(caller, 4, "sms.failed")
            worker.wake()
            await eventually(lambda: hanging.waiting == 4, "the first endpoint hangs")
            for _ in range(3):
                await published(caller, 10)
                worker.wake()
            await eventually(
                lambda: len(receiver.arrivals) == 30,
                "the other endpoint gets its own",
            )
            assert hanging.waiting == 4
            hanging.release()
            await eventually(all_delivered, "both end well")


async def test_an_endpoint_that_hangs_with_a_long_queue_takes_its_share_only(
    receiver: Receiver, http: GuardedClient
) -> None:
    caller = await a_caller()
    async with a_receiver() as hanging:
        hanging.hold()
        await a_subscription(caller, hanging.url, events=["sms.failed"])
        await a_subscription(caller, receiver.url, events=["sms.delivered"])
        await published(caller, 100, "sms.failed")
        await published(caller, 30)
        worker = Dispatcher(http, max_in_flight=20)
        async with running(worker):
            await eventually(
                lambda: len(receiver.arrivals) == 30,
                "the other endpoint gets its own",
            )
            assert hanging.waiting == SUBSCRIPTION_BOUNDS.initial
            hanging.release()
            await eventually(all_delivered, "both end well")


async def test_many_that_hang_are_marked_slow_and_keep_nobody_waiting(
    receiver: Receiver, http: GuardedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(in_flight, "SLOW_AFTER_SECONDS", 0.05)
    caller = await a_caller()
    async with AsyncExitStack() as stack:
        hanging = [await stack.enter_async_context(a_receiver()) for _ in range(8)]
        for one in hanging:
            one.hold()
            await a_subscription(caller, one.url, events=["sms.failed"])
        await a_subscription(caller, receiver.url)
        await published(caller, 10, "sms.failed")
        await published(caller, 30)
        async with running(Dispatcher(http, max_in_flight=8)):
            await eventually(
                lambda: len(receiver.arrivals) == 30,
                "the one that answers gets its own",
            )
            assert sum(one.waiting for one in hanging) >= 8, "more hang than there are slots"
            for one in hanging:
                one.release()
            await eventually(all_delivered, "all end well")


async def test_a_host_that_hangs_under_many_subscriptions_is_one_receiver(
    receiver: Receiver, http: GuardedClient
) -> None:
    caller = await a_caller()
    async with a_receiver() as hanging:
        hanging.hold()
        for number in range(20):
            await a_subscription(caller, f"{hanging.url}/{number}", events=["sms.failed"])
        await a_subscription(caller, receiver.url)
        await published(caller, 5, "sms.failed")
        await published(caller, 30)
        async with running(Dispatcher(http, max_in_flight=32)):
            await eventually(
                lambda: len(receiver.arrivals) == 30,
                "the other host gets its own",
            )
            assert hanging.waiting == HOST_BOUNDS.initial
            hanging.release()
            await eventually(all_delivered, "all end well")


async def test_a_host_that_hangs_for_one_organization_answers_another_at_once(
    receiver: Receiver, http: GuardedClient
) -> None:
    one, other = await a_caller(), await a_caller()
    receiver.hold(lambda arrival: arrival.event["organizationId"] == one.organization_id)
    for number in range(20):
        await a_subscription(one, f"{receiver.url}/{number}")
    await a_subscription(other, receiver.url)
    await published(one, 5)
    worker = Dispatcher(http)
    async with running(worker):
        await eventually(
            lambda: receiver.waiting == HOST_BOUNDS.initial,
            "all slots of the one are taken",
        )
        await published(other, 10)
        worker.wake()
        await eventually(
            lambda: sum(receiver.answered.values()) == 10,
            "the other one gets its own",
        )
        assert receiver.waiting == HOST_BOUNDS.initial
        receiver.release()
        await eventually(all_delivered, "all end well")


async def test_many_hosts_that_hang_for_one_organization_leave_the_others_their_slots(
    receiver: Receiver, http: GuardedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(in_flight, "SLOW_AFTER_SECONDS", 0.05)
    one, other = await a_caller(), await a_caller()
    async with AsyncExitStack() as stack:
        hanging = [await stack.enter_async_context(a_receiver()) for _ in range(12)]
        for host in hanging:
            host.hold()
            await a_subscription(one, host.url)
        await a_subscription(other, receiver.url)
        await published(one, 5)
        worker = Dispatcher(http, max_in_flight=16, max_slow=16, max_at_risk=6)
        async with running(worker):
            await eventually(
                lambda: sum(host.waiting for host in hanging) >= 6,
                "the one's hosts hang",
            )
            for _ in range(3):
                await published(other, 10)
                worker.wake()
            await eventually(
                lambda: len(receiver.arrivals) == 30,
                "the other one gets its own",
            )
            assert sum(host.waiting for host in hanging) == 6
            for host in hanging:
                host.release()
            await eventually(all_delivered, "all end well")


async def test_probes_go_to_failing_subscriptions_and_their_backlog_follows_a_success(
    receiver: Receiver, http: GuardedClient
) -> None:
    caller = await a_caller()
    id = (await a_subscription(caller, receiver.url))["webhook"]["id"]
    await published(caller, 3)
    await db.execute("UPDATE webhook_subscriptions SET status = 'failing', probe_at = now()")

    await asyncio.create_task(Dispatcher(http).drain(), context=outside_transaction())
    assert len(receiver.arrivals) == 1
    await resume_queues(at=now() - timedelta(seconds=10))
    assert len(receiver.arrivals) == 1, "it is not its time yet"
    await resume_queues(at=now())
    await db.execute(
        "UPDATE webhook_deliveries SET due_at = due_at - interval '10 seconds' WHERE due_at IS NOT NULL"
    )
    await asyncio.create_task(Dispatcher(http).drain(), context=outside_transaction())

    assert await all_delivered()
    assert receiver.events()[0]["data"]["n"] == 0, "the oldest is the probe"
    assert (
        await db.fetchval("SELECT status FROM webhook_subscriptions WHERE id = $1", id) == "active"
    )


async def test_what_has_begun_is_finished_and_nothing_else_is_begun(
    receiver: Receiver, http: GuardedClient
) -> None:
    caller = await a_caller()
    await a_subscription(caller, receiver.url)
    await published(caller, 3)
    receiver.hold()
    worker, stop = Dispatcher(http), asyncio.Event()
    task = asyncio.create_task(worker.run(stop), context=outside_transaction())
    await eventually(lambda: receiver.waiting == 3, "the attempts have begun")

    stop.set()
    await published(caller, 2)
    worker.wake()
    await asyncio.sleep(0.1)
    assert not task.done(), "it waits for its attempts"
    receiver.release()
    await asyncio.wait_for(task, 60)

    assert len(receiver.arrivals) == 3
    assert sorted(await statuses()) == ["entregue"] * 3 + ["pendente"] * 2


async def test_several_workers_share_the_work_and_make_no_attempt_twice(
    receiver: Receiver, http: GuardedClient
) -> None:
    caller = await a_caller()
    await a_subscription(caller, receiver.url)
    await published(caller, 60)

    async with running(*(Dispatcher(http, max_in_flight=5) for _ in range(3))):
        await eventually(all_delivered, "everything is delivered")

    assert len(receiver.arrivals) == 60
    assert len({arrival.headers["x-svc-delivery-id"] for arrival in receiver.arrivals}) == 60


async def test_outcomes_that_could_not_be_written_are_written_later(
    receiver: Receiver, http: GuardedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = await a_caller()
    await a_subscription(caller, receiver.url)
    await published(caller, 2)
    outages = [ConnectionError("the database is away")]

    async def fails_once(outcomes: list[AttemptOutcome]) -> None:
        if outcomes and outages:
            raise outages.pop()
        await save_outcomes(outcomes)

    monkeypatch.setattr(dispatcher, "save_outcomes", fails_once)
    worker = Dispatcher(http)

    with pytest.raises(ConnectionError):
        await asyncio.create_task(worker.drain(), context=outside_transaction())
    await asyncio.create_task(worker.drain(), context=outside_transaction())

    assert await statuses() == ["entregue", "entregue"]
    assert len(receiver.arrivals) == 2


async def test_outcomes_of_an_organization_that_moves_hold_up_nobody(
    receiver: Receiver, http: GuardedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    moving, staying = await a_caller(), await a_caller()
    for caller in (moving, staying):
        await a_subscription(caller, receiver.url)
        await published(caller, 2)
    closed = [True]

    async def behind_a_gate(outcomes: list[AttemptOutcome]) -> None:
        if closed and any(one.organization_id == moving.organization_id for one in outcomes):
            raise asyncpg.LockNotAvailableError("the organization is being moved")
        await save_outcomes(outcomes)

    async def delivered() -> bool:
        return sorted(await statuses()).count("entregue") == 2

    monkeypatch.setattr(dispatcher, "save_outcomes", behind_a_gate)
    monkeypatch.setattr(dispatcher, "MOVED_RETRY_SECONDS", 0.05)
    async with running(Dispatcher(http)):
        await eventually(lambda: len(receiver.arrivals) == 4, "all are posted")
        await eventually(delivered, "those of the other are saved")
        closed.clear()
        await eventually(all_delivered, "the rest is saved")
    assert len(receiver.arrivals) == 4


async def test_a_fault_of_ours_leaves_the_delivery_to_its_lease_and_the_others_go_on(
    receiver: Receiver, http: GuardedClient
) -> None:
    caller = await a_caller()
    broken = (await a_subscription(caller, receiver.url))["webhook"]["id"]
    await a_subscription(caller, receiver.url)
    await db.execute(
        "UPDATE webhook_subscriptions SET secret_cipher = 'unreadable' WHERE id = $1", broken
    )
    await published(caller, 1)

    await asyncio.create_task(Dispatcher(http).drain(), context=outside_transaction())

    rows = await db.fetch(
        "SELECT subscription_id, status, attempts, due_at IS NOT NULL AS due FROM webhook_deliveries"
    )
    by_subscription = {
        row["subscription_id"]: (row["status"], row["attempts"], row["due"]) for row in rows
    }
    assert by_subscription.pop(broken) == ("pendente", 0, True)
    assert list(by_subscription.values()) == [("entregue", 1, False)]


async def test_what_is_claimed_ahead_is_posted_as_slots_become_free(
    receiver: Receiver, http: GuardedClient
) -> None:
    caller = await a_caller()
    await a_subscription(caller, receiver.url)
    await published(caller, 4)
    receiver.hold()

    async with running(Dispatcher(http, max_in_flight=2, max_prefetched=2)):
        await eventually(lambda: receiver.waiting == 2, "two are under way")
        await eventually(lambda: leased_now(4), "the other two are claimed")
        receiver.release()
        await eventually(all_delivered, "all are delivered")

    assert len(receiver.arrivals) == 4


async def test_what_is_claimed_and_not_begun_is_due_again_for_others_when_a_worker_stops(
    receiver: Receiver, http: GuardedClient
) -> None:
    caller = await a_caller()
    await a_subscription(caller, receiver.url)
    await published(caller, 4)
    receiver.hold()
    async with running(Dispatcher(http, max_in_flight=2, max_prefetched=2)) as stop:
        await eventually(lambda: receiver.waiting == 2, "two are under way")
        await eventually(lambda: leased_now(4), "the other two are claimed")
        stop.set()
        await eventually(
            lambda: leased_now(2),
            "the others are given back while these go on",
        )
        receiver.release()

    assert len(receiver.arrivals) == 2
    assert sorted(await statuses()) == ["entregue"] * 2 + ["pendente"] * 2
    await asyncio.create_task(Dispatcher(http).drain(), context=outside_transaction())
    assert await all_delivered()
    assert len(receiver.arrivals) == 4


async def test_a_claim_that_waited_too_long_is_left_to_its_lease(
    receiver: Receiver, http: GuardedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = await a_caller()
    await a_subscription(caller, receiver.url)
    await published(caller, 2)
    receiver.hold()
    async with running(Dispatcher(http, max_in_flight=1, max_prefetched=1)):
        await eventually(
            lambda: receiver.waiting == 1,
            "one is under way, the other is claimed",
        )
        monkeypatch.setattr(in_flight, "MAX_CLAIM_AGE_SECONDS", 0.0)
        receiver.release()
        await eventually(lambda: delivered(1), "the first one is delivered")

    assert len(receiver.arrivals) == 1
    assert await leased() == 1, "the lease ends by itself"
    await db.execute("UPDATE webhook_deliveries SET due_at = now() WHERE due_at IS NOT NULL")
    monkeypatch.undo()
    await asyncio.create_task(Dispatcher(http).drain(), context=outside_transaction())
    assert await all_delivered()


async def test_more_than_begin_in_one_turn_are_all_begun(
    receiver: Receiver, http: GuardedClient
) -> None:
    caller = await a_caller()
    async with AsyncExitStack() as stack:
        hosts = [await stack.enter_async_context(a_receiver()) for _ in range(3)]
        for host in hosts:
            host.hold()
            for number in range(HOST_BOUNDS.initial):
                await a_subscription(caller, f"{host.url}/{number}")
        assert len(hosts) * HOST_BOUNDS.initial > dispatcher.START_BATCH_SIZE
        await published(caller, 1)
        async with running(Dispatcher(http)):
            await eventually(
                lambda: all(host.waiting == HOST_BOUNDS.initial for host in hosts),
                "all have begun",
            )
            for host in hosts:
                host.release()
            await eventually(all_delivered, "all are delivered")


async def leased() -> int:
    """How many deliveries are claimed."""
    count: int = await db.fetchval(
        "SELECT count(*) FROM webhook_deliveries WHERE status = 'pendente' AND due_at > now() + interval '1 second'"
    )
    return count


async def leased_now(count: int) -> bool:
    return await leased() == count


async def delivered(count: int) -> bool:
    return (await statuses()).count("entregue") == count
