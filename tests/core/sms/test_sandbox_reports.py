"""The sandbox's delivery reports: what they make of a message, and whom they tell."""

from datetime import timedelta
from typing import Any

import pytest

from core import sms, wallet
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.jobs import Job
from core.foundation.security.caller import Caller
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send
from tests.factories.stored_contacts import stored_contact
from tests.factories.webhooks import a_subscription
from tests.fakes.queue import RecordedQueue
from tests.support.stored import stored
from tests.support.waiting import eventually

pytestmark = pytest.mark.usefixtures("clean_slate")

OUTCOMES = ["sms.delivered", "sms.failed", "sms.undelivered"]
ENDINGS = [
    ("0005", "delivered", None, "DELIVRD"),
    ("0006", "undelivered", "carrier_rejected", "UNDELIV"),
    ("0008", "failed", "invalid_number", "REJECTD"),
    ("0013", "failed", "expired", "EXPIRED"),
    ("0018", "failed", "blacklisted", "REJECTD"),
    ("7777", "delivered", None, "DELIVRD"),
]


async def events_of(caller: Caller) -> list[dict[str, Any]]:
    rows = await db.fetch(
        "SELECT * FROM webhook_events WHERE organization_id = $1 AND type LIKE 'sms.%' ORDER BY id",
        caller.organization_id,
    )
    return [dict(row) for row in rows]


@pytest.mark.parametrize(("ending", "status", "reason", "word"), ENDINGS)
async def test_a_report_moves_its_message_and_stores_the_receipt(
    ending: str, status: str, reason: str | None, word: str
) -> None:
    caller = await a_caller()
    sent = await a_send(caller, to=f"+551198765{ending}", body="a" * 161)
    at = now() + timedelta(seconds=4)

    assert await sms.apply_due_reports(at=at) == 1

    message = await sms.get_message(caller, sent["id"])
    assert (message["status"], message.get("reason")) == (status, reason)
    assert message["sentAt"] == sent["sentAt"]
    times = ("deliveredAt", None) if status == "delivered" else (None, "failedAt")
    assert (message.get("deliveredAt"), message.get("failedAt")) == tuple(
        name and wire_time(at) for name in times
    )
    receipt = {**message["providerReceipt"]}
    assert receipt.pop("id")
    assert receipt.pop("statusDescription")
    assert receipt == {
        "type": "api_message",
        "to": f"+551198765{ending}",
        "reference": sent["id"],
        "status": word,
        "received": wire_time(at),
        "bill_factor": 2,
        "channel": "SMS",
    }


@pytest.mark.parametrize(("ending", "status", "reason", "word"), ENDINGS)
async def test_a_report_tells_the_outcome_with_the_data_of_its_message(
    ending: str, status: str, reason: str | None, word: str
) -> None:
    caller = await a_caller()
    await stored_contact(caller, id="cnt_1")
    sent = await a_send(
        caller,
        to=f"+551198765{ending}",
        metadata={"order": "A-1"},
        contactId="cnt_1",
        campaignId="autumn",
    )
    at = now() + timedelta(seconds=4)
    await sms.apply_due_reports(at=at)

    (event,) = await events_of(caller)

    assert (event["type"], event["env"], event["occurred_at"]) == (f"sms.{status}", "test", at)
    assert event["request_id"] == "req_of_the_test"
    data = event["data"]
    assert data.pop("providerReceipt")["status"] == word
    expected = {
        "id": sent["id"],
        "to": f"+551198765{ending}",
        "route": "premium",
        "status": status,
        "segments": 1,
        "sentAt": sent["sentAt"],
        "env": "test",
        "metadata": {"order": "A-1"},
        "contactId": "cnt_1",
        "campaignId": "autumn",
        "deliveredAt" if status == "delivered" else "failedAt": wire_time(at),
    }
    assert data == (expected if reason is None else {**expected, "reason": reason})


async def test_the_route_otp_is_the_fast_kind_of_receipt() -> None:
    caller = await a_caller()
    sent = await a_send(caller, route="otp")
    await sms.apply_due_reports(at=now() + timedelta(seconds=4))

    assert (await sms.get_message(caller, sent["id"]))["providerReceipt"]["type"] == "api_fast"


