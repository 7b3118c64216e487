"""Messages over time from closed hours: the same figures as from the messages themselves, and few
of these read.
"""

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest

from core import messaging, sms
from core.foundation.clock import wire_time
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller
from core.foundation.validation.inputs import read_body
from core.messaging import Status, hours
from core.read_models.statistics import MessageStatsQuery, message_stats
from tests.factories.organizations import a_caller
from tests.factories.stored_messages import stored_conversation, stored_message, stored_reply
from tests.support.plans import rows_read

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("real_commits")]

HOUR, MINUTE, INSTANT = timedelta(hours=1), timedelta(minutes=1), timedelta(microseconds=1)
ZONES = ("UTC", "America/Sao_Paulo", "Asia/Kathmandu", "Asia/Kolkata", "Australia/Lord_Howe")
GROUPS: tuple[list[str], ...] = ([], ["channel"], ["status", "campaign"], ["number", "channel"])
FILTERS: tuple[dict[str, Any], ...] = (
    {},
    {"status": ["delivered", "sent"]},
    {"channel": ["sms"]},
    {"campaignId": "outono"},
    {"direction": "inbound"},
    {"numberId": "num_1", "status": ["read"]},
    {"to": "+5511987650005"},
)


def query(**fields: Any) -> MessageStatsQuery:
    return read_body(MessageStatsQuery, orjson.dumps(fields))


async def close_all() -> None:
    await messaging.close_hours()
    while await messaging.close_hours():
        pass


async def some_messages(caller: Caller, chance: random.Random, number: int) -> None:
    """Over four days, many of them where hours and days begin, and some changed late."""
    midnight = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    for _ in range(number):
        at = datetime.now(UTC) - chance.randint(0, 96 * 60) * MINUTE
        if chance.random() < 0.5:
            begin = midnight - chance.randint(0, 96 * 2) * HOUR / 2
            at = begin + chance.choice((-INSTANT, 0 * INSTANT, INSTANT))
        kind = chance.choice((stored_message, stored_conversation, stored_reply))
        fields: dict[str, Any] = {"campaign_id": chance.choice((None, "outono"))}
        if kind is not stored_reply:
            fields["status"] = chance.choice(list(Status))
        if kind is stored_conversation:
            fields["number_id"] = chance.choice((None, "num_1"))
        await kind(caller, at, **fields)


@pytest.mark.parametrize("seed", range(3))
async def test_closed_hours_answer_what_the_messages_do(seed: int) -> None:
    chance = random.Random(seed)
    caller = await a_caller()
    await some_messages(await a_caller(), chance, 5)
    await some_messages(caller, chance, 60)
    now = datetime.now(UTC)
    asked = []
    for place, filter in enumerate(FILTERS * 4):
        since = now - chance.randint(1, 100 * 60) * MINUTE
        until = since + chance.randint(1, 110 * 60) * MINUTE
        period = {"from": since + HOUR, "to": now} if chance.random() < 0.2 else None
        fields = {
            "from": wire_time(hours.full_hour(since) if chance.random() < 0.3 else since),
            "to": wire_time(until),
            "bucket": chance.choice(("hour", "day", "week", "month")),
            "timezone": ZONES[place % len(ZONES)],
            "groupBy": chance.choice(GROUPS),
        }
        asked.append((query(**fields), {**filter, **({"createdAt": period} if period else {})}))
    before = [await message_stats(caller, one, filter) for one, filter in asked]

    await close_all()

    assert await hours.closed_until() > now - 4 * HOUR
    assert [await message_stats(caller, one, filter) for one, filter in asked] == before
    await db.execute("UPDATE messages SET status = 'archived' WHERE status IN ('read', 'failed')")
    late = [await message_stats(caller, one, filter) for one, filter in asked]
    assert late != before
    await db.execute("UPDATE closed_hours SET closed_until = '2000-01-01Z'")  # as if none was
    assert [await message_stats(caller, one, filter) for one, filter in asked] == late


@pytest.mark.parametrize("seed", range(2))
async def test_lists_tell_the_same_totals_and_messages_from_closed_hours(seed: int) -> None:
    chance = random.Random(seed)
    caller = await a_caller()
    await some_messages(await a_caller(), chance, 5)
    await some_messages(caller, chance, 60)
    now = datetime.now(UTC)
    asked = []
    for _ in range(25):
        since = now - chance.randint(1, 100 * 60) * MINUTE
        asked.append(
            sms.SmsFilter(
                status=chance.choice(
                    (None, "sent", "delivered", "failed", "queued", "undelivered")
                ),
                from_=chance.choice((None, since, hours.full_hour(since))),
                to=chance.choice((None, now, since + chance.randint(0, 60 * 60) * MINUTE)),
                limit=200,
            )
        )
    before = [await sms.list_messages(caller, filter) for filter in asked]
    assert all(page["total"] == len(page["items"]) for page in before)
    assert any(page["total"] for page in before)

    await close_all()

    assert [await sms.list_messages(caller, filter) for filter in asked] == before
    await db.execute("UPDATE messages SET status = 'delivered' WHERE status IN ('sent', 'failed')")
    late = [await sms.list_messages(caller, filter) for filter in asked]
    assert all(page["total"] == len(page["items"]) for page in late)
    assert late != before


