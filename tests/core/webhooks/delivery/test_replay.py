"""Sending again: new deliveries of the same events, to the one subscription that asks."""

from datetime import timedelta
from typing import Any

import orjson
import pytest
from pydantic import ValidationError

from core import webhooks
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.errors import Forbidden, NotFound, ValidationFailed
from core.foundation.jobs import Job
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.inputs import read_body
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_subscription, an_event
from tests.fakes.queue import RecordedQueue
from tests.support.receiver import Receiver
from tests.support.stored import nothing_stored
from tests.support.subscriptions import changed, confirmed, deliver_all, make
from tests.support.waiting import eventually

pytestmark = pytest.mark.usefixtures("clean_slate")


async def again(caller: Caller, id: str, **body: Any) -> int:
    """Replay as the API does; answers how many were requested."""
    wanted = read_body(webhooks.Replay, orjson.dumps(body))
    return int((await webhooks.replay_deliveries(caller, id, wanted))["requested"])


async def a_listener(
    caller: Caller, url: str = "http://127.0.0.1:9009/hooks", **fields: Any
) -> str:
    made = await a_subscription(caller, url, events=["sms.delivered", "sms.failed"], **fields)
    await confirmed(made["webhook"]["id"])
    return str(made["webhook"]["id"])


async def rows_of(id: str) -> list[dict[str, Any]]:
    rows = await db.fetch(
        "SELECT d.*, e.data FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id "
        "WHERE subscription_id = $1 ORDER BY d.created_at, d.id",
        id,
    )
    return [dict(row) for row in rows]


async def ended(id: str, status: str) -> None:
    await db.execute(
        "UPDATE webhook_deliveries SET status = $2, due_at = NULL WHERE subscription_id = $1",
        id,
        status,
    )


LONG_AGO = wire_time(now() - timedelta(days=3))
LATER = wire_time(now() + timedelta(days=1))


async def test_a_replayed_delivery_is_the_same_event_under_a_new_id(
    receiver: Receiver, queue: RecordedQueue
) -> None:
    caller = await a_caller()
    id = await a_listener(caller, receiver.url)
    await an_event(caller, n=1)
    await deliver_all()
    (first,) = await rows_of(id)
    queue.jobs.clear()

    assert await again(caller, id, deliveryIds=[first["id"]]) == 1
    await deliver_all()

    one, two = receiver.arrivals
    assert one.body == two.body
    assert one.headers["x-svc-delivery-id"] != two.headers["x-svc-delivery-id"]
    assert one.headers["webhook-id"] == two.headers["webhook-id"]
    assert "x-svc-replay" not in one.headers
    assert (two.headers["x-svc-replay"], two.headers["x-svc-attempt"]) == ("true", "1")
    assert [row["status"] for row in await rows_of(id)] == ["entregue", "entregue"]
    await eventually(
        lambda: queue.jobs == [Job.DELIVER_WEBHOOKS],
        "the workers are woken",
    )


async def test_a_time_is_replayed_by_event_and_status() -> None:
    caller = await a_caller()
    id, at = await a_listener(caller), now()
    for hours, type in ((3, "sms.delivered"), (2, "sms.failed"), (1, "sms.delivered")):
        await an_event(caller, type, at=at - timedelta(hours=hours), n=hours)
    await ended(id, "morta")

    def times(**more: Any) -> dict[str, Any]:
        return {"from": wire_time(at - timedelta(hours=2, minutes=30)), "to": LATER, **more}

    assert await again(caller, id, **times(status="retida")) == 0
    assert await again(caller, id, **times(status="morta", events=["sms.failed"])) == 1
    assert [row["data"]["n"] for row in await rows_of(id) if row["is_replay"]] == [2]
    assert await again(caller, id, **times(status="morta")) == 1  # the other is under way already
    assert sorted(row["data"]["n"] for row in await rows_of(id) if row["is_replay"]) == [1, 2]


async def test_what_is_under_way_is_not_doubled_unless_asked_for() -> None:
    caller = await a_caller()
    id = await a_listener(caller)
    await an_event(caller)

    assert await again(caller, id, **{"from": LONG_AGO, "to": LATER}) == 0
    assert await again(caller, id, **{"from": LONG_AGO, "to": LATER, "status": "pendente"}) == 1


async def test_an_event_that_failed_again_can_be_sent_again_and_once_only() -> None:
    caller = await a_caller()
    id = await a_listener(caller)
    await an_event(caller)
    await ended(id, "morta")
    time = {"from": LONG_AGO, "to": LATER, "status": "morta"}
    assert await again(caller, id, **time) == 1
    await ended(id, "morta")

    assert await again(caller, id, **time) == 1
    assert await again(caller, id, **time) == 0


