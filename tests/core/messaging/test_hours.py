"""The kept figures of hours equal the counted ones, whatever happens to messages, and whenever."""

import asyncio
import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core import messaging
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller
from core.messaging import Channel, Status, hours
from core.messaging.figures import COUNT, COUNTED
from tests.factories.organizations import a_caller
from tests.factories.stored_messages import stored_conversation, stored_message, stored_reply

pytestmark = pytest.mark.usefixtures("real_commits")

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)

COUNTED_NOW = f"""
SELECT organization_id, env, date_trunc('hour', m.created_at, 'UTC') AS hour, channel, direction, status, campaign_id,
       number_id, count(*)::bigint AS messages, {COUNT}
FROM messages m WHERE created_at < (SELECT closed_until FROM closed_hours)
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
"""
KEPT = f"""
SELECT organization_id, env, hour, channel, direction, status, campaign_id, number_id, sum(messages)::bigint,
       {", ".join(f"sum({name})::bigint" for name in COUNTED)}
FROM message_hours WHERE hour < (SELECT closed_until FROM closed_hours)
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
HAVING {" OR ".join(f"sum({name}) <> 0" for name in ("messages", *COUNTED))}
"""


async def both() -> tuple[set[tuple[Any, ...]], set[tuple[Any, ...]]]:
    kept, counted = await db.fetch(KEPT), await db.fetch(COUNTED_NOW)
    return {tuple(row) for row in kept}, {tuple(row) for row in counted}


def full_hours_ago(number: int) -> datetime:
    return hours.full_hour(datetime.now(UTC)) - number * HOUR


async def close_all() -> None:
    """As the clock does: fence, then close behind the fence."""
    await messaging.close_hours()
    while await messaging.close_hours():
        pass


async def some_message(caller: Caller, chance: random.Random, at: datetime) -> str:
    kind = chance.choice((stored_message, stored_message, stored_conversation, stored_reply))
    fields: dict[str, Any] = {"campaign_id": chance.choice((None, "outono", "natal"))}
    if kind is not stored_reply:
        fields["status"] = chance.choice(list(Status))
        fields["settle_at"] = chance.choice((None, at))
    if kind is stored_conversation:
        fields["number_id"] = chance.choice((None, "num_1"))
    return await kind(caller, at, **fields)


CHANGES = (
    "status = 'delivered', delivered_at = now()",
    "status = 'read', delivered_at = now(), read_at = now()",
    "status = 'failed', failed_at = now(), coins = 0",
    "status = 'archived'",
    "settle_at = NULL",
    "sent_at = now(), settle_at = NULL",
    "campaign_id = 'pascoa'",
    "replaced_by = 'msg_1'",
)


@pytest.mark.parametrize("seed", range(6))
async def test_kept_figures_equal_counted_ones_after_anything_that_happens(seed: int) -> None:
    chance = random.Random(seed)
    callers = [await a_caller(), await a_caller()]
    ids: list[str] = []
    for _ in range(8):
        for _ in range(chance.randint(1, 12)):
            minutes = chance.randint(0, 60 * 30)
            at = (
                datetime.now(UTC) - minutes * MINUTE
                if chance.random() < 0.7
                else full_hours_ago(minutes // 60)
            )
            ids.append(await some_message(chance.choice(callers), chance, at))
        some = chance.sample(ids, len(ids) // 3)
        match chance.randint(0, 4):
            case 0:
                await close_all()
            case 1:
                await messaging.merge_hours()
            case 2:
                await db.execute("DELETE FROM messages WHERE id = ANY ($1)", some[:3])
            case _:
                await db.execute(
                    f"UPDATE messages SET {chance.choice(CHANGES)} WHERE id = ANY ($1)", some
                )
        kept, counted = await both()
        assert kept == counted
    await close_all()
    await messaging.merge_hours()
    kept, counted = await both()
    assert kept == counted != set()
    assert not await db.fetchval(
        "SELECT count(*) FROM message_hours WHERE late AND hour < (SELECT closed_until FROM closed_hours)"
    )


async def test_an_hour_is_closed_only_when_everybody_who_may_have_changed_it_has_ended() -> None:
    caller = await a_caller()
    id = await stored_message(caller, full_hours_ago(5), status=Status.SENT)
    written, proceed = asyncio.Event(), asyncio.Event()

    async def slow() -> None:
        async with transaction():
            await db.execute("UPDATE messages SET updated_at = now() WHERE id = $1", id)
            written.set()
            await proceed.wait()

    working = asyncio.create_task(slow())
    await written.wait()
    await close_all()
    before = await hours.closed_until()
    proceed.set()
    await working
    await close_all()

    assert before == full_hours_ago(5)
    assert await hours.closed_until() > full_hours_ago(3)


async def test_a_change_that_the_count_does_not_see_is_a_delta_beside_it() -> None:
    """It is made before the hour is closed, and its transaction ends afterwards."""
    caller = await a_caller()
    id = await stored_message(caller, full_hours_ago(5), status=Status.SENT)
    await messaging.close_hours()  # the fence
    written, proceed = asyncio.Event(), asyncio.Event()

    async def slow() -> None:
        async with transaction():
            await db.execute("UPDATE messages SET status = 'delivered' WHERE id = $1", id)
            written.set()
            await proceed.wait()

    working = asyncio.create_task(slow())
    await written.wait()
    await messaging.close_hours()
    seen = await both()
    proceed.set()
    await working

    assert seen[0] == seen[1] != set()
    kept, counted = await both()
    assert kept == counted
    assert {row[5] for row in kept} == {"delivered"}


async def test_two_runs_at_once_count_nothing_twice() -> None:
    caller = await a_caller()
    for place in range(30):
        await stored_message(caller, full_hours_ago(50) + place * HOUR)
    await messaging.close_hours()

    await asyncio.gather(*(close_all() for _ in range(4)))

    kept, counted = await both()
    assert kept == counted
    assert len(kept) == 30


async def test_a_run_that_breaks_off_leaves_everything_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caller = await a_caller()
    await stored_message(caller, full_hours_ago(30))
    await messaging.close_hours()
    monkeypatch.setattr(hours, "CLOSE", hours.CLOSE + " nonsense")
    with pytest.raises(Exception, match="nonsense"):
        await messaging.close_hours()
    monkeypatch.undo()
    assert await hours.closed_until() == full_hours_ago(30)

    await close_all()

    kept, counted = await both()
    assert kept == counted != set()


async def test_the_fence_of_another_server_is_set_anew() -> None:
    await stored_message(await a_caller(), full_hours_ago(30))
    await messaging.close_hours()
    await db.execute("UPDATE closed_hours SET fence_transaction = 2::bigint ^ 60")

    await close_all()
    await close_all()

    kept, counted = await both()
    assert kept == counted != set()


async def test_figures_stay_when_old_messages_go() -> None:
    caller = await a_caller()
    await stored_message(caller, full_hours_ago(30), channel=Channel.SMS)
    await close_all()
    async with transaction():
        await db.execute("SET LOCAL svc.keep_hours = 'on'")
        await db.execute("DELETE FROM messages")

    kept, counted = await both()

    assert counted == set()
    assert [row[8:10] for row in kept] == [(1, 1)]