async def test_replies_tell_the_same_totals_from_closed_hours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caller = await a_caller()
    stranger = await a_caller()
    await db.execute(FILL, stranger.organization_id, stranger.env)
    await db.execute("UPDATE messages SET id = 'other_' || right(id, 10)")
    await db.execute(FILL, caller.organization_id, caller.env)
    await db.execute(
        """UPDATE messages SET channel = 'sms', direction = 'inbound', content = '{"text": "Sim"}',
           delivered_at = created_at WHERE id LIKE '%7'"""
    )
    now = datetime.now(UTC)
    month_ago, week_ago = now - timedelta(days=30), now - timedelta(days=7, minutes=13)
    asked = [
        sms.ReplyFilter(from_=since, to=until, limit=20)
        for since, until in (
            (None, None),
            (month_ago, None),
            (None, week_ago),
            (month_ago, week_ago),
        )
    ]
    before = [(await sms.list_replies(caller, filter))["total"] for filter in asked]
    counted = [
        await db.fetchval(
            "SELECT count(*) FROM messages WHERE organization_id = $1 AND direction = 'inbound' "
            "AND created_at BETWEEN coalesce($2, created_at) AND coalesce($3, created_at)",
            *(caller.organization_id, filter.from_, filter.to),
        )
        for filter in asked
    ]

    await close_all()
    await db.execute("ANALYZE messages, message_hours")

    assert (
        [(await sms.list_replies(caller, filter))["total"] for filter in asked] == before == counted
    )
    for filter in asked:
        # A page, and the replies of open hours; there are 2,000.
        assert await rows_read(sms.list_replies(caller, filter), "messages", monkeypatch) < 60
    first = (await sms.list_replies(caller, asked[0]))["items"][0]["id"]
    await db.execute("DELETE FROM messages WHERE id = $1", first)
    assert [(await sms.list_replies(caller, filter))["total"] for filter in asked] == [
        before[0] - 1, before[1] - 1, before[2], before[3],
    ]  # fmt: skip


async def test_a_total_ends_where_old_messages_were_let_go() -> None:
    caller = await a_caller()
    now = datetime.now(UTC)
    for days in (40, 39, 2, 1):
        await stored_message(caller, now - timedelta(days=days))
    await close_all()
    async with transaction():
        await db.execute("SET LOCAL svc.keep_hours = 'on'")
        await db.execute("DELETE FROM messages WHERE created_at < $1", now - timedelta(days=30))
    since = now - timedelta(days=60)

    page = await sms.list_messages(caller, sms.SmsFilter(from_=since))
    figures = await message_stats(caller, query(**{"from": wire_time(since)}))

    assert (page["total"], figures["totals"]["sent"]) == (2, 4)


@pytest.mark.parametrize(
    "fields",
    [{"status": "queued"}, {"status": "failed"}, {"days": 60}, {"status": "failed", "days": 60}],
)
async def test_a_page_by_status_or_period_reads_few_messages(
    fields: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = await a_caller()
    await db.execute(FILL, caller.organization_id, caller.env)
    await db.execute(
        "UPDATE messages SET status = 'failed' WHERE created_at > now() - interval '20 days' AND id LIKE '%77'"
    )
    await close_all()
    await messaging.merge_hours()
    await db.execute("ANALYZE messages, message_hours")
    since = datetime.now(UTC) - timedelta(days=fields["days"]) if "days" in fields else None
    filter = sms.SmsFilter(status=fields.get("status"), from_=since, limit=100)

    read = await rows_read(sms.list_messages(caller, filter), "messages", monkeypatch)

    assert read < 6_000  # those of twenty days


async def test_a_question_about_months_reads_the_messages_of_the_open_hours_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caller = await a_caller()
    await db.execute(FILL, caller.organization_id, caller.env)
    await close_all()
    await db.execute("ANALYZE messages, message_hours")
    since = wire_time(datetime.now(UTC) - timedelta(days=60))
    # Of 20,000, some nine an hour: the shorter part of each hour that a day cuts is read.
    for zone, most in (("America/Sao_Paulo", 300), ("Asia/Kathmandu", 500), ("Asia/Kolkata", 700)):
        plain = query(**{"from": since}, groupBy=["channel"], timezone=zone)

        read = await rows_read(message_stats(caller, plain), "messages", monkeypatch)

        assert 0 < read < most, zone


# Ninety days of them, up to now.
FILL = """
INSERT INTO messages (id, organization_id, env, channel, direction, status, recipient, coins, created_at, sent_at,
                      updated_at)
SELECT 'msg_' || lpad(n::text, 21, '0'), $1, $2, CASE WHEN n % 9 = 0 THEN 'whatsapp' ELSE 'sms' END, 'outbound',
       'delivered', '+5511987650005', 800, at, at, at
FROM (SELECT n, clock_timestamp() - n * interval '6 min 29 s' AS at FROM generate_series(1, 20000) AS n) AS s
"""
