"""Telling that money runs out: once on the way down, and again only after there was enough."""

from datetime import UTC, datetime
from typing import Any

import pytest

from core import wallet
from core.foundation.database import db
from core.wallet import Balance, Owner, book, credit, debit, hold, lock_balances, release
from core.wallet.low_balance import armed_again, due_warnings, warn
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_subscription

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
LOW, DEPLETED = "wallet.low_balance", "wallet.depleted"


def a_balance(
    available: int, *, low: bool = False, depleted: bool = False, warn_below: int = 1_000
) -> Balance:
    return Balance(available, warn_below, warned_low=low, warned_depleted=depleted)


@pytest.mark.parametrize(
    ("balance", "refused", "events"),
    [
        (a_balance(1_001), False, []),
        (a_balance(1_000), False, []),
        (a_balance(999), False, [LOW]),
        (a_balance(999, low=True), False, []),
        (a_balance(1), False, [LOW]),
        (a_balance(0), False, [LOW, DEPLETED]),
        (a_balance(0, low=True), False, [DEPLETED]),
        (a_balance(0, low=True, depleted=True), False, []),
        (a_balance(500, low=True), True, [DEPLETED]),
        (a_balance(500, low=True, depleted=True), True, []),
        (a_balance(5_000), True, [DEPLETED]),
        (a_balance(1, warn_below=0), False, []),
    ],
)
def test_a_balance_calls_for_warnings(balance: Balance, refused: bool, events: list[str]) -> None:
    assert due_warnings(balance, refused=refused) == events


@pytest.mark.parametrize(
    ("available", "warn_below", "again"),
    [
        (1_099, 1_000, False),
        (1_100, 1_000, True),
        (0, 0, False),
        (1, 0, True),
        (11, 10, True),
        (10, 10, False),
    ],
)
def test_warnings_are_armed_again_ten_percent_above(
    available: int, warn_below: int, again: bool
) -> None:
    assert armed_again(a_balance(available, warn_below=warn_below)) is again


class Purse:
    """A live wallet whose threshold is 1,000, and what was told of it."""

    def __init__(self, organization_id: str) -> None:
        self.owner: Owner = (organization_id, "live")

    async def spend(self, origin: str, coins: int) -> None:
        await warn(await book([hold(self.owner, origin, coins)], at=AT), at=AT)

    async def give_back(self, origin: str, coins: int) -> None:
        await warn(await book([release(self.owner, origin, coins)], at=AT), at=AT)

    async def turn_away(self) -> None:
        await warn(await lock_balances({self.owner}), refused=[self.owner], at=AT)

    async def credit(self, coins: int) -> None:
        await credit(*self.owner, coins)

    async def told(self) -> list[str]:
        rows = await db.fetch(
            "SELECT type FROM webhook_events WHERE type LIKE 'wallet.%' ORDER BY created_at, id"
        )
        return [row["type"] for row in rows]


@pytest.fixture
async def purse(clean_slate: None) -> Purse:
    caller = await a_caller("live")
    await wallet.warn_below(caller.organization_id, "live", 1_000)
    return Purse(caller.organization_id)


async def test_money_that_comes_in_warns_of_nothing_however_little(purse: Purse) -> None:
    await purse.credit(500)

    assert await purse.told() == []


async def test_crossing_the_threshold_is_told_once(purse: Purse) -> None:
    await purse.credit(1_500)
    await purse.spend("msg_1", 500)
    assert await purse.told() == []
    await purse.spend("msg_2", 1)
    assert await purse.told() == [LOW]
    await purse.spend("msg_3", 1)

    assert await purse.told() == [LOW]


async def test_the_last_coin_is_told_once(purse: Purse) -> None:
    await purse.credit(1_500)
    await purse.spend("msg_1", 1_000)
    await purse.spend("msg_2", 500)
    await purse.turn_away()

    assert sorted(await purse.told()) == [DEPLETED, LOW]


async def test_a_send_that_was_turned_away_is_told_once(purse: Purse) -> None:
    await purse.credit(2_000)
    for _ in range(2):
        await purse.turn_away()

    assert await purse.told() == [DEPLETED]


async def test_a_little_more_money_does_not_arm_it_again(purse: Purse) -> None:
    await purse.credit(1_500)
    await purse.spend("msg_1", 1_500)
    await purse.credit(1_099)
    await purse.spend("msg_2", 1_099)

    assert sorted(await purse.told()) == [DEPLETED, LOW]


async def test_enough_money_arms_both_again(purse: Purse) -> None:
    await purse.credit(1_500)
    await purse.spend("msg_1", 1_500)
    await purse.credit(1_100)
    await purse.spend("msg_2", 1_100)

    assert sorted(await purse.told()) == [DEPLETED, DEPLETED, LOW, LOW]


async def test_what_is_given_back_arms_it_again_too(purse: Purse) -> None:
    await purse.credit(1_500)
    await purse.spend("msg_1", 600)
    await purse.give_back("msg_1", 600)
    await purse.spend("msg_2", 600)

    assert await purse.told() == [LOW, LOW]


async def test_an_adjustment_warns_too(purse: Purse) -> None:
    await purse.credit(1_500)
    await debit(*purse.owner, 501)

    assert await purse.told() == [LOW]


async def test_the_event_reaches_who_listens_in_that_environment(purse: Purse) -> None:
    hears = await a_subscription(
        await a_caller("live", organization_id=purse.owner[0]), events=[LOW]
    )
    await a_subscription(await a_caller("test", organization_id=purse.owner[0]), events=[LOW])
    await a_subscription(await a_caller("live"), events=[LOW])
    await purse.credit(1_500)
    await purse.spend("msg_1", 501)

    event: Any = await db.fetchrow("SELECT id, env, data FROM webhook_events WHERE type = $1", LOW)
    assert event is not None
    assert event["env"] == "live"
    assert (event["data"]["saldoCoins"], event["data"]["limiteCoins"]) == (999, 1_000)
    rows = await db.fetch("SELECT subscription_id, event_id FROM webhook_deliveries")
    assert [tuple(row) for row in rows] == [(hears["webhook"]["id"], event["id"])]


async def test_the_warning_falls_with_the_movement_that_caused_it(purse: Purse) -> None:
    from core.foundation.database.transactions import transaction

    await purse.credit(1_500)
    with pytest.raises(RuntimeError):
        async with transaction():
            await purse.spend("msg_1", 1_500)
            raise RuntimeError
    assert await purse.told() == []

    await purse.spend("msg_1", 501)
    assert await purse.told() == [LOW]
