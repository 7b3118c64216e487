"""Reports of a live provider: which way a message took, what it costs then, and the SMS that stands
in.
"""

from datetime import timedelta
from typing import Any

import pytest

from core import messaging, rcs, sms
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.jobs import Job
from core.foundation.security.caller import Caller
from core.providers.contracts import (
    FALLBACK as SUFFIX,
)
from core.providers.contracts import (
    Answer,
    DeliveryReport,
    Failed,
    MessageFound,
    MessageNotFound,
    Refused,
    Throttled,
    Unknown,
)
from tests.factories.live import a_live_caller
from tests.factories.rcs import FALLBACK, an_rcs
from tests.fakes.provider import ScriptedProvider, crash
from tests.fakes.queue import RecordedQueue
from tests.support.money import moved_for, the_message, volume_of
from tests.support.waiting import eventually

pytestmark = pytest.mark.usefixtures("clean_slate")

MINUTE = timedelta(minutes=1)


async def report(
    caller: Caller,
    id: str | None,
    status: str | None,
    reason: str | None = None,
    *,
    channel: str | None = "RCS",
    of_fallback: bool = False,
    reference: str | None = None,
) -> None:
    """Let the gateway report on a message."""
    await messaging.receive_reports(
        caller.organization_id,
        "gateway",
        [a_word(id, status, reason, channel, of_fallback, reference)],
        at=now(),
    )


def a_word(  # noqa: PLR0917  it reads as a sentence
    id: str | None,
    status: str | None,
    reason: str | None = None,
    channel: str | None = "RCS",
    of_fallback: bool = False,
    reference: str | None = None,
) -> DeliveryReport:
    shown = {
        "id": reference or "gw_1",
        "type": "api_message",
        "to": "+5511987650001",
        "status": "X",
        "channel": channel,
    }
    return DeliveryReport(id, reference, status, reason, now(), shown, of_fallback)  # type: ignore[arg-type]


async def events() -> list[tuple[str, Any, Any]]:
    rows = await db.fetch(
        "SELECT type, data FROM webhook_events WHERE type NOT LIKE 'wallet.%' ORDER BY id"
    )
    return [
        (row["type"], row["data"].get("channel"), row["data"].get("failureReason")) for row in rows
    ]


async def state(id: str) -> tuple[Any, ...]:
    row = await the_message(id)
    return row["status"], row["path"], row["reason"]


@pytest.mark.parametrize(
    ("told", "end", "paid"),
    [
        (("delivered", None, "RCS"), ("delivered", "rcs", None), 1_200),
        (("read", None, "RCS"), ("read", "rcs", None), 1_200),
        (("failed", "rejected", "RCS"), ("failed", "rcs", "rejected"), 1_200),
        (("failed", "media_error", "RCS"), ("failed", "rcs", "media_error"), 1_200),
        (("failed", "expired", "RCS"), ("failed", "rcs", "expired"), 1_200),
        (("undelivered", "carrier_rejected", "RCS"), ("failed", "rcs", "rejected"), 1_200),
        (("failed", "no_rcs", "RCS"), ("failed", None, "no_rcs"), 0),
    ],
)
async def test_a_report_moves_pays_and_tells(
    provider: ScriptedProvider, told: tuple[str, str | None, str], end: tuple[Any, ...], paid: int
) -> None:
    caller = await a_live_caller()
    id = (await an_rcs(caller))["id"]
    await report(caller, id, told[0], told[1], channel=told[2])
    assert await state(id) == end
    final = ("captura", paid) if paid else ("liberacao", 1_200)
    assert await moved_for(id) == [("reserva", 1_200), final]
    assert await events() == [(f"rcs.{end[0]}", end[1], end[2])]
    row = await the_message(id)
    assert (row["coins"], row["settle_at"]) == (paid, None)
    assert (
        await db.fetchval("SELECT applied FROM message_receipts WHERE message_id = $1", id) is True
    )


async def test_reports_in_any_order_and_twice_are_told_once_and_paid_once(
    provider: ScriptedProvider,
) -> None:
    caller = await a_live_caller()
    id = (await an_rcs(caller))["id"]
    words = [a_word(id, "read"), a_word(id, "delivered"), a_word(id, "read"), a_word(id, None)]
    await messaging.receive_reports(caller.organization_id, "gateway", words, at=now())
    assert await state(id) == ("read", "rcs", None)
    record = await rcs.get_message(caller, id)
    assert {"readAt", "deliveredAt"} <= set(record)
    assert await events() == [("rcs.read", "rcs", None)]
    assert await moved_for(id) == [("reserva", 1_200), ("captura", 1_200)]


async def test_a_delivery_whose_way_nobody_told_is_paid_as_rcs_after_72_hours(
    provider: ScriptedProvider,
) -> None:
    caller = await a_live_caller()
    id = (await an_rcs(caller, fallback=FALLBACK))["id"]
    await report(caller, id, "delivered", channel=None)
    assert "channel" not in await rcs.get_message(caller, id)
    assert await moved_for(id) == [("reserva", 1_200)]
    await rcs.reconcile(at=now() + timedelta(hours=73))
    assert await moved_for(id) == [("reserva", 1_200), ("captura", 1_200)]


