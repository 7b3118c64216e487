"""Batches of a process are written one behind the other, where that is sooner done."""

import asyncio
from typing import Any

import pytest

from core import wallet
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller
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


async def batches(*, granted: bool) -> int:
    """How many have the lock, or wait for it."""
    number: int = await outside(db.fetchval(BATCHES, SPACE, granted))
    return number


BATCHES = """
SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND granted = $2
"""


def test_is_taken_until_all_batches_of_late_waited_for_disk_or_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.undo()
    lock = BatchLock()
    key = lock.key()
    assert key is not None

    lock.took(0.0100, sends=8)
    assert lock.key() is None

    lock.took(0.0040, sends=8)  # 8 × 0.3 ms of work, and 1.6 ms besides
    for _ in range(REMEMBERED - 1):
        lock.took(0.0100, sends=8)
    assert lock.key() == key

    lock.took(0.0100, sends=8)
    assert lock.key() is None


def test_processes_have_one_each() -> None:
    assert BatchLock().key() != BatchLock().key()


def two_sends(caller: Caller) -> "asyncio.Task[list[dict[str, Any]]]":
    """One batch of two, outside of the transaction around."""

    async def both() -> list[dict[str, Any]]:
        return [*await asyncio.gather(a_send(caller), a_send(caller))]

    return outside(both())


@pytest.mark.usefixtures("real_commits")
async def test_a_batch_waits_for_the_one_before_it(lock: BatchLock) -> None:
    caller = await a_caller()
    async with transaction():
        await db.execute("SELECT pg_advisory_xact_lock($1, $2)", SPACE, lock.key())
        sending = two_sends(caller)

        async def one_waits() -> bool:
            return await batches(granted=False) == 1

        await eventually(one_waits, "a batch waits for the lock")
    await sending


async def test_a_single_send_takes_none() -> None:
    with one_behind_the_other(1) as key:
        assert key is None


@pytest.mark.usefixtures("real_commits")
async def test_who_waits_for_a_wallet_holds_up_nobody_else() -> None:
    caller = await a_caller()
    async with transaction():
        await wallet.lock_balances({(caller.organization_id, caller.env)})
        held_up = two_sends(caller)
        await somebody_waits()
        assert await batches(granted=True) == 0
    await held_up


@pytest.mark.usefixtures("real_commits")
async def test_a_transaction_takes_none() -> None:
    async with transaction():
        with one_behind_the_other(2) as key:
            assert key is None
