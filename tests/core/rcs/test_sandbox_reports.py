"""The sandbox's endings: status, way, price and event of each."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from core import rcs
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import Caller
from tests.factories.organizations import a_caller
from tests.factories.rcs import FALLBACK, an_rcs
from tests.support.money import balances_of, moved_for, the_message, volume_of

pytestmark = pytest.mark.usefixtures("clean_slate")

LATER = timedelta(hours=1)


async def events(caller: Caller) -> list[tuple[str, dict[str, Any]]]:
    rows = await db.fetch(
        "SELECT type, data FROM webhook_events WHERE organization_id = $1 ORDER BY occurred_at, id",
        caller.organization_id,
    )
    return [(row["type"], row["data"]) for row in rows if not row["type"].startswith("wallet.")]


async def until_nothing_is_due(at: datetime) -> None:
    while await rcs.apply_due_reports(at=at):
        at += LATER


@pytest.mark.parametrize(
    ("ending", "changes", "end", "paid"),
    [
        ("0001", {}, ("delivered", "rcs", None), 1_200),
        ("0006", {}, ("failed", None, "no_rcs"), 0),
        ("0006", {"fallback": FALLBACK}, ("delivered", "sms", None), 800),
        ("0006", {"fallback": FALLBACK, "route": "easy_otp_rcs"}, ("delivered", "sms", None), 950),
        ("0006", {"fallback": {"text": "€" * 160}}, ("delivered", "sms", None), 2_400),
        ("0008", {}, ("failed", "rcs", "rejected"), 1_200),
        ("0013", {}, ("failed", "rcs", "expired"), 1_200),
        ("0001", {"fallback": {"text": "€" * 160}}, ("delivered", "rcs", None), 1_200),
    ],
)
async def test_an_ending_moves_pays_and_tells(
    ending: str, changes: dict[str, Any], end: tuple[str, str | None, str | None], paid: int
) -> None:
    status, channel, reason = end
    caller = await a_caller()
    before = (await balances_of(caller)).available
    id = (await an_rcs(caller, to=f"+551198765{ending}", metadata={"order": "A-1"}, **changes))[
        "id"
    ]

    await until_nothing_is_due(now() + LATER)

    record = await rcs.get_message(caller, id)
    assert (record["status"], record.get("channel"), record.get("failureReason")) == (
        status,
        channel,
        reason,
    )
    assert ("deliveredAt" in record) is (status == "delivered")
    [(type, data)] = await events(caller)
    assert type == f"rcs.{status}"
    assert (data["id"], data["status"], data.get("channel"), data.get("failureReason")) == (
        id,
        status,
        channel,
        reason,
    )
    assert (data["env"], data["metadata"], data["to"]) == (
        "test",
        {"order": "A-1"},
        f"+551198765{ending}",
    )
    balances = await balances_of(caller)
    assert (before - balances.available, balances.held, balances.revenue) == (paid, 0, paid)
    row = await the_message(id)
    assert (row["coins"], row["settle_at"]) == (paid, None)


async def test_ending_0005_is_delivered_and_then_read_and_paid_once() -> None:
    caller = await a_caller()
    id = (await an_rcs(caller, to="+5511987650005"))["id"]

    at = now() + LATER
    await rcs.apply_due_reports(at=at)
    assert (await rcs.get_message(caller, id))["status"] == "delivered"
    assert await rcs.apply_due_reports(at=at) == 0
    await rcs.apply_due_reports(at=at + LATER)

    record = await rcs.get_message(caller, id)
    assert (record["status"], record["channel"]) == ("read", "rcs")
    assert record["deliveredAt"] < record["readAt"]
    assert [type for type, _ in await events(caller)] == ["rcs.delivered", "rcs.read"]
    assert await moved_for(id) == [("reserva", 1_200), ("captura", 1_200)]
    assert await rcs.apply_due_reports(at=at + 2 * LATER) == 0


async def test_ending_0099_never_tells_anything_and_is_paid_as_rcs_after_72_hours() -> None:
    caller = await a_caller()
    id = (await an_rcs(caller, to="+5511987650099", fallback={"text": "€" * 160}))["id"]

    assert await rcs.apply_due_reports(at=now() + timedelta(days=30)) == 0
    await rcs.reconcile(at=now() + timedelta(hours=71))
    assert await moved_for(id) == [("reserva", 2_400)]
    await rcs.reconcile(at=now() + timedelta(hours=73))

    assert await moved_for(id) == [("reserva", 2_400), ("captura", 1_200), ("liberacao", 1_200)]
    record = await rcs.get_message(caller, id)
    assert (record["status"], "channel" in record) == ("sent", False)
    assert await events(caller) == []
    await rcs.reconcile(at=now() + timedelta(hours=200))
    assert len(await moved_for(id)) == 3


async def test_the_fallback_of_a_test_message_moves_no_volume_band() -> None:
    caller = await a_caller()
    await an_rcs(caller, to="+5511987650006", fallback=FALLBACK)
    await until_nothing_is_due(now() + LATER)
    assert await volume_of(caller) == 0


async def test_a_report_is_due_after_the_delay_of_the_sandbox() -> None:
    await an_rcs(await a_caller())
    assert await rcs.apply_due_reports(at=now()) == 0
    assert await rcs.apply_due_reports(at=now() + timedelta(seconds=4)) == 1