async def test_an_early_report_accepts_the_message_first(provider: ScriptedProvider) -> None:
    caller = await a_live_caller()
    provider.will(Unknown())
    with pytest.raises(messaging.OutcomeUnknown) as refused:
        await an_rcs(caller, key="k")
    id = refused.value.meta["messageId"]
    await report(caller, id, "delivered", reference="gw_early")
    row = await the_message(id)
    assert (row["status"], row["provider_reference"], row["sent_at"] is not None) == (
        "delivered",
        "gw_early",
        True,
    )
    assert await moved_for(id) == [("reserva", 1_200), ("captura", 1_200)]
    assert (await an_rcs(caller, key="k"))["id"] == id


async def test_a_report_by_a_reference_that_is_not_known_yet_waits_for_it(
    provider: ScriptedProvider,
) -> None:
    caller = await a_live_caller()
    await report(caller, None, "delivered", reference="gw_later")
    assert await db.fetchval("SELECT count(*) FROM parked_receipts") == 1
    id = (await an_rcs(caller))["id"]
    await db.execute("UPDATE messages SET provider_reference = 'gw_later' WHERE id = $1", id)

    await sms.retry_unmatched(at=now() + MINUTE)

    assert await state(id) == ("delivered", "rcs", None)
    assert await db.fetchval("SELECT count(*) FROM parked_receipts") == 0


async def test_another_organizations_report_changes_nothing(provider: ScriptedProvider) -> None:
    caller, other = await a_live_caller(), await a_live_caller()
    id = (await an_rcs(caller))["id"]
    await report(other, id, "delivered")
    assert await state(id) == ("sent", None, None)


async def test_an_indeterminate_message_that_arrived_after_all_is_paid(
    provider: ScriptedProvider,
) -> None:
    caller = await a_live_caller()
    provider.will(Unknown())
    with pytest.raises(messaging.OutcomeUnknown) as refused:
        await an_rcs(caller)
    id = refused.value.meta["messageId"]
    await rcs.reconcile(at=now() + 11 * MINUTE)
    await report(caller, id, "delivered")
    assert await state(id) == ("delivered", "rcs", None)
    assert await moved_for(id) == [("reserva", 1_200), ("captura", 1_200)]


# The SMS that stands in --------------------------------------------------------------------------


async def test_without_rcs_the_fallback_leaves_as_an_sms_of_the_same_message(
    provider: ScriptedProvider, queue: RecordedQueue
) -> None:
    caller = await a_live_caller()
    id = (await an_rcs(caller, fallback=FALLBACK))["id"]
    await report(caller, id, "failed", "no_rcs")
    await eventually(lambda: Job.RECONCILE_RCS in queue.jobs, "the worker is woken")
    record = await rcs.get_message(caller, id)
    assert (record["status"], "channel" in record, "failureReason" in record) == (
        "sent",
        False,
        False,
    )

    await rcs.reconcile(at=now())

    outgoing = provider.asked[-1]
    assert (outgoing.id, outgoing.channel, outgoing.route) == (id + SUFFIX, "sms", "premium")
    assert (outgoing.text, outgoing.content) == ("Promocao: seu pedido chega hoje.", None)
    assert await state(id) == ("sent", "sms", None)
    assert await moved_for(id) == [("reserva", 1_200), ("captura", 800), ("liberacao", 400)]
    assert await volume_of(caller) == 1
    assert await events() == []

    await report(caller, id, "delivered", channel="SMS", of_fallback=True)
    assert await state(id) == ("delivered", "sms", None)
    assert await events() == [("rcs.delivered", "sms", None)]
    assert await db.fetchval("SELECT count(*) FROM messages") == 1
    await rcs.reconcile(at=now() + timedelta(days=4))
    assert len(provider.asked) == 2


async def test_the_otp_route_falls_back_by_otp(provider: ScriptedProvider) -> None:
    caller = await a_live_caller()
    id = (await an_rcs(caller, route="easy_otp_rcs", fallback=FALLBACK))["id"]
    await report(caller, id, "failed", "no_rcs")
    await rcs.reconcile(at=now())
    assert provider.asked[-1].route == "otp"
    assert await moved_for(id) == [("reserva", 1_400), ("captura", 950), ("liberacao", 450)]
    assert await volume_of(caller, "otp") == 1


async def test_a_refusal_for_want_of_rcs_falls_back_too(provider: ScriptedProvider) -> None:
    caller = await a_live_caller()
    provider.will(Refused("no_rcs"))
    sent = await an_rcs(caller, key="k", fallback=FALLBACK)
    assert (sent["status"], "failureReason" in sent) == ("sent", False)
    assert await an_rcs(caller, key="k", fallback=FALLBACK) == sent
    await rcs.reconcile(at=now())
    assert await state(sent["id"]) == ("sent", "sms", None)
    assert await events() == []