async def test_a_time_that_was_shown_names_the_delivery_it_was_shown_for() -> None:
    caller = await a_caller()
    id = await a_listener(caller)
    await an_event(caller, at=now().replace(microsecond=123_999))
    await ended(id, "morta")
    (shown,) = (await webhooks.list_deliveries(caller, id, webhooks.DeliveryFilter()))["items"]

    assert await again(caller, id, **{"from": shown["createdAt"], "to": shown["createdAt"]}) == 1


async def test_a_time_that_ends_before_it_begins_is_refused() -> None:
    caller = await a_caller()
    id = await a_listener(caller)

    async with nothing_stored():
        with pytest.raises(ValidationFailed) as refused:
            await again(caller, id, **{"from": LATER, "to": LONG_AGO})

    assert [(error.where, error.code) for error in refused.value.errors] == [("/to", "too_small")]


async def test_an_event_named_by_two_of_its_deliveries_goes_once() -> None:
    caller = await a_caller()
    id = await a_listener(caller)
    await an_event(caller)
    await ended(id, "morta")
    await again(caller, id, **{"from": LONG_AGO, "to": LATER})

    assert await again(caller, id, deliveryIds=[row["id"] for row in await rows_of(id)]) == 1


async def test_what_a_paused_subscription_missed_waits_for_its_resumption(
    receiver: Receiver,
) -> None:
    caller = await a_caller()
    id = await a_listener(caller, receiver.url)
    await make(id, "paused")
    await an_event(caller)

    assert await again(caller, id, **{"from": LONG_AGO, "to": LATER, "status": "retida"}) == 1
    await deliver_all()
    assert receiver.arrivals == []

    await changed(caller, id, status="active")
    await deliver_all()
    (arrival,) = receiver.arrivals
    assert arrival.headers["x-svc-replay"] == "true"


async def test_another_subscriptions_delivery_is_refused_by_its_place() -> None:
    caller = await a_caller()
    id, other = await a_listener(caller), await a_listener(caller)
    await an_event(caller)
    (mine,), (theirs,) = await rows_of(id), await rows_of(other)

    async with nothing_stored():
        with pytest.raises(ValidationFailed) as refused:
            await again(caller, id, deliveryIds=[mine["id"], theirs["id"], "dlv_1"])

    assert [(error.where, error.code) for error in refused.value.errors] == [
        ("/deliveryIds/1", "not_found"),
        ("/deliveryIds/2", "not_found"),
    ]


async def test_what_is_older_than_30_days_cannot_be_sent_again() -> None:
    caller = await a_caller()
    id = await a_listener(caller)
    await an_event(caller, at=now() - timedelta(days=31))
    await ended(id, "morta")
    (old,) = await rows_of(id)

    assert (
        await again(caller, id, **{"from": wire_time(now() - timedelta(days=40)), "to": LATER}) == 0
    )
    with pytest.raises(ValidationFailed):
        await again(caller, id, deliveryIds=[old["id"]])


async def test_more_than_the_most_is_refused_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.webhooks.delivery.replay.MAX_EVENTS", 2)
    caller = await a_caller()
    id = await a_listener(caller)
    for _ in range(3):
        await an_event(caller)
    await ended(id, "morta")

    async with nothing_stored():
        with pytest.raises(ValidationFailed) as refused:
            await again(caller, id, **{"from": LONG_AGO, "to": LATER})

    assert [(error.where, error.code) for error in refused.value.errors] == [("/to", "too_many")]


@pytest.mark.parametrize(
    "body",
    [{}, {"from": LONG_AGO}, {"to": LATER}, {"deliveryIds": ["dlv_1"], "to": LATER}, {"deliveryIds": []},
     {"deliveryIds": ["dlv_1"], "status": "morta"}, {"events": ["sms.failed"]}],
)  # fmt: skip
def test_a_replay_names_deliveries_or_a_time(body: dict[str, Any]) -> None:
    with pytest.raises((ValidationFailed, ValidationError)):
        read_body(webhooks.Replay, orjson.dumps(body))


async def test_a_replay_is_in_the_audit_trail() -> None:
    caller = await a_caller()
    id = await a_listener(caller)

    await again(caller, id, **{"from": LONG_AGO, "to": LATER})

    (entry,) = await db.fetch("SELECT * FROM audit_entries WHERE action = 'webhook.replayed'")
    assert (entry["subject_id"], entry["facts"]) == (id, {"requested": 0, "by": "time"})


async def test_another_organization_and_a_reader_cannot_replay() -> None:
    caller = await a_caller()
    id = await a_listener(caller)

    for stranger in (
        await a_caller(),
        await a_caller("live", organization_id=caller.organization_id),
    ):
        async with nothing_stored():
            with pytest.raises(NotFound):
                await again(stranger, id, deliveryIds=["dlv_1"])
    reader = await a_caller(
        scopes=frozenset({Scope.WEBHOOKS_READ}), organization_id=caller.organization_id
    )
    with pytest.raises(Forbidden):
        await again(reader, id, deliveryIds=["dlv_1"])
