"""Putting money in and taking it back."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core import wallet
from core.foundation.database import db
from core.foundation.errors import Forbidden, NotFound
from core.foundation.security.caller import Scope
from core.wallet import BelowZero, NoWallet, book, credit, debit, hold, warn_below
from core.wallet.credit import SANDBOX_START, credit_sandbox, top_up_sandboxes
from core.wallet.errors import WrongAmount
from core.wallet.models import Ledger, TransferKind
from tests.factories.organizations import a_caller
from tests.support.ledger import balances, check_books

pytestmark = pytest.mark.usefixtures("clean_slate")

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


async def a_live_owner(coins: int = 0) -> str:
    caller = await a_caller("live")
    if coins:
        await credit(caller.organization_id, "live", coins)
    return caller.organization_id


async def ledger(organization_id: str, env: str = "live") -> list[tuple[Any, ...]]:
    rows = await db.fetch(
        "SELECT kind, source, target, coins FROM wallet_transfers WHERE organization_id = $1 AND env = $2 ORDER BY id",
        organization_id,
        env,
    )
    return [tuple(row) for row in rows]


# Credit and adjustment


async def test_a_credit_comes_from_outside() -> None:
    organization_id = await a_live_owner()

    assert await credit(organization_id, "live", 500) == 500

    assert await ledger(organization_id) == [("credito", "externo", "disponivel", 500)]
    await check_books()


async def test_a_debit_is_an_adjustment() -> None:
    organization_id = await a_live_owner(500)

    assert await debit(organization_id, "live", 200) == 300

    assert (await ledger(organization_id))[1:] == [("ajuste", "disponivel", "externo", 200)]
    await check_books()


async def test_a_wallet_may_be_emptied() -> None:
    organization_id = await a_live_owner(500)

    assert await debit(organization_id, "live", 500) == 0
    await check_books()


@pytest.mark.parametrize("move", [credit, debit])
@pytest.mark.parametrize("coins", [0, -1, -500])
async def test_an_amount_has_no_sign(
    move: Callable[[str, str, int], Awaitable[int]], coins: int
) -> None:
    organization_id = await a_live_owner(500)

    with pytest.raises(WrongAmount):
        await move(organization_id, "live", coins)

    assert len(await ledger(organization_id)) == 1


@pytest.mark.parametrize("coins", [501, 10**15])
async def test_a_debit_below_zero_is_refused(coins: int) -> None:
    organization_id = await a_live_owner(500)

    with pytest.raises(BelowZero):
        await debit(organization_id, "live", coins)

    assert (await balances((organization_id, "live")))["disponivel"] == 500
    assert len(await ledger(organization_id)) == 1


async def test_what_is_held_cannot_be_taken_back() -> None:
    organization_id = await a_live_owner(500)
    await book([hold((organization_id, "live"), "msg_1", 400)], at=AT)

    with pytest.raises(BelowZero):
        await debit(organization_id, "live", 101)

    assert await debit(organization_id, "live", 100) == 0
    await check_books()


@pytest.mark.parametrize("env", ["live", "test", "other"])
async def test_without_a_wallet_there_is_no_credit(env: str) -> None:
    with pytest.raises(NoWallet):
        await credit("org_unknown", env, 500)

    assert await db.fetchval("SELECT count(*) FROM wallet_transfers") == 0


async def test_each_credit_is_one_of_its_own() -> None:
    organization_id = await a_live_owner()
    for _ in range(3):
        await credit(organization_id, "live", 100)

    assert (await balances((organization_id, "live")))["disponivel"] == 300
    await check_books()


@pytest.mark.parametrize(
    ("coins", "available", "owed"), [(100, 0, 200), (300, 0, 0), (1_000, 700, 0)]
)
async def test_what_is_owed_is_paid_first(coins: int, available: int, owed: int) -> None:
    organization_id = await a_live_owner()
    owe = wallet.Transfer(
        organization_id, "live", "rep_1", TransferKind.CAPTURE, Ledger.OWED, Ledger.REVENUE, 300
    )
    await book([owe], at=AT)

    assert await credit(organization_id, "live", coins) == available

    after = await balances((organization_id, "live"))
    assert (after["disponivel"], after["devido"]) == (available, -owed)
    await check_books()


# The sandbox


async def test_a_test_key_fills_its_sandbox_wallet_up() -> None:
    caller = await a_caller()
    await debit(caller.organization_id, "test", 4_000_000)

    assert await credit_sandbox(caller) == SANDBOX_START
    assert await credit_sandbox(caller) == SANDBOX_START

    assert (await balances((caller.organization_id, "live")))["disponivel"] == 0
    await check_books()


async def test_more_than_the_start_is_left_alone() -> None:
    caller = await a_caller()
    await credit(caller.organization_id, "test", 5)

    assert await credit_sandbox(caller) == SANDBOX_START + 5


async def test_a_live_key_finds_no_sandbox() -> None:
    caller = await a_caller("live")

    with pytest.raises(NotFound):
        await credit_sandbox(caller)

    assert (await balances((caller.organization_id, "live")))["disponivel"] == 0


async def test_it_needs_a_scope() -> None:
    caller = await a_caller(scopes=frozenset({Scope.SMS_SEND}))
    await debit(caller.organization_id, "test", 1)

    with pytest.raises(Forbidden):
        await credit_sandbox(caller)

    assert (await balances((caller.organization_id, "test")))["disponivel"] == SANDBOX_START - 1


async def test_sandboxes_are_filled_up_once_a_day() -> None:
    spent, full, live = await a_caller(), await a_caller(), await a_live_owner(7)
    await debit(spent.organization_id, "test", 1_000)

    assert await top_up_sandboxes(at=AT) == 1
    await debit(spent.organization_id, "test", 1_000)
    assert await top_up_sandboxes(at=AT + timedelta(hours=1)) == 0
    assert (await balances((spent.organization_id, "test")))["disponivel"] == SANDBOX_START - 1_000
    assert await top_up_sandboxes(at=AT + timedelta(days=1)) == 1

    assert (await balances((spent.organization_id, "test")))["disponivel"] == SANDBOX_START
    assert (await balances((full.organization_id, "test")))["disponivel"] == SANDBOX_START
    assert (await balances((live, "live")))["disponivel"] == 7
    await check_books()


async def test_a_top_up_pays_what_is_owed_first() -> None:
    caller = await a_caller()
    await db.execute(
        "UPDATE wallets SET available = 0, owed = 300 WHERE organization_id = $1 AND env = 'test'",
        caller.organization_id,
    )

    assert await top_up_sandboxes(at=AT) == 1

    row = await db.fetchrow(
        "SELECT available, owed FROM wallets WHERE organization_id = $1 AND env = 'test'",
        caller.organization_id,
    )
    assert row is not None
    assert (row["available"], row["owed"]) == (SANDBOX_START, 0)


# The threshold


async def test_the_threshold_is_set_per_environment() -> None:
    organization_id = await a_live_owner()

    await warn_below(organization_id, "live", 5)

    rows = await db.fetch(
        "SELECT env, warn_below FROM wallets WHERE organization_id = $1 ORDER BY env",
        organization_id,
    )
    assert [tuple(row) for row in rows] == [("live", 5), ("test", 100_000)]


async def test_without_a_wallet_there_is_no_threshold() -> None:
    with pytest.raises(NoWallet):
        await warn_below("org_unknown", "live", 5)
