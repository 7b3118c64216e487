"""Money under concurrency, with real commits: nothing lost, nothing twice, nobody locked up."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from core import wallet
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.wallet import (
    BelowZero,
    Owner,
    add_volume,
    book,
    capture,
    credit,
    debit,
    hold,
    lock_balances,
    read_rates,
)
from core.wallet.credit import top_up_sandboxes
from core.wallet.errors import BalanceChanged
from tests.factories.organizations import a_caller
from tests.support.ledger import balances, check_books
from tests.support.races import outside, somebody_waits

pytestmark = pytest.mark.usefixtures("real_commits")

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
START = 10_000_000


async def an_owner() -> Owner:
    return ((await a_caller()).organization_id, "test")


async def pay(owner: Owner, origin: str, coins: int) -> bool:
    """As a send does: lock, look, book. Whether the money was there."""
    async with transaction():
        if (await lock_balances({owner}))[owner].available < coins:
            return False
        await book([hold(owner, origin, coins), capture(owner, origin, coins)], at=AT)
    return True


async def test_credits_at_once_all_count() -> None:
    owner = await an_owner()

    answers = await asyncio.gather(*(credit(*owner, 10**n) for n in range(6)))

    assert (await balances(owner))["disponivel"] == START + 111_111
    assert max(answers) == START + 111_111
    await check_books()


async def test_adjustments_at_once_never_take_more_than_there_is() -> None:
    owner = await an_owner()

    answers = await asyncio.gather(
        *(debit(*owner, START // 4) for _ in range(10)), return_exceptions=True
    )

    assert (
        sorted(str(type(answer).__name__) for answer in answers) == ["BelowZero"] * 6 + ["int"] * 4
    )
    assert all(isinstance(answer, int | BelowZero) for answer in answers)
    assert (await balances(owner))["disponivel"] == 0
    await check_books()


async def test_of_sends_at_once_only_as_many_are_paid_as_there_is_money() -> None:
    owner = await an_owner()

    paid = await asyncio.gather(*(pay(owner, f"msg_{n}", START // 3) for n in range(10)))

    assert sum(paid) == 3
    assert (await balances(owner))["receita"] == START // 3 * 3
    await check_books()


async def test_the_same_payment_at_once_is_made_once() -> None:
    owner = await an_owner()

    await asyncio.gather(*(pay(owner, "msg_1", 800) for _ in range(10)))

    assert (await balances(owner))["receita"] == 800
    await check_books()


async def test_even_without_a_lock_no_balance_goes_below_zero() -> None:
    owner = await an_owner()

    answers = await asyncio.gather(
        *(book([hold(owner, f"msg_{n}", START // 3)], at=AT) for n in range(10)),
        return_exceptions=True,
    )

    assert sum(isinstance(answer, BalanceChanged) for answer in answers) == 7
    assert (await balances(owner))["reservado"] == START // 3 * 3
    await check_books()


async def test_batches_over_the_same_wallets_in_any_order_do_not_lock_up() -> None:
    owners = [await an_owner() for _ in range(8)]

    async def a_batch(number: int) -> None:
        mine = owners[number:] + owners[:number]
        async with transaction():
            await lock_balances(set(mine))
            payments: list[Any] = [hold(owner, f"msg_{number}", 1) for owner in mine]
            await book(payments, at=AT)

    await asyncio.gather(*(a_batch(number) for number in range(8)))

    assert [(await balances(owner))["reservado"] for owner in owners] == [8] * 8
    await check_books()


async def test_wallets_are_locked_in_the_same_order_by_everybody() -> None:
    owners = [await an_owner() for _ in range(8)]

    async def lock_all() -> None:
        async with transaction():
            await lock_balances(set(owners))

    async with transaction():
        await lock_balances({owners[4]})
        waiting = outside(lock_all())
        await somebody_waits()
        free = await outside(
            db.fetch(
                "SELECT organization_id FROM wallets WHERE env = 'test' ORDER BY id FOR UPDATE SKIP LOCKED"
            )
        )

    await waiting
    assert [row["organization_id"] for row in free] == [owner[0] for owner in owners[5:]]


async def test_a_second_send_waits_for_the_first_and_sees_what_is_left() -> None:
    owner = await an_owner()
    async with transaction():
        await lock_balances({owner})
        await book([hold(owner, "msg_1", START)], at=AT)
        second = outside(pay(owner, "msg_2", 1))
        await somebody_waits()

    assert await second is False
    await check_books()


async def test_sandboxes_are_filled_up_once_by_workers_at_once() -> None:
    owner = await an_owner()
    await debit(*owner, 1_000)

    filled = await asyncio.gather(*(top_up_sandboxes(at=AT) for _ in range(5)))

    assert sum(filled) == 1
    assert (await balances(owner))["disponivel"] == START
    await check_books()


async def test_segments_accepted_at_once_each_have_their_own_place() -> None:
    route = ((await an_owner())[0], "premium")

    async def accept(segments: int) -> int:
        async with transaction():
            rate = (await read_rates([route], at=AT, lock=True))[route]
            await add_volume({route: segments}, at=AT)
            return rate.price(segments)

    await accept(9_990)
    prices = await asyncio.gather(*(accept(2) for _ in range(10)))

    assert (await wallet.read_rates([route], at=AT))[route].accepted == 10_010
    assert sum(prices) == 9 * 800 + 11 * 720


async def test_a_payment_that_is_told_eight_times_at_once_is_credited_once() -> None:
    organization_id, _ = await an_owner()
    payment = wallet.NewPayment(payment_id="pix-1", coins=500)

    credited = await asyncio.gather(
        *(wallet.record_payment(organization_id, payment, at=AT) for _ in range(8))
    )

    assert sorted(credited, key=str) == [500, *[None] * 7]
    assert (await balances((organization_id, "live")))["disponivel"] == 500
    await check_books()
