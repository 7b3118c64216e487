"""The one way money moves: two-sided, once, never below zero."""

from datetime import UTC, datetime
from typing import Any

import asyncpg
import pytest

from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.wallet import Balance, Owner, Transfer, book, capture, hold, lock_balances, release
from core.wallet.errors import BalanceChanged
from core.wallet.models import Ledger, TransferKind
from tests.factories.organizations import a_caller
from tests.support.ledger import balances, check_books

pytestmark = pytest.mark.usefixtures("clean_slate")

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
START = 10_000_000
EMPTY = dict.fromkeys(("disponivel", "reservado", "receita", "estorno", "devido"), 0)


async def an_owner() -> Owner:
    caller = await a_caller()
    return (caller.organization_id, "test")


async def entries(owner: Owner) -> list[tuple[Any, ...]]:
    """The ledger after the first coins, as (origin, kind, source, target, coins, request)."""
    rows = await db.fetch(
        "SELECT origin, kind, source, target, coins, request_id FROM wallet_transfers "
        "WHERE organization_id = $1 AND env = $2 AND source || target <> 'externodisponivel' ORDER BY id",
        *owner,
    )
    return [tuple(row) for row in rows]


# Movements


async def test_a_hold_sets_coins_aside() -> None:
    owner = await an_owner()

    moved = await book([hold(owner, "msg_1", 800, "req_1")], at=AT)

    assert moved == {owner: Balance(START - 800, 100_000, warned_low=False, warned_depleted=False)}
    assert await balances(owner) == {**EMPTY, "disponivel": START - 800, "reservado": 800}
    assert await entries(owner) == [("msg_1", "reserva", "disponivel", "reservado", 800, "req_1")]
    await check_books()


async def test_a_capture_keeps_what_was_set_aside() -> None:
    owner = await an_owner()
    await book([hold(owner, "msg_1", 800)], at=AT)

    await book([capture(owner, "msg_1", 800, "req_2")], at=AT)

    assert await balances(owner) == {**EMPTY, "disponivel": START - 800, "receita": 800}
    assert (await entries(owner))[1:] == [
        ("msg_1", "captura", "reservado", "receita", 800, "req_2")
    ]
    await check_books()


async def test_a_release_gives_it_back() -> None:
    owner = await an_owner()
    await book([hold(owner, "msg_1", 800)], at=AT)

    await book([release(owner, "msg_1", 800)], at=AT)

    assert await balances(owner) == {**EMPTY, "disponivel": START}
    assert (await entries(owner))[1:] == [
        ("msg_1", "liberacao", "reservado", "disponivel", 800, None)
    ]
    await check_books()


async def test_hold_and_capture_travel_together() -> None:
    owner = await an_owner()

    await book([hold(owner, "msg_1", 800), capture(owner, "msg_1", 800)], at=AT)

    assert await balances(owner) == {**EMPTY, "disponivel": START - 800, "receita": 800}
    assert [(kind, source, target) for _, kind, source, target, _, _ in await entries(owner)] == [
        ("reserva", "disponivel", "reservado"),
        ("captura", "reservado", "receita"),
    ]
    await check_books()


async def test_what_is_owed_is_counted_apart() -> None:
    owner = await an_owner()

    await book(
        [Transfer(*owner, "rep_1", TransferKind.CAPTURE, Ledger.OWED, Ledger.REVENUE, 200)], at=AT
    )

    assert (await balances(owner))["devido"] == -200
    assert (
        await db.fetchval(
            "SELECT owed FROM wallets WHERE organization_id = $1 AND env = $2", *owner
        )
        == 200
    )
    await check_books()


async def test_many_owners_are_booked_at_once() -> None:
    owners = [await an_owner() for _ in range(3)]
    payments = [
        transfer
        for owner in owners
        for n in range(4)
        for transfer in (hold(owner, f"msg_{n}", 100 + n), capture(owner, f"msg_{n}", 100 + n))
    ]

    moved = await book(payments, at=AT)

    assert {owner: balance.available for owner, balance in moved.items()} == dict.fromkeys(
        owners, START - 406
    )
    assert [(await balances(owner))["receita"] for owner in owners] == [406] * 3
    await check_books()


async def test_the_environments_of_an_organization_have_books_of_their_own() -> None:
    owner = await an_owner()
    live = (owner[0], "live")
    await book(
        [Transfer(*live, "trf_1", TransferKind.CREDIT, Ledger.OUTSIDE, Ledger.AVAILABLE, 500)],
        at=AT,
    )

    await book([hold(owner, "msg_1", 100), hold(live, "msg_1", 200)], at=AT)

    assert ((await balances(owner))["reservado"], (await balances(live))["reservado"]) == (100, 200)
    await check_books()


async def test_nothing_and_no_coins_are_no_movement() -> None:
    owner = await an_owner()

    assert await book([], at=AT) == {}
    assert await book([hold(owner, "msg_1", 0), capture(owner, "msg_1", 0)], at=AT) == {}

    assert await entries(owner) == []


