"""The kept counts equal the counted ones, whatever happens to messages."""

import random
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core import messaging, sms
from core.foundation.database import db
from core.foundation.security.caller import Caller, Limits
from tests.factories.organizations import a_caller

pytestmark = pytest.mark.usefixtures("clean_slate")

COUNTED = "SELECT organization_id, env, channel, direction, status, count(*)::bigint FROM messages GROUP BY 1, 2, 3, 4, 5"
KEPT = (
    "SELECT organization_id, env, channel, direction, status, sum(delta)::bigint FROM message_counts "
    "GROUP BY 1, 2, 3, 4, 5 HAVING sum(delta) <> 0"
)


async def both() -> tuple[set[tuple[object, ...]], set[tuple[object, ...]]]:
    kept, counted = await db.fetch(KEPT), await db.fetch(COUNTED)
    return {tuple(row) for row in kept}, {tuple(row) for row in counted}


async def some_sends(caller: Caller, chance: random.Random, number: int) -> None:
    caller = replace(caller, limits=Limits(sms_per_second=100_000))
    for place in range(number):
        ending = chance.choice(["0005", "0006", "0008", "0013", "0018", "0099"])
        new = sms.NewSms(
            to=f"+551198765{ending}",
            body="Oi",
            route=chance.choice([sms.SmsRoute.PREMIUM, sms.SmsRoute.OTP]),
        )
        await sms.send_message(caller, new, idempotency_key=f"{chance.random()}-{place}")


async def test_kept_counts_equal_counted_ones_after_sends_reports_deletes_and_merges() -> None:
    chance = random.Random(7)
    callers = [await a_caller(), await a_caller()]
    for turn in range(6):
        for caller in callers:
            await some_sends(caller, chance, chance.randint(1, 6))
        if turn % 2:
            await sms.apply_due_reports(at=datetime.now(UTC).replace(year=2100))
        if turn == 3:
            await db.execute(
                "DELETE FROM messages WHERE id IN (SELECT id FROM messages ORDER BY id LIMIT 3)"
            )
        if turn == 4:
            await messaging.merge_counts()
        kept, counted = await both()
        assert kept == counted != set()


async def test_many_deltas_are_merged_into_one_and_the_number_stays() -> None:
    caller = await a_caller()
    await some_sends(caller, random.Random(3), messaging.counts.MAX_UNMERGED_DELTAS + 1)
    before = await db.fetchval("SELECT count(*) FROM message_counts")

    assert await messaging.merge_counts() == 1

    kept, counted = await both()
    assert kept == counted
    assert await db.fetchval("SELECT count(*) FROM message_counts") < before


async def test_a_list_without_filters_tells_the_exact_total() -> None:
    caller = await a_caller()
    await some_sends(caller, random.Random(5), 7)

    page = await sms.list_messages(caller, sms.SmsFilter(limit=2))

    assert (len(page["items"]), page["total"]) == (2, 7)
