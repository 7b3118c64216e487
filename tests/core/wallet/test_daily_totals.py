"""Proofs from the sums of days: the same as from all movements, whenever these are summed, and few
of them read.
"""

import asyncio
import random
from datetime import UTC, date, datetime, timedelta

import pytest

from core import wallet
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller
from core.wallet import daily_totals
from core.wallet.statement import ProofDay, prove
from tests.factories.organizations import a_caller
from tests.support.plans import rows_read

pytestmark = pytest.mark.usefixtures("real_commits")

DAY, INSTANT = timedelta(days=1), timedelta(microseconds=1)
MIDNIGHT = datetime(2026, 3, 10, tzinfo=UTC)
TODAY = datetime.now(UTC).date()
"""Asked for once: proofs that are compared are of the same day, also around midnight."""


async def move(caller: Caller, origin: str, at: datetime, coins: int = 5) -> None:
    owner = (caller.organization_id, caller.env)
    async with transaction():
        await wallet.lock_balances({owner})
        await wallet.book(
            [wallet.hold(owner, origin, coins), wallet.capture(owner, origin, coins - 1)], at=at
        )


async def proofs(caller: Caller) -> list[wallet.Proof]:
    asked = [MIDNIGHT.date() + place * DAY for place in range(-3, 4)] + [TODAY]
    return [await prove(caller, ProofDay(dia=day)) for day in asked]


async def forget_sums() -> None:
    await db.execute("DELETE FROM wallet_days")
    await db.execute("DELETE FROM wallet_sums")


@pytest.mark.parametrize("seed", range(3))
async def test_a_proof_is_the_same_whatever_is_summed(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(daily_totals, "ADD", daily_totals.ADD.replace("LIMIT 20000", "LIMIT 3"))
    chance = random.Random(seed)
    callers = [await a_caller(), await a_caller()]
    for turn in range(20):
        at = (
            MIDNIGHT
            + chance.randint(-3, 3) * DAY
            + chance.choice((-INSTANT, 0 * INSTANT, INSTANT, DAY / 2))
        )
        await move(chance.choice(callers), f"msg_{turn}", at, chance.randint(2, 90))
        if chance.random() < 0.3:
            await wallet.sum_days()
    summed = [await proofs(caller) for caller in callers]

    await forget_sums()

    assert [await proofs(caller) for caller in callers] == summed
    assert all(proof["confere"] for of_one in summed for proof in of_one)
    await asyncio.gather(*(wallet.sum_days() for _ in range(3)))
    assert await wallet.sum_days() == 0
    assert [await proofs(caller) for caller in callers] == summed


async def test_what_is_committed_while_days_are_summed_is_in_every_proof_once() -> None:
    caller = await a_caller()

    async def send(name: str) -> None:
        for place in range(15):
            await move(caller, f"msg_{name}_{place}", MIDNIGHT + place * DAY / 10)

    async def look() -> list[bool]:
        found = []
        for _ in range(20):
            await wallet.sum_days()
            found.append((await prove(caller, ProofDay(dia=date(2026, 3, 10))))["confere"])
        return found

    agreed, *_ = await asyncio.gather(look(), send("a"), send("b"))

    assert all(agreed)


async def test_a_run_that_breaks_off_adds_nothing_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    caller = await a_caller()
    await move(caller, "msg_1", MIDNIGHT)
    before = await proofs(caller)
    monkeypatch.setattr(
        daily_totals, "ADD", daily_totals.ADD.replace("RETURNING", "RETURNING 1 / 0,")
    )
    with pytest.raises(Exception, match="division by zero"):
        await wallet.sum_days()
    monkeypatch.undo()

    assert await proofs(caller) == before
    await wallet.sum_days()
    assert await proofs(caller) == before


async def test_sums_stay_when_old_movements_go() -> None:
    caller = await a_caller()
    await move(caller, "msg_1", MIDNIGHT)
    await wallet.sum_days()
    before = await proofs(caller)

    await db.execute("DELETE FROM wallet_transfers")

    assert await proofs(caller) == before


async def test_a_proof_reads_the_movements_behind_the_sums_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caller = await a_caller()
    await db.execute(FILL, caller.organization_id, caller.env)
    await wallet.sum_days()
    await db.execute("ANALYZE wallet_transfers")
    await move(caller, "msg_1", MIDNIGHT)

    read = await rows_read(prove(caller, ProofDay(dia=None)), "wallet_transfers", monkeypatch)
    rare = await rows_read(
        wallet.list_transfers(caller, wallet.TransferFilter(kind=wallet.TransferKind.ADJUSTMENT)),
        "wallet_transfers",
        monkeypatch,
    )

    assert 0 < read <= 4
    assert rare <= 4


FILL = """
INSERT INTO wallet_transfers (organization_id, env, origin, kind, source, target, coins, created_at)
SELECT $1, $2, 'fill_' || n, 'captura', 'reservado', 'receita', 1, clock_timestamp() - n * interval '1 min'
FROM generate_series(1, 20000) AS n
"""