async def test_an_sms_that_stood_in_is_never_read_and_no_longer_a_matter_of_rcs(
    provider: ScriptedProvider,
) -> None:
    caller = await a_live_caller()
    id = (await an_rcs(caller, fallback=FALLBACK))["id"]
    await report(caller, id, "failed", "no_rcs")
    await rcs.reconcile(at=now())
    await report(caller, id, "read")
    await report(caller, id, "delivered")
    await report(caller, id, "read", channel="SMS", of_fallback=True)
    assert await state(id) == ("sent", "sms", None)
    assert await events() == []


async def test_an_sms_that_stood_in_may_fail_and_is_paid_since_it_was_taken(
    provider: ScriptedProvider,
) -> None:
    caller = await a_live_caller()
    id = (await an_rcs(caller, fallback=FALLBACK))["id"]
    await report(caller, id, "failed", "no_rcs")
    await rcs.reconcile(at=now())
    await report(caller, id, "failed", "invalid_number", channel="SMS", of_fallback=True)
    assert await state(id) == ("failed", "sms", "rejected")
    assert await events() == [("rcs.failed", "sms", "rejected")]
    assert (await the_message(id))["coins"] == 800


async def test_an_sms_that_its_recipient_cannot_get_fails_the_message_and_costs_nothing(
    provider: ScriptedProvider,
) -> None:
    caller = await a_live_caller()
    id = (await an_rcs(caller, fallback=FALLBACK))["id"]
    await report(caller, id, "failed", "no_rcs")
    provider.will(Refused("invalid_number"))
    await rcs.reconcile(at=now())
    assert await state(id) == ("failed", "sms", "rejected")
    assert await moved_for(id) == [("reserva", 1_200), ("liberacao", 1_200)]
    assert await events() == [("rcs.failed", "sms", "rejected")]
    assert await volume_of(caller) == 0


@pytest.mark.parametrize("answer", [Throttled(5), Failed()])
async def test_a_provider_that_takes_no_sms_now_is_asked_again_until_the_validity_is_over(
    provider: ScriptedProvider, answer: Answer
) -> None:
    caller = await a_live_caller()
    id = (await an_rcs(caller, fallback=FALLBACK))["id"]
    await report(caller, id, "failed", "no_rcs")
    provider.will(answer, answer, answer)
    await rcs.reconcile(at=now())
    await rcs.reconcile(at=now() + 5 * MINUTE)
    assert await state(id) == ("sent", None, "no_rcs")
    await rcs.reconcile(at=now() + timedelta(hours=5))
    assert await state(id) == ("failed", "sms", "expired")
    assert await moved_for(id) == [("reserva", 1_200), ("liberacao", 1_200)]


async def test_an_sms_whose_outcome_is_unknown_is_asked_about_and_never_sent_again(
    provider: ScriptedProvider,
) -> None:
    caller = await a_live_caller()
    id = (await an_rcs(caller, fallback=FALLBACK))["id"]
    await report(caller, id, "failed", "no_rcs")
    provider.will(Unknown())
    await rcs.reconcile(at=now())
    provider.knows[id + SUFFIX] = MessageFound("gw_sms", "sent")
    await rcs.reconcile(at=now() + MINUTE)
    assert await state(id) == ("sent", "sms", None)
    assert (await the_message(id))["provider_reference"] == "gw_sms"
    assert [outgoing.id for outgoing in provider.asked] == [id, id + SUFFIX]


async def test_a_worker_that_died_while_handing_the_sms_over_is_followed_by_a_question(
    provider: ScriptedProvider,
) -> None:
    caller = await a_live_caller()
    id = (await an_rcs(caller, fallback=FALLBACK))["id"]
    await report(caller, id, "failed", "no_rcs")
    provider.will(crash)
    await rcs.reconcile(at=now())
    provider.knows[id + SUFFIX] = MessageFound("gw_sms", "delivered")
    await rcs.reconcile(at=now() + 2 * MINUTE)
    assert await state(id) == ("delivered", "sms", None)
    assert len(provider.asked) == 2
    assert (await the_message(id))["coins"] == 800


async def test_an_sms_that_nobody_knows_ends_as_indeterminate(provider: ScriptedProvider) -> None:
    caller = await a_live_caller()
    id = (await an_rcs(caller, fallback=FALLBACK))["id"]
    await report(caller, id, "failed", "no_rcs")
    provider.will(Unknown())
    await rcs.reconcile(at=now())
    provider.knows[id + SUFFIX] = MessageNotFound()
    await rcs.reconcile(at=now() + 12 * MINUTE)
    assert await state(id) == ("failed", "sms", "indeterminate")
    await rcs.reconcile(at=now() + timedelta(hours=80))
    assert await moved_for(id) == [("reserva", 1_200), ("liberacao", 1_200)]


async def test_a_message_on_its_way_may_still_turn_out_to_have_no_rcs(
    provider: ScriptedProvider,
) -> None:
    caller = await a_live_caller()
    id = (await an_rcs(caller, fallback=FALLBACK))["id"]
    await report(caller, id, None)
    await report(caller, id, "failed", "no_rcs")
    await report(caller, id, "failed", "no_rcs")
    assert await state(id) == ("sent", None, "no_rcs")
    await rcs.reconcile(at=now())
    assert len(provider.asked) == 2