async def test_what_the_caller_left_out_is_absent_from_the_event() -> None:
    caller = await a_caller()
    await a_send(caller)
    await sms.apply_due_reports(at=now() + timedelta(seconds=4))

    (event,) = await events_of(caller)

    assert not {"metadata", "contactId", "campaignId", "reason", "failedAt"} & set(event["data"])


async def test_a_report_is_applied_when_it_is_due_and_no_earlier() -> None:
    caller = await a_caller()
    sent = await a_send(caller)
    row = await db.fetchrow("SELECT due_at FROM sandbox_reports WHERE message_id = $1", sent["id"])
    assert row is not None

    early = await sms.apply_due_reports(at=row["due_at"] - timedelta(microseconds=1))
    before = await sms.get_message(caller, sent["id"])
    due = await sms.apply_due_reports(at=row["due_at"])
    after = await sms.get_message(caller, sent["id"])

    assert (early, before["status"]) == (0, "sent")
    assert (due, after["status"]) == (1, "delivered")


async def test_a_report_is_applied_once() -> None:
    caller = await a_caller()
    await a_send(caller)
    at = now() + timedelta(seconds=4)

    assert await sms.apply_due_reports(at=at) == 1
    assert await sms.apply_due_reports(at=at) == 0

    assert len(await events_of(caller)) == 1


async def test_ending_0099_is_never_heard_of_again() -> None:
    caller = await a_caller()
    sent = await a_send(caller, to="+5511987650099")

    assert await sms.apply_due_reports(at=now() + timedelta(days=30)) == 0

    message = await sms.get_message(caller, sent["id"])
    assert message["status"] == "sent"
    assert not {"reason", "deliveredAt", "failedAt", "providerReceipt"} & set(message)
    assert await events_of(caller) == []


async def test_an_outcome_costs_nothing_and_gives_nothing_back() -> None:
    caller = await a_caller()
    for ending in ("0005", "0006", "0008", "0013", "0018"):
        await a_send(caller, to=f"+551198765{ending}")
    before = await stored()

    await sms.apply_due_reports(at=now() + timedelta(seconds=4))

    after = await stored()
    assert (after["transfers"], after["available"], after["held"]) == (
        before["transfers"],
        before["available"],
        before["held"],
    )
    assert (await wallet.get_wallet(caller))["reservadoCoins"] == 0


async def test_reports_of_many_organizations_are_applied_in_one_batch_and_told_apart() -> None:
    callers = [await a_caller() for _ in range(3)]
    ids = [(await a_send(caller, to="+5511987650006"))["id"] for caller in callers]

    assert await sms.apply_due_reports(at=now() + timedelta(seconds=4)) == 3

    for caller, id in zip(callers, ids, strict=True):
        (event,) = await events_of(caller)
        assert event["data"]["id"] == id


async def test_a_listener_gets_one_delivery_and_the_workers_are_woken(queue: RecordedQueue) -> None:
    caller = await a_caller()
    subscription = (await a_subscription(caller, events=OUTCOMES))["webhook"]
    await a_send(caller)

    await sms.apply_due_reports(at=now() + timedelta(seconds=4))

    rows = await db.fetch(
        "SELECT * FROM webhook_deliveries WHERE subscription_id = $1", subscription["id"]
    )
    assert [(row["status"], row["attempts"]) for row in rows] == [("pendente", 0)]
    await eventually(lambda: Job.DELIVER_WEBHOOKS in queue.jobs, "the workers are woken")


async def test_a_batch_takes_the_oldest_reports_first(monkeypatch: pytest.MonkeyPatch) -> None:
    caller = await a_caller()
    ids = [(await a_send(caller))["id"] for _ in range(3)]
    for place, id in enumerate(ids):
        await db.execute(
            "UPDATE sandbox_reports SET due_at = $2 WHERE message_id = $1",
            id,
            now() - timedelta(seconds=10 - place),
        )
    monkeypatch.setattr("core.sms.delivery_reports.sandbox.REPORT_BATCH_SIZE", 2)

    assert await sms.apply_due_reports(at=now()) == 2

    statuses = [(await sms.get_message(caller, id))["status"] for id in ids]
    assert statuses == ["delivered", "delivered", "sent"]
