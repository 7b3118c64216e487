"""SMS that leave later: accepted with their price held, checked again when they are due."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core import contacts, idempotency, messaging, organizations, privacy, sms
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.errors import Forbidden, NotFound, PaymentRequired, ValidationFailed
from core.foundation.jobs import Job
from core.foundation.security import rate_limit
from core.foundation.security.caller import Caller, Limits, Scope
from core.foundation.security.rate_limit import Take
from core.messaging import (
    AcceptedSend,
    InProgress,
    MessageNotCancelable,
    MessagePriority,
    SendSchedule,
)
from core.sms.errors import SmsRecipientOptedOut
from tests.factories.contacts import a_denial
from tests.factories.live import a_live_caller
from tests.factories.organizations import a_caller
from tests.factories.queue import due_at, let_leave
from tests.factories.sms import a_new_sms, a_send
from tests.factories.stored_contacts import stored_contact
from tests.fakes.provider import ScriptedProvider
from tests.fakes.queue import RecordedQueue
from tests.support.money import balances_of, moved_for, the_message, told
from tests.support.stored import nothing_stored
from tests.support.told import audited
from tests.support.waiting import eventually

pytestmark = pytest.mark.usefixtures("clean_slate", "own_buckets")

SECOND, MINUTE, HOUR, DAY = (
    timedelta(**{name: 1}) for name in ("seconds", "minutes", "hours", "days")
)


async def a_queued(caller: Caller, **fields: Any) -> dict[str, Any]:
    """The answer to a send with a time: in an hour, unless told."""
    return await a_send(caller, **{"scheduledAt": now() + HOUR, **fields})


# Taking it in -------------------------------------------------------------------------------------


async def test_it_is_answered_as_queued_with_its_price_held() -> None:
    caller = await a_caller()
    time = now() + HOUR
    before = await balances_of(caller)

    sent = await a_queued(caller, scheduledAt=time, metadata={"order": "A-1"})

    shown = await sms.get_message(caller, sent["id"])
    assert shown["origem"] == {"tipo": "api"}
    assert {**sent, **shown} == {**sent, "origem": shown["origem"]}
    assert (sent["status"], sent["provider"], sent["scheduledAt"]) == (
        "queued",
        "svc-sandbox",
        wire_time(time),
    )
    assert (sent["billing"], sent["replayed"], "sentAt" in sent) == ({"coins": 800}, False, False)
    assert await moved_for(sent["id"]) == [("reserva", 800)]
    assert (await balances_of(caller)).held == before.held + 800
    row = await the_message(sent["id"])
    assert (row["priority"], row["settle_at"], row["sealed_text"]) == ("normal", None, None)
    assert await due_at(sent["id"]) == time
    assert await told(caller) == []


async def test_the_list_shows_when_it_leaves_and_finds_what_waits() -> None:
    caller = await a_caller()
    queued = await a_queued(caller)
    await a_send(caller)

    page = await sms.list_messages(caller, sms.SmsFilter(status="queued"))

    assert page["items"] == [await sms.get_message(caller, queued["id"])]
    assert page["items"][0]["scheduledAt"] == queued["scheduledAt"]


async def test_a_live_one_keeps_its_text_sealed_until_it_has_left(
    provider: ScriptedProvider,
) -> None:
    caller = await a_live_caller()
    sent = await a_queued(caller, body="Olá, ação", senderId="Loja")

    row = await the_message(sent["id"])
    assert (row["status"], row["provider"]) == ("queued", "gateway")
    assert row["sealed_text"] is not None
    assert "Ol" not in row["sealed_text"]
    assert provider.asked == []


async def test_its_key_answers_again_until_a_day_after_its_time() -> None:
    caller = await a_caller()
    time = now() + 3 * DAY
    first = await a_queued(caller, key="k", scheduledAt=time)

    again = await a_queued(caller, key="k", scheduledAt=time)

    assert {**first, "replayed": True} == again
    expires = await db.fetchval("SELECT expires_at FROM idempotency_keys WHERE key = 'k'")
    assert expires == time + DAY
    with pytest.raises(idempotency.KeyReusedWithAnotherBody):
        await a_queued(caller, key="k", scheduledAt=time + SECOND)


async def test_a_time_that_is_past_means_now() -> None:
    caller = await a_caller()

    sent = await a_queued(caller, key="k", scheduledAt=now() - DAY)

    assert sent["status"] == "queued"
    waits = await due_at(sent["id"])
    assert waits is not None
    assert timedelta(0) <= now() - waits < MINUTE
    expires = await db.fetchval("SELECT expires_at FROM idempotency_keys WHERE key = 'k'")
    assert timedelta(0) <= now() + DAY - expires < MINUTE


async def test_what_is_due_at_once_wakes_the_worker(queue: RecordedQueue) -> None:
    caller = await a_caller()
    await a_queued(caller)
    assert Job.SEND_SMS not in queue.jobs

    await a_queued(caller, scheduledAt=now())

    await eventually(lambda: Job.SEND_SMS in queue.jobs, "the worker is woken")


@pytest.mark.parametrize(
    ("fields", "refusal"),
    [({"contactId": "cnt_x"}, ValidationFailed), ({"to": "+5511987650007"}, ValidationFailed)],
    ids=["no such contact", "opted out"],
)
async def test_what_is_refused_leaves_nothing_behind(
    fields: dict[str, str], refusal: type[Exception]
) -> None:
    caller = await a_caller()
    await a_denial(caller, "+5511987650007")

    async with nothing_stored():
        with pytest.raises(refusal):
            await a_queued(caller, **fields)


async def test_money_that_is_missing_refuses_it_at_once(provider: ScriptedProvider) -> None:
    caller = await a_live_caller(coins=799)

    with pytest.raises(PaymentRequired):
        await a_queued(caller)

    assert await db.fetchval("SELECT count(*) FROM messages") == 0
    assert await db.fetchval("SELECT count(*) FROM waiting_messages") == 0


async def test_without_a_provider_a_live_one_is_refused() -> None:
    caller = await a_live_caller()

    async with nothing_stored():
        with pytest.raises(messaging.NoProvider):
            await a_queued(caller)


async def test_scheduling_takes_nothing_of_the_ceiling() -> None:
    caller = replace(await a_caller(), limits=Limits(sms_per_second=1))

    for _ in range(5):
        await a_queued(caller)

    assert (await a_send(caller))["status"] == "sent"


async def test_many_are_queued_at_once_each_with_its_own_outcome() -> None:
    caller = await a_caller()
    await a_denial(caller, "+5511987650007")
    await a_send(caller, key="taken")
    time = now() + HOUR

    def one(key: str, **fields: Any) -> sms.QueuedSms:
        new = a_new_sms(**fields)
        return sms.queued_sms(
            caller,
            new,
            key=key,
            key_route="journeys",
            later=SendSchedule(time, priority=MessagePriority.BULK),
        )

    asked = [
        one("run 1"),
        one("run 2", to="+5511987650007"),
        one("run 3", contactId="cnt_x"),
        one("run 1"),
        one("taken"),
    ]
    outcomes = await sms.queue_messages(asked)

    kinds = [type(outcome) for outcome in outcomes]
    assert kinds[1:4] == [SmsRecipientOptedOut, messaging.NoSuchContact, InProgress]
    assert kinds[0] is kinds[4] is AcceptedSend
    again = await sms.queue_messages([one("run 1")])
    assert again == [replace(outcomes[0], replayed=True)]  # type: ignore[type-var]
    rows = await db.fetch(
        "SELECT urgency, due_at, expires_at, is_marketing, sender_id FROM waiting_messages"
    )
    assert [tuple(row.values()) for row in rows] == 2 * [
        (2, time, time + 4 * HOUR, True, f"sms:test:{caller.organization_id}")
    ]


# Leaving ------------------------------------------------------------------------------------------


async def test_before_its_time_it_stays() -> None:
    caller = await a_caller()
    time = now() + HOUR
    sent = await a_queued(caller, scheduledAt=time)

    assert await let_leave(at=time - SECOND) == 0
    assert (await the_message(sent["id"]))["status"] == "queued"


async def test_the_sandbox_takes_it_at_its_time_and_reports_on_it() -> None:
    caller = await a_caller()
    time = now() + HOUR
    sent = await a_queued(caller, scheduledAt=time)

    assert await let_leave(at=time) == 1

    row = await the_message(sent["id"])
    assert (row["status"], row["sent_at"], row["provider_reference"]) == (
        "sent",
        time,
        f"sbx_{sent['id'][4:]}",
    )
    assert await moved_for(sent["id"]) == [("reserva", 800), ("captura", 800)]
    assert await sms.apply_due_reports(at=time + 10 * SECOND) == 1
    ((kind, data),) = await told(caller)
    assert (kind, data["id"], data["providerReceipt"]["bill_factor"]) == (
        "sms.delivered",
        sent["id"],
        1,
    )


@pytest.mark.parametrize(
    ("ending", "status"), [("0006", "undelivered"), ("0099", "sent"), ("0008", "failed")]
)
async def test_the_last_digits_choose_the_end_of_a_queued_one_too(ending: str, status: str) -> None:
    caller = await a_caller()
    time = now() + HOUR
    sent = await a_queued(caller, scheduledAt=time, to=f"+551198765{ending}")

    await let_leave(at=time)
    await sms.apply_due_reports(at=time + 10 * SECOND)

    assert (await the_message(sent["id"]))["status"] == status


async def test_who_said_no_meanwhile_is_not_written_to() -> None:
    caller = await a_caller()
    time = now() + HOUR
    marketing = await a_queued(caller, scheduledAt=time)
    otp = await a_queued(caller, scheduledAt=time, route="otp")
    # A denial of a phone that is no contact's calls nothing off: it is asked about again.
    await a_denial(caller, "+5511987650005", "sms")

    await let_leave(at=time)

    row = await the_message(marketing["id"])
    assert (row["status"], row["reason"], row["coins"]) == ("failed", "opt_out", 0)
    assert await moved_for(marketing["id"]) == [("reserva", 800), ("liberacao", 800)]
    assert [(kind, data["reason"]) for kind, data in await told(caller)] == [
        ("sms.failed", "opt_out")
    ]
    assert (await the_message(otp["id"]))["status"] == "sent"


async def test_a_contact_that_closes_sms_calls_off_what_waits_for_it() -> None:
    caller = await a_caller()
    contact = await stored_contact(caller, phone="+5511987650005")
    marketing = await a_queued(caller)
    otp = await a_queued(caller, route="otp")
    elsewhere = await a_queued(caller, to="+5511987650001")

    await contacts.opt_out(
        caller, contacts.OptOut.model_validate({"contactIds": [contact], "canal": "sms"})
    )

    rows = [await the_message(sent["id"]) for sent in (marketing, otp, elsewhere)]
    assert [(row["status"], row["reason"]) for row in rows] == [
        ("failed", "opt_out"),
        ("queued", None),
        ("queued", None),
    ]


async def test_what_never_gets_a_turn_ends_too() -> None:
    caller = await a_caller()
    time = now() + HOUR
    sent = await a_queued(caller, scheduledAt=time)

    assert await messaging.end_expired(at=time + 4 * HOUR - SECOND) == 0
    assert await messaging.end_expired(at=time + 4 * HOUR) == 1

    row = await the_message(sent["id"])
    assert (row["status"], row["reason"]) == ("failed", "abandoned")
    assert await due_at(sent["id"]) is None
    assert await moved_for(sent["id"]) == [("reserva", 800), ("liberacao", 800)]
    assert [kind for kind, _ in await told(caller)] == ["sms.failed"]
    assert await messaging.end_expired(at=time + 4 * HOUR) == 0


async def test_an_erased_recipient_gets_nothing() -> None:
    caller = await a_caller()
    contact = await stored_contact(caller, phone="+5511987650005")
    sent = await a_queued(caller, scheduledAt=now())

    await privacy.erase_contact(caller, contact)
    await let_leave()

    row = await the_message(sent["id"])
    assert (row["status"], row["reason"], row["recipient"]) == ("failed", "canceled", "0005")
    assert await moved_for(sent["id"]) == [("reserva", 800), ("liberacao", 800)]


# The ceiling --------------------------------------------------------------------------------------


SLOW = Limits(sms_per_second=2)
"""A token comes back after half a second: what these tests do takes less, on a busy machine too."""


async def left_of(caller: Caller) -> int:
    (grant,) = await rate_limit.take([Take(f"sms:{caller.organization_id}:{caller.env}", 2, 0)])
    return grant.left


async def test_requests_keep_half_of_the_ceiling() -> None:
    caller = await a_caller()
    await organizations.set_limits(caller.organization_id, "test", sms_per_second=2)
    for _ in range(3):
        await a_queued(caller, scheduledAt=now())

    assert await let_leave(rounds=1) == 1
    assert await let_leave(rounds=1) == 0
    assert await left_of(caller) == 1


async def test_what_requests_use_up_is_not_taken_by_what_waits() -> None:
    caller = await a_caller()
    await organizations.set_limits(caller.organization_id, "test", sms_per_second=2)
    await a_queued(caller, scheduledAt=now())
    await a_send(replace(caller, limits=SLOW))

    assert await let_leave(rounds=1) == 0


async def test_what_does_not_leave_gives_its_tokens_back() -> None:
    caller = await a_caller()
    await organizations.set_limits(caller.organization_id, "test", sms_per_second=2)
    await a_queued(caller, scheduledAt=now())
    await a_denial(caller, "+5511987650005")

    assert await let_leave(rounds=1) == 1

    assert await left_of(caller) == 2


async def test_the_urgent_go_first_and_bulk_gets_its_tenth() -> None:
    caller = await a_caller()
    await organizations.set_limits(caller.organization_id, "test", sms_per_second=20)
    priorities = ["bulk"] * 10 + ["normal"] * 10 + ["critical"] * 4
    await sms.queue_messages(
        [
            sms.queued_sms(
                caller,
                a_new_sms(),
                key=f"k{place}",
                later=SendSchedule(now(), priority=priority),  # type: ignore[arg-type]
            )
            for place, priority in enumerate(priorities)
        ]
    )

    assert await let_leave(rounds=1) == 10

    rows = await db.fetch(
        "SELECT priority, count(*) AS n FROM messages WHERE status = 'sent' GROUP BY 1"
    )
    assert {row["priority"]: row["n"] for row in rows} == {"critical": 4, "normal": 5, "bulk": 1}


# Canceling ----------------------------------------------------------------------------------------


async def test_what_waits_is_canceled_and_costs_nothing() -> None:
    caller = await a_caller()
    sent = await a_queued(caller, key="k")

    canceled = await sms.cancel_message(caller, sent["id"])

    assert (canceled["status"], canceled["reason"]) == ("failed", "canceled")
    assert canceled == await sms.get_message(caller, sent["id"])
    assert await moved_for(sent["id"]) == [("reserva", 800), ("liberacao", 800)]
    assert [kind for kind, _ in await told(caller)] == ["sms.failed"]
    entries = await audited(caller.organization_id, "message.canceled")
    assert [entry["subject_id"] for entry in entries] == [sent["id"]]
    assert await let_leave(at=now() + DAY) == 0


async def test_what_has_left_is_not_canceled_any_more() -> None:
    caller = await a_caller()
    gone = await a_queued(caller, scheduledAt=now())
    await let_leave()
    at_once = await a_send(caller)

    for id in (gone["id"], at_once["id"]):
        with pytest.raises(MessageNotCancelable):
            await sms.cancel_message(caller, id)

    assert (await the_message(gone["id"]))["status"] == "sent"
    assert await audited(caller.organization_id, "message.canceled") == []


async def test_nobody_else_cancels_it() -> None:
    caller, other = await a_caller(), await a_caller()
    reader = await a_caller(
        organization_id=caller.organization_id, scopes=frozenset({Scope.SMS_READ})
    )
    sent = await a_queued(caller)

    with pytest.raises(NotFound):
        await sms.cancel_message(other, sent["id"])
    with pytest.raises(Forbidden):
        await sms.cancel_message(reader, sent["id"])

    assert (await the_message(sent["id"]))["status"] == "queued"
