"""Recording what happened: with its cause, for those who listen, and for nobody else."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from core import webhooks
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.ids import is_id
from core.foundation.jobs import GATHER_SECONDS, Job
from core.foundation.security.caller import Caller
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_subscription, an_event
from tests.fakes.queue import RecordedQueue
from tests.support.stored import nothing_stored
from tests.support.waiting import eventually

pytestmark = pytest.mark.usefixtures("clean_slate")


async def a_listener(caller: Caller, *events: str, status: str = "active") -> str:
    id: str = (await a_subscription(caller, events=list(events or ("sms.delivered",))))["webhook"][
        "id"
    ]
    await db.execute("UPDATE webhook_subscriptions SET status = $2 WHERE id = $1", id, status)
    return id


async def deliveries_of(subscription_id: str) -> list[dict[str, Any]]:
    rows = await db.fetch(
        "SELECT d.*, e.type FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id "
        "WHERE d.subscription_id = $1 ORDER BY e.occurred_at",
        subscription_id,
    )
    return [dict(row) for row in rows]


async def events_of(caller: Caller) -> list[dict[str, Any]]:
    rows = await db.fetch(
        "SELECT * FROM webhook_events WHERE organization_id = $1 AND env = $2 ORDER BY occurred_at",
        caller.organization_id,
        caller.env,
    )
    return [dict(row) for row in rows]


async def test_an_event_is_frozen_as_it_happened() -> None:
    caller, at = await a_caller(), now() - timedelta(minutes=5)

    await webhooks.publish(
        caller, "sms.delivered", {"id": "msg_1", "to": "+5511987654321", "n": [1, None]}, at=at
    )

    (event,) = await events_of(caller)
    assert is_id("evt", event["id"])
    assert (event["type"], event["env"], event["occurred_at"]) == ("sms.delivered", "test", at)
    assert event["request_id"] == caller.request_id
    assert event["data"] == {"id": "msg_1", "to": "+5511987654321", "n": [1, None]}


async def test_each_listener_gets_one_delivery() -> None:
    caller = await a_caller()
    listeners = [await a_listener(caller), await a_listener(caller, "sms.failed", "sms.delivered")]
    deaf = await a_listener(caller, "sms.failed")
    at = now()

    await an_event(caller, at=at)

    (event,) = await events_of(caller)
    for id in listeners:
        (delivery,) = await deliveries_of(id)
        assert is_id("dlv", delivery["id"])
        assert (delivery["event_id"], delivery["status"], delivery["attempts"]) == (
            event["id"],
            "pendente",
            0,
        )
        assert delivery["due_at"] == at
        assert (delivery["organization_id"], delivery["env"]) == (caller.organization_id, "test")
    assert await deliveries_of(deaf) == []


async def test_another_organization_and_the_other_environment_are_not_told() -> None:
    caller, stranger = await a_caller(), await a_caller()
    live = await a_caller("live", organization_id=caller.organization_id)
    outsiders = [await a_listener(stranger), await a_listener(live)]

    await an_event(caller)

    for id in outsiders:
        assert await deliveries_of(id) == []


@pytest.mark.parametrize(
    ("status", "kept_as", "due"),
    [("active", "pendente", True), ("failing", "pendente", True), ("paused", "retida", False),
     ("revoked", "retida", False)],
)  # fmt: skip
async def test_what_happens_while_a_subscription_is_silent_is_held_back(
    status: str, kept_as: str, due: bool
) -> None:
    caller = await a_caller()
    id = await a_listener(caller, status=status)

    await an_event(caller)

    (delivery,) = await deliveries_of(id)
    assert (delivery["status"], delivery["due_at"] is not None) == (kept_as, due)


async def test_an_event_that_nobody_listens_to_is_recorded_all_the_same() -> None:
    caller = await a_caller()

    await an_event(caller)

    assert len(await events_of(caller)) == 1


async def test_many_events_are_told_apart() -> None:
    one, two = await a_caller(), await a_caller()
    of_one, of_two = await a_listener(one, "sms.delivered", "sms.failed"), await a_listener(two)
    at = now()

    await webhooks.publish_many(
        [
            webhooks.NewEvent(one.organization_id, "test", "sms.delivered", {"n": 1}, at),
            webhooks.NewEvent(
                one.organization_id, "test", "sms.failed", {"n": 2}, at + timedelta(seconds=1)
            ),
            webhooks.NewEvent(two.organization_id, "test", "sms.delivered", {"n": 3}, at),
            webhooks.NewEvent(two.organization_id, "test", "sms.failed", {"n": 4}, at),
        ],
        at=at,
    )

    assert [delivery["type"] for delivery in await deliveries_of(of_one)] == [
        "sms.delivered",
        "sms.failed",
    ]
    assert [delivery["type"] for delivery in await deliveries_of(of_two)] == ["sms.delivered"]
    assert [event["data"] for event in await events_of(one)] == [{"n": 1}, {"n": 2}]


async def test_no_events_write_nothing() -> None:
    async with nothing_stored():
        await webhooks.publish_many([], at=now())


class CauseFailed(Exception):
    """What the event would have told of did not happen after all."""


async def test_an_event_goes_with_its_cause(queue: RecordedQueue) -> None:
    caller = await a_caller()
    await a_listener(caller)

    async with nothing_stored():
        with pytest.raises(CauseFailed):
            async with transaction():
                await an_event(caller)
                raise CauseFailed

    assert queue.jobs == []


async def test_the_workers_are_woken_after_the_commit(queue: RecordedQueue) -> None:
    caller = await a_caller()
    await a_listener(caller)

    async with transaction():
        await an_event(caller)
        await asyncio.sleep(2 * GATHER_SECONDS)
        assert queue.jobs == []

    await eventually(
        lambda: queue.jobs == [Job.DELIVER_WEBHOOKS],
        "the workers are woken once",
    )


async def test_nobody_is_woken_for_what_is_held_back_or_heard_by_nobody(
    queue: RecordedQueue,
) -> None:
    caller = await a_caller()
    await a_listener(caller, "sms.failed", status="paused")

    await an_event(caller, "sms.failed")
    await an_event(caller, "sms.delivered")
    await asyncio.sleep(2 * GATHER_SECONDS)

    assert queue.jobs == []
