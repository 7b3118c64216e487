"""What a live message costs: the band of each of its segments, never more than was held."""

import asyncio
from datetime import timedelta
from typing import Any, NamedTuple

import pytest

from core import sms, wallet
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import PreconditionFailed
from core.foundation.security.caller import Caller
from core.providers.contracts import (
    Accepted,
    Answer,
    Failed,
    MessageFound,
    Outgoing,
    Refused,
    Throttled,
    Unknown,
)
from core.wallet.rates import month_of
from tests.factories.live import a_live_caller, refused_send
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send
from tests.fakes.provider import ScriptedProvider, accept, reference_of
from tests.support.money import Balances, balances_of, moved_for, the_message, volume_of
from tests.support.stored import nothing_stored
from tests.support.two_processes import in_process, processes

__all__ = ["processes"]

ONE, TWO, THREE = "a" * 160, "a" * 161, "a" * 305
OWN = {"premium": [(1, 100), (4, 60), (6, 10)], "otp": [(1, 1_000)]}


async def sent_before(caller: Caller, segments: int, route: str = "premium") -> None:
    """The organization had this many live segments accepted this month."""
    await db.execute(
        "INSERT INTO sms_volumes (organization_id, env, month, route, accepted) VALUES ($1, 'live', $2, $3, $4) "
        "ON CONFLICT (organization_id, env, month, route) DO UPDATE SET accepted = excluded.accepted",
        caller.organization_id,
        month_of(now()),
        route,
        segments,
    )


async def own_prices(caller: Caller, sms: dict[str, list[tuple[int, int]]]) -> None:
    """Give the organization its own table."""
    table = {
        route: [{"fromSegment": first, "coins": coins} for first, coins in bands]
        for route, bands in sms.items()
    }
    await wallet.set_prices(caller.organization_id, {"sms": table})


async def coins_of(caller: Caller, **fields: Any) -> int:
    coins: int = (await a_send(caller, **fields))["billing"]["coins"]
    return coins


# Bands --------------------------------------------------------------------------------------------


class Place(NamedTuple):
    """A message after so many segments of the month, and what it costs."""

    route: str
    before: int
    body: str
    coins: int


@pytest.mark.parametrize(
    "place",
    [
        Place("premium", 9_998, ONE, 800),
        Place("premium", 9_999, ONE, 720),
        Place("premium", 9_998, TWO, 800 + 720),
        Place("premium", 9_997, THREE, 800 + 800 + 720),
        Place("premium", 9_998, THREE, 800 + 720 + 720),
        Place("premium", 99_998, THREE, 720 + 650 + 650),
        Place("otp", 9_998, TWO, 950 + 870),
        Place("otp", 99_999, ONE, 800),
    ],
)
async def test_each_segment_pays_the_band_of_its_own_place_in_the_month(
    clean_slate: None, provider: ScriptedProvider, place: Place
) -> None:
    caller = await a_live_caller(10_000)
    await sent_before(caller, place.before, place.route)

    sent = await a_send(caller, body=place.body, route=place.route)

    assert sent["billing"] == {"coins": place.coins}
    assert await moved_for(sent["id"]) == [("reserva", place.coins), ("captura", place.coins)]
    assert (await the_message(sent["id"]))["coins"] == place.coins
    assert await volume_of(caller, place.route) == place.before + sent["segments"]


