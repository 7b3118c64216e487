"""What leaves, when, and in what order; here with the sandbox, which takes everything at once."""

from datetime import time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from core import conversations, organizations
from core.conversations.queue.pacing import find_due_senders, take_tokens
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import Conflict, NotFound
from core.foundation.ids import new_id
from core.foundation.security import rate_limit
from core.foundation.security.caller import Caller
from core.foundation.security.rate_limit import LocalBuckets
from core.messaging.queue.pacing import Pacing
from core.numbers import Number
from core.organizations import QuietHours
from core.templates.models import Template
from tests.factories.batches import ANA as DESK_ANA
from tests.factories.batches import Desk, a_desk
from tests.factories.conversations import (
    ANA,
    a_conversation,
    a_forced_message,
    a_message,
    a_window,
    deny,
    let_leave,
    report_all,
    waiting_ids,
)
from tests.factories.numbers import an_instagram_account
from tests.factories.organizations import a_caller
from tests.support.money import balances_of, moved_for, the_message
from tests.support.told import audited, events


@pytest.fixture(autouse=True)
def own_buckets() -> None:
    """Full buckets for every test."""
    rate_limit.use_buckets(LocalBuckets())


async def statuses(*ids: str) -> list[str]:
    return [(await the_message(id))["status"] for id in ids]


async def told(caller: Caller) -> list[str]:
    return [event["type"] for event in await events(caller.organization_id, "")]


def a_template_of(desk: Desk) -> dict[str, Any]:
    """What a paid message says."""
    return {
        "type": "template",
        "payload": ...,
        "templateId": desk.template_id,
        "templateVars": ["Ana"],
    }


async def to_people(caller: Caller, number: Number, count: int, **fields: Any) -> list[str]:
    """The ids of messages to as many people, who all wrote an hour ago."""
    ids = []
    for place in range(count):
        to = f"+5511987{place:06d}"
        await a_window(caller, number.id, to)
        ids.append((await a_message(caller, number.id, to=to, **fields))["id"])
    return ids


@pytest.mark.parametrize(
    ("ending", "status", "code", "told_of"),
    [
        ("0301", "delivered", None, ["message.sent", "message.delivered"]),
        ("0005", "read", None, ["message.sent", "message.delivered", "message.read"]),
        ("0006", "failed", "131026", ["message.sent", "message.failed"]),
        ("0008", "failed", "131047", ["message.sent", "message.failed"]),
        ("0099", "sent", None, ["message.sent"]),
    ],
)
async def test_the_last_digits_choose_what_becomes_of_a_message_in_the_sandbox(
    clean_slate: None, ending: str, status: str, code: str | None, told_of: list[str]
) -> None:
    caller, to = await a_caller(), f"+551198765{ending}"
    number = await a_conversation(caller, to)
    sent = await a_message(caller, number.id, to=to, metadata={"order": 1})
    assert await let_leave() == 1
    left = await conversations.get_message(caller, sent["id"])
    assert (left["status"], left["attempts"]) == ("sent", 1)
    assert left["metaMessageId"] == f"wamid.sbx.{sent['id'][4:]}"
    await report_all()
    now_is = await conversations.get_message(caller, sent["id"])
    assert (now_is["status"], now_is.get("upstreamCode")) == (status, code)
    assert ("lastError" in now_is) is ("originalError" in now_is) is (code is not None)
    assert await told(caller) == told_of
    last = (await events(caller.organization_id, "message"))[-1]["data"]
    assert (last["id"], last["to"], last["metadata"], last["status"]) == (
        sent["id"],
        to,
        {"order": 1},
        status,
    )
    assert await waiting_ids() == set()


async def test_instagram_has_events_of_its_own(clean_slate: None) -> None:
    caller = await a_caller()
    account = await an_instagram_account(caller)
    for to in ("17841400000000001", "17841400000000006"):
        await a_window(caller, account.id, to)
        await a_message(caller, "", numberId=..., instagramAccountId=account.id, to=to)
    await let_leave()
    await report_all()
    assert sorted(await told(caller)) == [
        "instagram.message.failed",
        *["instagram.message.sent"] * 2,
    ]
    (data,) = [
        event["data"] for event in await events(caller.organization_id, "instagram.message.failed")
    ]
    assert data["instagramAccountId"] == account.id


