"""What a route costs right now: the table, and how much was sent this month."""

import time
from datetime import UTC, datetime, timedelta

import pytest

from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.wallet import (
    Rate,
    add_volume,
    read_rates,
    recent_unit_prices,
    set_prices,
)
from core.wallet.price_table import SMS, Band
from core.wallet.rates import month_of, reply_price
from core.wallet.unit_prices import PUBLISHED, UnitPrices

pytestmark = pytest.mark.usefixtures("clean_slate")

AT = datetime(2026, 1, 31, 23, 59, 59, 999999, tzinfo=UTC)
NEXT_MONTH = AT + timedelta(microseconds=1)
PREMIUM = ("org_1", "premium")


async def count(segments: int, route: tuple[str, str] = PREMIUM, *, at: datetime = AT) -> None:
    await read_rates([route], at=at, lock=True)
    await add_volume({route: segments}, at=at)


async def accepted(route: tuple[str, str] = PREMIUM, *, at: datetime = AT) -> int:
    return (await read_rates([route], at=at))[route].accepted


def test_the_month_is_the_one_of_utc() -> None:
    assert (month_of(AT), month_of(NEXT_MONTH)) == ("2026-01", "2026-02")


async def test_a_new_organization_pays_the_first_band_of_the_published_table() -> None:
    assert await read_rates([PREMIUM, ("org_1", "otp")], at=AT) == {
        PREMIUM: Rate(SMS["premium"], 0),
        ("org_1", "otp"): Rate(SMS["otp"], 0),
    }
    assert await db.fetchval("SELECT count(*) FROM sms_volumes") == 0


@pytest.mark.parametrize("route", ["la_dedicada", "", "other"])
async def test_a_route_without_a_table_price_is_absent(route: str) -> None:
    assert await read_rates([("org_1", route), PREMIUM], at=AT) == {
        PREMIUM: Rate(SMS["premium"], 0)
    }


async def test_of_no_routes_there_are_no_rates() -> None:
    assert await read_rates([], at=AT) == {}


async def test_volume_adds_up_within_the_month() -> None:
    await count(9_999)
    assert await accepted() == 9_999
    await count(2)

    assert await accepted() == 10_001
    assert (await read_rates([PREMIUM], at=AT))[PREMIUM].price(1) == 720


async def test_a_month_begins_at_nothing() -> None:
    await count(50_000)

    assert await accepted(at=NEXT_MONTH) == 0
    await count(7, at=NEXT_MONTH)
    assert (await accepted(), await accepted(at=NEXT_MONTH)) == (50_000, 7)


async def test_routes_and_organizations_count_for_themselves() -> None:
    await count(5)

    assert await accepted(("org_1", "otp")) == 0
    assert await accepted(("org_2", "premium")) == 0


async def test_many_routes_are_counted_at_once() -> None:
    routes = [PREMIUM, ("org_1", "otp"), ("org_2", "premium")]
    await read_rates(routes, at=AT, lock=True)
    await add_volume({route: n for n, route in enumerate(routes, 1)}, at=AT)

    assert [await accepted(route) for route in routes] == [1, 2, 3]


async def test_a_repeated_route_is_one() -> None:
    assert await read_rates([PREMIUM, PREMIUM], at=AT, lock=True) == {
        PREMIUM: Rate(SMS["premium"], 0)
    }
    assert await db.fetchval("SELECT count(*) FROM sms_volumes") == 1


async def test_only_live_segments_count() -> None:
    await count(5)

    assert await db.fetch("SELECT env FROM sms_volumes WHERE env <> 'live'") == []


async def test_a_transaction_that_is_rolled_back_counts_nothing() -> None:
    with pytest.raises(RuntimeError):
        async with transaction():
            await count(5)
            raise RuntimeError

    assert await accepted() == 0


async def test_an_own_table_decides_the_price_at_the_same_volume() -> None:
    await count(100)
    await set_prices(
        "org_1",
        {"sms": {"premium": [{"fromSegment": 1, "coins": 5}, {"fromSegment": 101, "coins": 3}]}},
    )

    rate = (await read_rates([PREMIUM], at=AT))[PREMIUM]

    assert rate == Rate((Band(1, 5), Band(101, 3)), 100)
    assert rate.price(2) == 6
    assert (await read_rates([("org_2", "premium")], at=AT))[("org_2", "premium")].bands == SMS[
        "premium"
    ]


async def test_what_an_own_table_leaves_out_is_not_sold_by_table() -> None:
    await set_prices("org_1", {"sms": {"premium": [{"fromSegment": 1, "coins": 5}]}})

    assert set(await read_rates([PREMIUM, ("org_1", "otp")], at=AT)) == {PREMIUM}


async def test_an_own_table_without_sms_keeps_the_published_one() -> None:
    await set_prices("org_1", {"email": 5})

    assert (await read_rates([PREMIUM], at=AT))[PREMIUM].bands == SMS["premium"]


async def test_a_reply_costs_what_the_table_says() -> None:
    await set_prices("org_1", {"smsReply": 0})
    await set_prices("org_2", {"email": 1})

    assert [await reply_price(f"org_{n}") for n in (1, 2, 3)] == [0, 200, 200]


async def test_unit_prices_are_the_present_ones_for_two_seconds_and_what_is_set_here_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = [1_000.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    own = UnitPrices({"easy_rcs": 7}, 3)
    await set_prices("org_1", {"rcs": {"easy_rcs": 7}, "email": 3})

    assert await recent_unit_prices({"org_1", "org_2"}) == {"org_1": own, "org_2": PUBLISHED}
    async with transaction():  # another process
        await db.execute("DELETE FROM price_tables")
    assert (await recent_unit_prices({"org_1"}))["org_1"] == own
    clock[0] += 2.0
    assert (await recent_unit_prices({"org_1"}))["org_1"] == PUBLISHED

    await set_prices("org_2", {"email": 4})
    own = (await recent_unit_prices({"org_2"}))["org_2"]
    assert (own.email, own.rcs["easy_rcs"]) == (4, 1_200)