async def test_a_sequence_of_sends_goes_down_the_bands(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    await own_prices(caller, OWN)

    assert [await coins_of(caller, body=TWO) for _ in range(4)] == [200, 160, 70, 20]
    assert await coins_of(caller, route="otp") == 1_000
    assert (await volume_of(caller), await volume_of(caller, "otp")) == (8, 1)


async def test_the_volume_of_one_organization_or_month_prices_no_other(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller, other = await a_live_caller(10_000), await a_live_caller(10_000)
    await sent_before(other, 200_000)
    await db.execute(
        "INSERT INTO sms_volumes (organization_id, env, month, route, accepted) "
        "VALUES ($1, 'live', '2026-01', 'premium', 200000)",
        caller.organization_id,
    )

    assert await coins_of(caller) == 800


async def test_what_is_not_accepted_does_not_move_the_volume(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(100_000)
    await own_prices(caller, OWN)
    provider.will(Refused("blacklisted"), Throttled(1), Failed(), Unknown())
    await a_send(caller, body=THREE)
    for _ in range(3):
        await refused_send(caller, body=THREE)

    assert await volume_of(caller) == 0
    assert await coins_of(caller, body=THREE) == 300


async def test_a_replay_and_a_preview_move_no_volume(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    await a_send(caller, key="k")

    await a_send(caller, key="k")
    await sms.preview_message(caller, sms.SmsDraft(body=THREE, route=sms.SmsRoute.PREMIUM))

    assert await volume_of(caller) == 1


# The sandbox --------------------------------------------------------------------------------------


async def test_a_sandbox_send_costs_what_the_live_volume_says_and_never_moves_it(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    live = await a_live_caller(10_000)
    test = await a_caller("test", organization_id=live.organization_id)
    await own_prices(live, OWN)

    before = [await coins_of(test, body=TWO) for _ in range(3)]
    await a_send(live, body=THREE)
    after = [await coins_of(test, body=TWO) for _ in range(3)]
    preview = await sms.preview_message(test, sms.SmsDraft(body=TWO, route=sms.SmsRoute.PREMIUM))

    assert (before, after) == ([200] * 3, [120] * 3)
    assert preview["billing"] == {"coins": 120}
    assert await volume_of(live) == 3
    assert await db.fetchval("SELECT count(*) FROM sms_volumes WHERE env <> 'live'") == 0


# Between the hold and the capture -----------------------------------------------------------------


async def test_what_was_held_too_much_is_given_back(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)

    async def others_are_faster(outgoing: Outgoing) -> Answer:
        await sent_before(caller, 9_998)
        return await accept(outgoing)

    provider.will(others_are_faster)
    sent = await a_send(caller, body=THREE, key="k")

    assert sent["billing"] == {"coins": 800 + 720 + 720}
    assert await moved_for(sent["id"]) == [
        ("reserva", 2_400),
        ("captura", 2_240),
        ("liberacao", 160),
    ]
    assert await balances_of(caller) == Balances(10_000 - 2_240, 0, 2_240, 0)
    assert (await a_send(caller, body=THREE, key="k"))["billing"] == {"coins": 2_240}


@pytest.mark.parametrize("change", ["a new month", "a dearer table", "a table without the route"])
async def test_the_price_never_rises_above_the_hold(
    clean_slate: None, provider: ScriptedProvider, change: str
) -> None:
    caller = await a_live_caller(10_000)
    await sent_before(caller, 200_000)

    async def meanwhile(outgoing: Outgoing) -> Answer:
        if change == "a new month":
            await sent_before(caller, 0)
        elif change == "a dearer table":
            await own_prices(caller, {"premium": [(1, 5_000)]})
        else:
            await own_prices(caller, {"otp": [(1, 5_000)]})
        return await accept(outgoing)

    provider.will(meanwhile)
    sent = await a_send(caller, body=TWO)

    assert sent["billing"] == {"coins": 1_300}
    assert await balances_of(caller) == Balances(8_700, 0, 1_300, 0)


async def test_a_table_that_became_free_gives_the_whole_hold_back(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)

    async def meanwhile(outgoing: Outgoing) -> Answer:
        await own_prices(caller, {"premium": [(1, 0)]})
        return await accept(outgoing)

    provider.will(meanwhile)
    sent = await a_send(caller)
    free = await a_send(caller)

    assert (sent["billing"], free["billing"]) == ({"coins": 0}, {"coins": 0})
    assert await moved_for(sent["id"]) == [("reserva", 800), ("liberacao", 800)]
    assert await moved_for(free["id"]) == []
    assert await balances_of(caller) == Balances(10_000, 0, 0, 0)


async def test_a_message_found_later_is_priced_at_its_place_then(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    await own_prices(caller, OWN)
    provider.will(Unknown())
    id = (await refused_send(caller, body=TWO)).meta["messageId"]
    await a_send(caller, body=THREE)
    provider.knows[id] = MessageFound("gw_1", "sent")

    await sms.reconcile(at=now() + timedelta(minutes=1))

    assert await moved_for(id) == [("reserva", 200), ("captura", 120), ("liberacao", 80)]


async def test_sends_at_the_edge_of_a_band_pay_together_exactly_what_the_places_say(
    real_commits: None, provider: ScriptedProvider, processes: None
) -> None:
    caller = await a_live_caller(100_000)
    await sent_before(caller, 9_996)
    held = asyncio.Barrier(4)

    async def when_all_are_held(outgoing: Outgoing) -> Answer:
        await held.wait()
        return Accepted(reference_of(outgoing.id))

    provider.always = when_all_are_held
    bodies = [ONE, TWO, TWO, THREE]
    sent = await asyncio.gather(
        *(in_process(number, a_send(caller, body=body)) for number, body in enumerate(bodies))
    )

    total = sum(answer["billing"]["coins"] for answer in sent)
    assert total == 3 * 800 + 5 * 720
    for answer in sent:
        moved = dict(await moved_for(answer["id"]))
        assert moved["reserva"] == (800 * answer["segments"] if answer["segments"] < 3 else 3 * 800)
        assert moved["captura"] + moved.get("liberacao", 0) == moved["reserva"]
        assert moved["captura"] == answer["billing"]["coins"] <= moved["reserva"]
    assert await volume_of(caller) == 10_004
    assert await balances_of(caller) == Balances(100_000 - total, 0, total, 0)


async def test_many_processes_going_down_the_bands_lose_no_segment(
    real_commits: None, provider: ScriptedProvider, processes: None
) -> None:
    caller = await a_live_caller(100_000)
    await own_prices(caller, {"premium": [(1, 100), (11, 70), (21, 40), (31, 5)]})

    async def lane(number: int) -> int:
        return sum([await coins_of(caller, body=(ONE, TWO, THREE)[turn % 3]) for turn in range(6)])

    paid = await asyncio.gather(*(in_process(number, lane(number)) for number in range(4)))

    segments = 4 * 2 * (1 + 2 + 3)
    assert await volume_of(caller) == segments
    assert sum(paid) == 10 * 100 + 10 * 70 + 10 * 40 + (segments - 30) * 5
    assert await balances_of(caller) == Balances(100_000 - sum(paid), 0, sum(paid), 0)


async def test_the_first_sends_of_a_month_meet(
    real_commits: None, provider: ScriptedProvider, processes: None
) -> None:
    caller = await a_live_caller(100_000)

    await asyncio.gather(
        *(
            in_process(number, a_send(caller, route=route))
            for number in range(4)
            for route in ("premium", "otp")
        )
    )

    assert (await volume_of(caller), await volume_of(caller, "otp")) == (4, 4)
    assert await db.fetchval("SELECT count(*) FROM sms_volumes") == 2


# Routes without a price ---------------------------------------------------------------------------


async def test_a_route_that_the_own_table_leaves_out_is_not_sold(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    await own_prices(caller, {"premium": [(1, 100)]})

    async with nothing_stored():
        with pytest.raises(PreconditionFailed):
            await a_send(caller, route="otp")
        with pytest.raises(PreconditionFailed):
            await sms.preview_message(caller, sms.SmsDraft(body=ONE, route=sms.SmsRoute.OTP))

    assert provider.asked == []