async def test_acceptance_is_what_is_paid_for(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    template = a_template_of(desk)
    refused_later = await a_message(desk.caller, desk.number_id, to="+5511987650006", **template)
    await let_leave()
    await report_all()
    assert await moved_for(refused_later["id"]) == [("reserva", 400), ("captura", 400)]
    assert (await balances_of(desk.caller)).held == 0


async def test_a_template_is_free_when_the_recipient_wrote_before_it_left(
    clean_slate: None,
) -> None:
    desk = await a_desk(await a_caller())
    template = a_template_of(desk)
    sent = await a_message(desk.caller, desk.number_id, **template)
    await a_window(desk.caller, desk.number_id, ANA)
    await let_leave()
    assert await moved_for(sent["id"]) == [("reserva", 400), ("liberacao", 400)]
    assert await statuses(sent["id"]) == ["sent"]


async def test_a_scheduled_message_waits_for_its_time(clean_slate: None) -> None:
    caller = await a_caller()
    number = await a_conversation(caller)
    at = now() + timedelta(hours=2)
    sent = await a_message(caller, number.id, scheduledAt=at.isoformat())
    assert await let_leave(at=at - timedelta(seconds=1)) == 0
    assert await statuses(sent["id"]) == ["queued"]
    assert await let_leave(at=at) == 1
    assert await statuses(sent["id"]) == ["sent"]


async def test_a_scheduled_text_fails_when_its_window_is_over(clean_slate: None) -> None:
    caller = await a_caller()
    number = await a_conversation(caller)
    at = now() + timedelta(hours=30)
    sent = await a_message(caller, number.id, scheduledAt=at.isoformat())
    await let_leave(at=at)
    row = await the_message(sent["id"])
    assert (row["status"], row["reason"], row["attempts"]) == ("failed", "window_closed", 0)
    assert row["last_error"] == row["original_error"]
    assert await told(caller) == ["message.failed"]


async def test_a_scheduled_text_leaves_when_the_recipient_wrote_again(clean_slate: None) -> None:
    caller = await a_caller()
    number = await a_conversation(caller)
    at = now() + timedelta(hours=30)
    sent = await a_message(caller, number.id, scheduledAt=at.isoformat())
    await a_window(caller, number.id, ago=-timedelta(hours=20))
    await let_leave(at=at)
    assert await statuses(sent["id"]) == ["sent"]


async def test_what_changed_since_is_looked_at_when_a_template_leaves(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    template = a_template_of(desk)
    first = await a_message(desk.caller, desk.number_id, **template)
    await Template.filter(id=desk.template_id).update(status="paused")
    await let_leave()
    await Template.filter(id=desk.template_id).update(status="approved")
    second = await a_message(desk.caller, desk.number_id, **template)
    await Number.filter(id=desk.number_id).update(status="disconnected")
    await let_leave()
    reasons = [(await the_message(id))["reason"] for id in (first["id"], second["id"])]
    assert reasons == ["template_unavailable", "number_unavailable"]
    assert [await moved_for(id) for id in (first["id"], second["id"])] == [
        [("reserva", 400), ("liberacao", 400)]
    ] * 2


async def test_a_number_whose_service_was_removed_sends_nothing(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    sent = await a_message(desk.caller, desk.number_id, **a_template_of(desk))
    removed = {"partner_removed_at": now(), "partner_removed_reason": "PARTNER_REMOVED"}
    await Number.filter(id=desk.number_id).update(**removed)
    await let_leave()
    row = await the_message(sent["id"])
    assert (row["status"], row["reason"]) == ("failed", "number_unavailable")
    assert await moved_for(sent["id"]) == [("reserva", 400), ("liberacao", 400)]


async def test_marketing_stops_for_a_denial_that_slipped_through(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    template = a_template_of(desk)
    sent = await a_message(desk.caller, desk.number_id, to=DESK_ANA, **template)
    waiting = await db.fetchrow("SELECT * FROM waiting_messages WHERE message_id = $1", sent["id"])
    assert waiting is not None
    await deny(
        desk.caller, DESK_ANA
    )  # ends it already; so it is put back as a racing claim would have it
    await db.execute("UPDATE messages SET status = 'queued', coins = 0 WHERE id = $1", sent["id"])
    await db.execute(
        "INSERT INTO waiting_messages SELECT * FROM jsonb_populate_record(null::waiting_messages, $1) "
        "ON CONFLICT DO NOTHING",
        {
            **{name: value for name, value in dict(waiting).items() if name != "identity"},
            "identity": "\\x" + waiting["identity"].hex(),
        },
    )
    await let_leave()
    row = await the_message(sent["id"])
    assert (row["status"], row["reason"]) == ("failed", "opt_out")


async def test_a_pair_rests_six_seconds_after_each_message(clean_slate: None) -> None:
    caller = await a_caller()
    number = await a_conversation(caller)
    ids = [(await a_message(caller, number.id, payload={"text": text}))["id"] for text in "abc"]
    at = now()
    assert await let_leave(at=at, rounds=1) == 3
    assert await statuses(*ids) == ["sent", "queued", "queued"]
    await let_leave(at=at + timedelta(seconds=5))
    assert await statuses(*ids) == ["sent", "queued", "queued"]
    await let_leave(at=at + timedelta(seconds=6))
    assert await statuses(*ids) == ["sent", "sent", "queued"]
    await let_leave(at=at + timedelta(seconds=12))
    assert await statuses(*ids) == ["sent"] * 3


async def test_a_number_sends_no_more_than_its_rate(clean_slate: None) -> None:
    caller = await a_caller()
    number = await a_conversation(caller, rate_per_second=5)
    ids = await to_people(caller, number, 8)
    assert await let_leave(rounds=1) == 5
    assert sorted(await statuses(*ids)) == ["queued"] * 3 + ["sent"] * 5


async def test_a_number_sends_no_more_than_it_may_in_a_day(clean_slate: None) -> None:
    caller = await a_caller()
    number = await a_conversation(caller, rate_per_day=3)
    await to_people(caller, number, 5)
    assert await let_leave() == 3


async def test_force_passes_an_empty_bucket(clean_slate: None) -> None:
    caller = await a_caller()
    number = await a_conversation(caller, rate_per_second=1, rate_per_day=1)
    (spent,) = await to_people(caller, number, 1)
    assert await let_leave() == 1
    forced = await a_forced_message(caller, number.id)

    assert await let_leave() == 1
    assert await statuses(spent, forced["id"]) == ["sent", "sent"]


async def test_what_did_not_leave_gives_its_token_back(clean_slate: None) -> None:
    caller = await a_caller()
    number = await a_conversation(caller, rate_per_day=3)
    same = [(await a_message(caller, number.id))["id"] for _ in range(3)]
    assert await let_leave(rounds=1) == 3
    others = await to_people(caller, number, 2)
    await let_leave()
    assert sorted(await statuses(*same, *others)) == ["queued"] * 2 + ["sent"] * 3


async def test_critical_goes_before_normal_and_normal_before_bulk(clean_slate: None) -> None:
    caller = await a_caller()
    number = await a_conversation(caller, rate_per_second=2)
    ids: dict[str, list[str]] = {}
    for kind, priority in enumerate(("bulk", "normal", "critical")):
        people = [f"+5511987{kind}0000{place}" for place in range(2)]
        for to in people:
            await a_window(caller, number.id, to)
        ids[priority] = [
            (await a_message(caller, number.id, to=to, priority=priority))["id"] for to in people
        ]
    await let_leave(rounds=1)
    assert [await statuses(*ids[priority]) for priority in ("critical", "normal", "bulk")] == [
        ["sent"] * 2,
        ["queued"] * 2,
        ["queued"] * 2,
    ]


async def test_bulk_gets_its_tenth_however_much_else_waits(clean_slate: None) -> None:
    caller = await a_caller()
    number = await a_conversation(caller, rate_per_second=1)
    await to_people(caller, number, 1)
    (sender,) = await find_due_senders(at=now(), most=100)
    pacing = Pacing(take_tokens)
    busy = type(sender)(
        **{name: getattr(sender, name) for name in sender.__slots__} | {"normal": 50, "bulk": 50}
    )
    given = {1: 0, 2: 0}
    for _ in range(100):
        rate_limit.use_buckets(LocalBuckets())
        for quota in await pacing.allot([busy], slots=10):
            given[quota.urgency] += quota.count
    assert given == {1: 90, 2: 10}


async def test_one_numbers_backlog_does_not_starve_another(clean_slate: None) -> None:
    caller = await a_caller()
    long, short = (
        await a_conversation(caller, rate_per_second=80),
        await a_conversation(caller, rate_per_second=80),
    )
    await to_people(caller, long, 12)
    few = await to_people(caller, short, 2)
    senders = await find_due_senders(at=now(), most=100)
    quotas = {one.sender_id: one.count for one in await Pacing(take_tokens).allot(senders, slots=6)}
    assert quotas == {long.id: 4, short.id: 2}
    await let_leave()
    assert await statuses(*few) == ["sent", "sent"]


async def test_bulk_waits_for_the_end_of_the_quiet_hours(clean_slate: None) -> None:
    caller = await a_caller()
    number = await a_conversation(caller)
    at = now().replace(hour=2, minute=0) + timedelta(days=1)
    await a_window(caller, number.id, ago=-timedelta(days=1))
    await organizations.store_quiet_hours(caller, _night(), at=now())
    people = ["+5511987000001", "+5511987000002", "+5511987000003"]
    ids = []
    for to, fields in zip(
        people, ({"priority": "bulk"}, {}, {"priority": "critical"}), strict=True
    ):
        await a_window(caller, number.id, to, ago=-timedelta(hours=20))
        ids.append((await a_message(caller, number.id, to=to, **fields))["id"])
    forced = await a_forced_message(caller, number.id, priority="bulk")
    await let_leave(at=at)
    assert await statuses(*ids, forced["id"]) == ["queued", "sent", "sent", "sent"]
    due_at = await db.fetchval("SELECT due_at FROM waiting_messages WHERE message_id = $1", ids[0])
    assert due_at == at.replace(hour=8, minute=0, second=0, microsecond=0)
    await let_leave(at=due_at)
    assert await statuses(ids[0]) == ["sent"]


def _night() -> QuietHours:
    return QuietHours(time(22), time(8), ZoneInfo("UTC"))


async def test_a_waiting_message_is_canceled_and_its_money_given_back(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    sent = await a_message(
        desk.caller,
        desk.number_id,
        type="template",
        payload=...,
        templateId=desk.template_id,
        templateVars=["Ana"],
        scheduledAt=(now() + timedelta(hours=1)).isoformat(),
    )
    canceled = await conversations.cancel_message(desk.caller, sent["id"])
    assert (canceled["status"], canceled["lastError"]) == ("failed", "cancelada")
    assert await moved_for(sent["id"]) == [("reserva", 400), ("liberacao", 400)]
    assert await waiting_ids() == set()
    assert await told(desk.caller) == ["message.failed"]
    assert [
        entry["subject_id"]
        for entry in await audited(desk.caller.organization_id, "message.canceled")
    ] == [sent["id"]]
    with pytest.raises(Conflict):
        await conversations.cancel_message(desk.caller, sent["id"])
    assert await let_leave(at=now() + timedelta(hours=2)) == 0


async def test_what_has_left_is_not_canceled(clean_slate: None) -> None:
    caller, stranger = await a_caller(), await a_caller()
    number = await a_conversation(caller)
    sent = await a_message(caller, number.id)
    for who, id in ((stranger, sent["id"]), (caller, new_id("msg")), (caller, "x")):
        with pytest.raises(NotFound):
            await conversations.cancel_message(who, id)
    await let_leave()
    with pytest.raises(Conflict) as refusal:
        await conversations.cancel_message(caller, sent["id"])
    assert refusal.value.meta == {"code": "NAO_CANCELAVEL"}
    assert await statuses(sent["id"]) == ["sent"]
