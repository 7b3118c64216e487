"""Batches of a process are written one behind the other, where that is sooner done."""

import asyncio

import pytest

from core import wallet
from core.foundation.database import db
from core.foundation.database.transactions import outside_transaction, transaction
from core.messaging import batch_lock
from core.messaging.batch_lock import REMEMBERED, SPACE, BatchLock, one_behind_the_other
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send
from tests.support.races import outside, somebody_waits
from tests.support.waiting import eventually


@pytest.fixture(autouse=True)
def lock(monkeypatch: pytest.MonkeyPatch) -> BatchLock:
    """A lock that remembers nothing, and finds every batch quick."""
    monkeypatch.setattr(batch_lock, "WORTH_SECONDS", 60.0)
    batch_lock._locks.clear()
    return batch_lock._locks["main"]


async def are_waiting_for_the_lock(number: int) -> None:
    async def wait() -> bool:
        waiting = await outside(
            db.fetchval(
                "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND NOT granted",
                SPACE,
            )
        )
        return bool(waiting == number)

    await eventually(wait, f"{number} batches wait for the lock")


def test_is_taken_until_all_batches_of_late_waited_for_disk_or_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.undo()
    lock = BatchLock()
    key = lock.key()
    assert key is not None

    lock.took(0.0100, sends=8)
    assert lock.key() is None

    lock.took(0.0025, sends=8)  # 8 × 0.15 ms of work, and 1.3 ms besides
    for _ in range(REMEMBERED - 1):
        lock.took(0.0100, sends=8)
    assert lock.key() == key

    lock.took(0.0100, sends=8)
    assert lock.key() is None


def test_processes_have_one_each() -> None:
    assert BatchLock().key() != BatchLock().key()


@pytest.mark.usefixtures("real_commits")
async def test_a_batch_waits_for_the_one_before_it(lock: BatchLock) -> None:
    caller = await a_caller()
    async with transaction():
        await db.execute("SELECT pg_advisory_xact_lock($1, $2)", SPACE, lock.key())
        sending = asyncio.create_task(a_send(caller), context=outside_transaction())
        await are_waiting_for_the_lock(1)
    assert (await sending)["status"] == "sent"


@pytest.mark.usefixtures("real_commits")
async def test_who_waits_for_a_wallet_holds_up_nobody_else() -> None:
    locked, free = await a_caller(), await a_caller()
    async with transaction():
        await wallet.lock_balances({(locked.organization_id, locked.env)})
        held_up = asyncio.create_task(a_send(locked), context=outside_transaction())
        await somebody_waits()
        sent = await asyncio.create_task(a_send(free), context=outside_transaction())
        assert sent["status"] == "sent"
        assert not held_up.done()
    assert (await held_up)["status"] == "sent"


@pytest.mark.usefixtures("real_commits")
async def test_a_transaction_takes_none() -> None:
    async with transaction():
        with one_behind_the_other(1) as key:
            assert key is None
