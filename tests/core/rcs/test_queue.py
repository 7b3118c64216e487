"""RCS messages that leave later: accepted with the dearer price held, checked again when due."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core import idempotency, messaging, rcs
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.errors import Forbidden, NotFound
from core.foundation.security.caller import Caller, Scope
from core.messaging import (
    AcceptedSend,
    MessageNotCancelable,
    MessagePriority,
    RecipientOptedOut,
    SendSchedule,
)
from core.messaging.queue import dispatcher
from tests.factories.contacts import a_denial
from tests.factories.live import a_live_caller
from tests.factories.organizations import a_caller
from tests.factories.queue import due_at, let_leave
from tests.factories.rcs import FALLBACK, NO_RCS, a_new_rcs, an_rcs
from tests.support.money import moved_for, the_message
from tests.support.stored import nothing_stored
from tests.support.told import audited, events

pytestmark = pytest.mark.usefixtures("clean_slate")

SECOND, HOUR, DAY = timedelta(seconds=1), timedelta(hours=1), timedelta(days=1)


async def a_queued(caller: Caller, **fields: Any) -> rcs.RcsRecord:
    """The answer to a send with a time: in an hour, unless told."""
    return await an_rcs(caller, **{"scheduledAt": now() + HOUR, **fields})


async def leave(*, at: Any = None) -> int:
    return await let_leave(at=at, by=rcs.RcsDispatcher())


async def test_it_is_answered_as_queued_with_its_price_held() -> None:
    caller = await a_caller()
    time = now() + HOUR

    sent = await a_queued(caller, scheduledAt=time, fallback=FALLBACK)

    assert sent == await rcs.get_message(caller, sent["id"])
    assert (sent["status"], sent["scheduledAt"], "sentAt" in sent) == (
        "queued",
        wire_time(time),
        False,
    )
    assert await moved_for(sent["id"]) == [("reserva", 1200)]
    row = await the_message(sent["id"])
    assert (row["priority"], row["settle_at"], row["provider_reference"]) == ("normal", None, None)
    assert await due_at(sent["id"]) == time
    assert (await rcs.list_messages(caller, rcs.RcsFilter(status="queued")))["items"] == [sent]


async def test_its_key_answers_again_until_a_day_after_its_time() -> None:
    caller = await a_caller()
    time = now() + 3 * DAY
    first = await a_queued(caller, key="k", scheduledAt=time)

    assert await a_queued(caller, key="k", scheduledAt=time) == first

    assert await db.fetchval("SELECT expires_at FROM idempotency_keys") == time + DAY
    with pytest.raises(idempotency.KeyReusedWithAnotherBody):
        await a_queued(caller, key="k", scheduledAt=time + SECOND)


async def test_what_is_refused_leaves_nothing_behind() -> None:
    caller, live = await a_caller(), await a_live_caller()
    await a_denial(caller, "+5511987650001", "rcs")

    async with nothing_stored():
        with pytest.raises(RecipientOptedOut):
            await a_queued(caller)
        with pytest.raises(messaging.NoProvider):
            await a_queued(live)


async def test_many_are_queued_at_once_each_with_its_own_outcome() -> None:
    caller = await a_caller()
    await a_denial(caller, "+5511987650007", "rcs")
    time = now() + HOUR

    def one(key: str, **fields: Any) -> rcs.QueuedRcs:
        new = a_new_rcs(**fields)
        return rcs.queued_rcs(
            caller,
            new,
            key=key,
            key_route="journeys",
            later=SendSchedule(time, priority=MessagePriority.BULK),
        )

    outcomes = await rcs.queue_messages([one("run 1"), one("run 2", to="+5511987650007")])

    assert [type(outcome) for outcome in outcomes] == [AcceptedSend, RecipientOptedOut]
    assert await rcs.queue_messages([one("run 1")]) == [replace(outcomes[0], replayed=True)]  # type: ignore[type-var]
    rows = await db.fetch("SELECT urgency, due_at, expires_at, sender_id FROM waiting_messages")
    assert [tuple(row.values()) for row in rows] == [
        (2, time, time + 4 * HOUR, f"rcs:test:{caller.organization_id}")
    ]


async def test_the_sandbox_takes_it_at_its_time_and_reports_on_it() -> None:
    caller = await a_caller()
    time = now() + HOUR
    sent = await a_queued(caller, scheduledAt=time)
    assert await leave(at=time - SECOND) == 0

    assert await leave(at=time) == 1

    row = await the_message(sent["id"])
    assert (row["status"], row["sent_at"]) == ("sent", time)
    await rcs.apply_due_reports(at=time + 10 * SECOND)
    assert [event["type"] for event in await events(caller.organization_id, "rcs")] == [
        "rcs.delivered"
    ]
    assert await moved_for(sent["id"]) == [("reserva", 1200), ("captura", 1200)]


async def test_its_fallback_stands_in_for_a_queued_one_too() -> None:
    caller = await a_caller()
    time = now() + HOUR
    sent = await a_queued(caller, scheduledAt=time, to=NO_RCS, fallback=FALLBACK)

    await leave(at=time)
    await rcs.apply_due_reports(at=time + 10 * SECOND)

    row = await the_message(sent["id"])
    assert (row["status"], row["path"]) == ("delivered", "sms")


async def test_requests_go_before_a_campaign_and_bulk_gets_its_tenth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dispatcher, "SANDBOX_BATCH_SIZE", 10)
    caller = await a_caller()
    await rcs.queue_messages(
        [
            rcs.queued_rcs(
                caller,
                a_new_rcs(),
                key=f"k{place}",
                later=SendSchedule(now(), priority=MessagePriority.BULK),
            )
            for place in range(10)
        ]
    )
    for _ in range(12):
        await a_queued(caller, scheduledAt=now())
    at_once = await an_rcs(caller)

    assert at_once["status"] == "sent"
    assert await let_leave(rounds=1, by=rcs.RcsDispatcher()) == 10

    rows = await db.fetch(
        "SELECT priority, count(*) AS n FROM messages WHERE status = 'sent' AND id <> $1 GROUP BY 1",
        at_once["id"],
    )
    assert {row["priority"]: row["n"] for row in rows} == {"normal": 9, "bulk": 1}


async def test_who_said_no_meanwhile_is_not_written_to() -> None:
    caller = await a_caller()
    marketing = await a_queued(caller, scheduledAt=now())
    otp = await a_queued(caller, scheduledAt=now(), route="easy_otp_rcs")
    await a_denial(caller, "+5511987650001", "rcs")

    await leave()

    shown = await rcs.get_message(caller, marketing["id"])
    assert (shown["status"], shown["failureReason"]) == ("failed", "opt_out")
    assert await moved_for(marketing["id"]) == [("reserva", 1200), ("liberacao", 1200)]
    assert (await the_message(otp["id"]))["status"] == "sent"


async def test_what_never_gets_a_turn_expires() -> None:
    caller = await a_caller()
    time = now() + HOUR
    sent = await a_queued(caller, scheduledAt=time)

    assert await messaging.end_expired(at=time + 4 * HOUR) == 1

    shown = await rcs.get_message(caller, sent["id"])
    assert (shown["status"], shown["failureReason"]) == ("failed", "expired")
    assert await moved_for(sent["id"]) == [("reserva", 1200), ("liberacao", 1200)]
    assert [event["type"] for event in await events(caller.organization_id, "rcs")] == [
        "rcs.failed"
    ]


async def test_a_sweep_leaves_what_waits_alone() -> None:
    caller = await a_caller()
    sent = await a_queued(caller, scheduledAt=now() + 30 * DAY)

    assert await rcs.reconcile(at=now() + 10 * DAY) == 0

    assert (await the_message(sent["id"]))["status"] == "queued"


async def test_what_waits_is_canceled_and_costs_nothing() -> None:
    caller = await a_caller()
    sent = await a_queued(caller)

    canceled = await rcs.cancel_message(caller, sent["id"])

    assert (canceled["status"], canceled["failureReason"]) == ("failed", "canceled")
    assert canceled == await rcs.get_message(caller, sent["id"])
    assert await moved_for(sent["id"]) == [("reserva", 1200), ("liberacao", 1200)]
    (entry,) = await audited(caller.organization_id, "message.canceled")
    assert entry["subject_id"] == sent["id"]
    assert await leave(at=now() + DAY) == 0


async def test_only_what_waits_is_canceled_and_only_by_its_owner() -> None:
    caller, other = await a_caller(), await a_caller()
    reader = await a_caller(
        organization_id=caller.organization_id, scopes=frozenset({Scope.RCS_READ})
    )
    gone = await an_rcs(caller)
    waits = await a_queued(caller)

    with pytest.raises(MessageNotCancelable):
        await rcs.cancel_message(caller, gone["id"])
    with pytest.raises(NotFound):
        await rcs.cancel_message(other, waits["id"])
    with pytest.raises(Forbidden):
        await rcs.cancel_message(reader, waits["id"])

    assert (await the_message(waits["id"]))["status"] == "queued"