# Once


async def test_a_movement_happens_once_however_often_it_is_booked() -> None:
    owner = await an_owner()
    payment = [hold(owner, "msg_1", 800), capture(owner, "msg_1", 800)]
    await book(payment, at=AT)
    before = (await balances(owner), await entries(owner))

    assert await book(payment, at=AT) == {}

    assert (await balances(owner), await entries(owner)) == before


async def test_twice_in_one_batch_is_once() -> None:
    owner = await an_owner()

    await book([hold(owner, "msg_1", 800), hold(owner, "msg_1", 800)], at=AT)

    assert (await balances(owner))["reservado"] == 800
    assert len(await entries(owner)) == 1
    await check_books()


async def test_of_a_batch_only_what_is_new_moves() -> None:
    owner = await an_owner()
    await book([hold(owner, "msg_1", 800)], at=AT)

    await book([hold(owner, "msg_1", 800), hold(owner, "msg_2", 50)], at=AT)

    assert (await balances(owner))["reservado"] == 850
    await check_books()


async def test_one_origin_may_be_anothers_elsewhere() -> None:
    owner, other = await an_owner(), await an_owner()

    await book([hold(owner, "msg_1", 800), hold(other, "msg_1", 700)], at=AT)

    assert ((await balances(owner))["reservado"], (await balances(other))["reservado"]) == (
        800,
        700,
    )


async def test_the_database_itself_refuses_a_second_row() -> None:
    owner = await an_owner()
    await book([hold(owner, "msg_1", 800)], at=AT)

    with pytest.raises(asyncpg.UniqueViolationError):
        async with transaction():
            await db.execute(
                "INSERT INTO wallet_transfers (organization_id, env, origin, kind, source, target, coins, created_at) "
                "SELECT organization_id, env, origin, kind, source, target, coins, created_at FROM wallet_transfers "
                "WHERE origin = 'msg_1'"
            )
    await check_books()


# Never below zero


async def test_a_wallet_can_be_emptied_to_the_last_coin() -> None:
    owner = await an_owner()

    moved = await book([hold(owner, "msg_1", START)], at=AT)

    assert moved[owner].available == 0
    await check_books()


@pytest.mark.parametrize(
    "payments",
    [
        [("hold", START + 1)],
        [("hold", START), ("hold", 1)],
        [("capture", 1)],
        [("release", 1)],
        [("hold", 800), ("capture", 801)],
    ],
)
async def test_no_balance_goes_below_zero(payments: list[tuple[str, int]]) -> None:
    owner = await an_owner()
    kinds = {"hold": hold, "capture": capture, "release": release}
    before = await balances(owner)

    with pytest.raises(BalanceChanged):
        async with transaction():
            await book(
                [kinds[kind](owner, f"msg_{n}", coins) for n, (kind, coins) in enumerate(payments)],
                at=AT,
            )

    assert (await balances(owner), await entries(owner)) == (before, [])
    await check_books()


async def test_one_owner_without_money_takes_the_whole_batch_down() -> None:
    rich, poor = await an_owner(), await an_owner()

    with pytest.raises(BalanceChanged):
        async with transaction():
            await book([hold(rich, "msg_1", 1), hold(poor, "msg_2", START + 1)], at=AT)

    assert await entries(rich) == []
    assert (await balances(rich))["disponivel"] == START


@pytest.mark.parametrize("column", ["available", "held", "owed"])
async def test_the_database_itself_refuses_less_than_nothing(column: str) -> None:
    owner = await an_owner()

    with pytest.raises(asyncpg.CheckViolationError):
        async with transaction():
            await db.execute(
                f"UPDATE wallets SET {column} = -1 WHERE organization_id = $1", owner[0]
            )

    assert (await balances(owner))["disponivel"] == START


@pytest.mark.parametrize("coins", [0, -1])
async def test_the_database_itself_refuses_a_movement_of_nothing(coins: int) -> None:
    owner = await an_owner()

    with pytest.raises(asyncpg.CheckViolationError):
        async with transaction():
            await db.execute(
                "INSERT INTO wallet_transfers (organization_id, env, origin, kind, source, target, coins, created_at) "
                "VALUES ($1, $2, 'x', 'ajuste', 'externo', 'disponivel', $3, now())",
                *owner,
                coins,
            )
    assert await entries(owner) == []


# Locking


async def test_locking_reads_what_is_available() -> None:
    owner, other = await an_owner(), await an_owner()
    await book([hold(owner, "msg_1", 800)], at=AT)

    locked = await lock_balances({owner, other, (owner[0], "live"), ("org_unknown", "test")})

    assert {owner_: balance.available for owner_, balance in locked.items()} == {
        owner: START - 800,
        other: START,
        (owner[0], "live"): 0,
    }


async def test_of_no_owners_nothing_is_locked() -> None:
    assert await lock_balances(set()) == {}
