"""What happens at the same time, with real commits."""

import asyncio
from importlib import import_module
from typing import Any

import pytest

from core import idempotency, journeys, push, segments
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import PaymentRequired, ServiceError
from core.idempotency import RequestInProgress, concurrent
from core.wallet import Wallet
from tests.factories.contacts import a_contact
from tests.factories.organizations import a_caller
from tests.factories.push import a_device, a_dispatch, opt_out

pytestmark = pytest.mark.usefixtures("real_commits")


async def test_a_key_that_is_used_several_times_at_once_sends_once() -> None:
    caller = await a_caller()
    await a_device(caller)

    answers = await asyncio.gather(*(a_dispatch(caller, key="k") for _ in range(5)))

    assert len({answer["id"] for answer in answers}) == 1
    assert await db.fetchval("SELECT count(*) FROM push_dispatches") == 1
    assert await db.fetchval("SELECT count(*) FROM push_deliveries") == 1


async def test_who_waits_too_long_for_the_first_use_of_a_key_is_told_to_come_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caller = await a_caller()
    monkeypatch.setattr(concurrent, "WAIT_TIMEOUT_SECONDS", 0.05)
    monkeypatch.setattr(concurrent, "POLL_SECONDS", 0.01)
    held, done = asyncio.Event(), asyncio.Event()
    hold = idempotency.find_many

    async def slow(*arguments: Any, **named: Any) -> Any:
        held.set()
        await done.wait()
        return await hold(*arguments, **named)

    monkeypatch.setattr(import_module("core.idempotency.idempotent"), "find_many", slow)
    first = asyncio.create_task(a_dispatch(caller, key="k"))
    await held.wait()
    with pytest.raises(RequestInProgress):
        await a_dispatch(caller, key="k")
    monkeypatch.setattr(concurrent, "MAX_WAITERS", 0)
    with pytest.raises(RequestInProgress):
        await a_dispatch(caller, key="k")
    done.set()

    assert (await first)["status"] == "queued"
    assert await db.fetchval("SELECT count(*) FROM push_dispatches") == 1


async def test_two_dispatches_that_the_balance_pays_for_one_of_never_both_go() -> None:
    caller = await a_caller()
    for _ in range(3):
        await a_device(caller)
    await Wallet.filter(organization_id=caller.organization_id, env="test").update(available=100)

    answers = await asyncio.gather(*(a_dispatch(caller) for _ in range(2)), return_exceptions=True)

    assert sum(isinstance(answer, PaymentRequired) for answer in answers) == 1
    assert (await Wallet.get(organization_id=caller.organization_id, env="test")).available == 40


async def test_a_device_that_registers_twice_at_once_is_one() -> None:
    caller = await a_caller()

    answers = await asyncio.gather(*(a_device(caller, "t1") for _ in range(5)))

    assert len({answer["id"] for answer in answers}) == 1
    assert sum(answer["criado"] for answer in answers) == 1


async def test_several_workers_settle_each_device_once() -> None:
    caller = await a_caller()
    for place in range(60):
        await a_device(caller, f"t{place}{':fail' if place % 3 == 0 else ''}")
    await db.execute(
        "UPDATE wallets SET available = 10000 WHERE organization_id = $1", caller.organization_id
    )
    created = await a_dispatch(caller)

    async def work() -> None:
        while await push.start_due(at=now()):
            pass
        for _ in range(10):
            await push.drain_sandbox(at=now(), batch=7)

    opens = [
        push.record_open(caller, created["id"], push.Opened(token="t1")),
        opt_out(caller, "t2"),
    ]
    await asyncio.gather(work(), work(), work(), *opens)
    await work()

    done = await push.get_push(caller, created["id"])
    assert done["status"] == "sent"
    assert done["metrics"]["delivered"] + done["metrics"]["failed"] in (59, 60)
    assert done["metrics"]["failed"] == 20
    row = await Wallet.get(organization_id=caller.organization_id, env="test")
    assert (row.held, row.revenue) == (0, 20 * done["metrics"]["delivered"])


async def test_a_segment_that_is_deleted_while_its_pushes_are_canceled_and_begin_gives_nothing_back_twice() -> (
    None
):
    caller = await a_caller()
    vip = {"name": "Vip", "filters": [{"field": "tag", "operator": "is", "value": "vip"}]}
    segment = (await segments.create_segment(caller, segments.NewSegment.model_validate(vip)))["id"]
    contact = await a_contact(caller, tags=["vip"])
    for _ in range(3):
        await a_device(caller, contactId=contact["id"])
    await db.execute(
        "UPDATE wallets SET available = 10000 WHERE organization_id = $1", caller.organization_id
    )
    waiting = [
        await a_dispatch(caller, segment=segment, scheduledAt="2999-01-01T12:00:00Z")
        for _ in range(4)
    ]
    due = [await a_dispatch(caller, segment=segment) for _ in range(4)]

    answers = await asyncio.gather(
        journeys.delete_segment(caller, segment),
        *(push.cancel_push(caller, one["id"]) for one in waiting[:2]),
        *(push.start_due(at=now()) for _ in due),
        *(
            a_dispatch(caller, segment=segment, scheduledAt="2999-01-01T12:00:00Z")
            for _ in range(2)
        ),
        return_exceptions=True,
    )
    while await push.start_due(at=now()) or await push.drain_sandbox(at=now()):
        pass

    assert all(isinstance(one, ServiceError) for one in answers if isinstance(one, BaseException))
    rows = await db.fetch("SELECT * FROM push_dispatches")
    assert {row["status"] for row in rows} <= {"failed", "canceled", "sent"}
    assert all(row["open_count"] == 0 for row in rows)
    assert all(row["captured_coins"] + row["released_coins"] == 60 for row in rows)
    row = await Wallet.get(organization_id=caller.organization_id, env="test")
    assert (row.held, row.available + row.revenue) == (0, 10000)
