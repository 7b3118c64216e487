"""Taking one SMS in: the answer, the row, the money, and the report to come."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core import sms, wallet
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.errors import (
    Forbidden,
    PaymentRequired,
    PreconditionFailed,
    RateLimited,
    ServiceError,
    ServiceUnavailable,
    ValidationFailed,
)
from core.foundation.ids import is_id
from core.foundation.security.caller import KEY_SCOPES, Limits, Scope
from tests.factories.contacts import a_denial
from tests.factories.organizations import a_caller
from tests.factories.sms import a_new_sms, a_send
from tests.factories.stored_contacts import stored_contact
from tests.support.stored import nothing_stored, stored

pytestmark = pytest.mark.usefixtures("clean_slate")

EVERYTHING_BUT_PII = KEY_SCOPES - {Scope.PII_FULL}


async def the_row(id: str) -> Any:
    return await db.fetchrow("SELECT * FROM messages WHERE id = $1", id)


async def ledger_of(id: str) -> list[tuple[Any, ...]]:
    rows = await db.fetch(
        "SELECT kind, source, target, coins, request_id FROM wallet_transfers WHERE origin = $1 ORDER BY id",
        id,
    )
    return [tuple(row.values()) for row in rows]


async def balances_of(organization_id: str, env: str = "test") -> dict[str, int]:
    row = await db.fetchrow(
        "SELECT available, held, revenue FROM wallets WHERE organization_id = $1 AND env = $2",
        organization_id,
        env,
    )
    assert row is not None
    return dict(row)


async def test_the_answer_is_the_sent_record_with_its_price() -> None:
    caller = await a_caller()
    await stored_contact(caller, id="cnt_1")
    before = now()

    sent = await a_send(
        caller, route="otp", campaignId="autumn", contactId="cnt_1", metadata={"order": "A-1"}
    )

    assert is_id("msg", sent.pop("id"))
    created = sent.pop("createdAt")
    assert wire_time(before) <= created <= wire_time(now())
    assert sent == {
        "status": "sent",
        "env": "test",
        "route": "otp",
        "to": "+5511987650005",
        "provider": "svc-sandbox",
        "encoding": "GSM-7",
        "length": 5,
        "segments": 1,
        "sentAt": created,
        "billing": {"coins": 950},
        "contactId": "cnt_1",
        "campaignId": "autumn",
        "metadata": {"order": "A-1"},
        "replayed": False,
    }


async def test_the_row_holds_what_the_answer_said() -> None:
    caller = await a_caller()
    await stored_contact(caller, id="cnt_1")

    sent = await a_send(
        caller,
        body="Olá, ação",
        senderId="Loja",
        contactId="cnt_1",
        campaignId="autumn",
        metadata={"n": 1, "ok": True},
    )

    row = await the_row(sent["id"])
    assert (row["organization_id"], row["env"], row["channel"], row["direction"]) == (
        caller.organization_id,
        "test",
        "sms",
        "outbound",
    )
    assert (
        row["status"],
        row["reason"],
        row["route"],
        row["recipient"],
        row["region"],
        row["sender_id"],
    ) == (
        "sent",
        None,
        "premium",
        "+5511987650005",
        "BR",
        "Loja",
    )
    assert (row["encoding"], row["length"], row["segments"], row["coins"]) == ("GSM-7", 9, 1, 800)
    assert (row["contact_id"], row["campaign_id"], row["metadata"]) == (
        "cnt_1",
        "autumn",
        {"n": 1, "ok": True},
    )
    assert row["provider"] == "svc-sandbox"
    assert row["request_id"] == caller.request_id == "req_of_the_test"
    assert wire_time(row["created_at"]) == sent["createdAt"]
    assert row["sent_at"] == row["created_at"]
    assert (row["delivered_at"], row["failed_at"], row["provider_receipt"]) == (None, None, None)


async def test_reading_a_message_shows_what_its_send_answered() -> None:
    caller = await a_caller()
    await stored_contact(caller, id="cnt_1")
    sent = await a_send(caller, metadata={"order": "A-1"}, contactId="cnt_1")

    read = await sms.get_message(caller, sent["id"])

    del sent["billing"], sent["replayed"]
    assert read == {**sent, "origem": {"tipo": "api"}}


@pytest.mark.parametrize(
    ("text", "encoding", "length", "segments"),
    [
        ("Olá! Ação às 10 h, coração", "GSM-7", 26, 1),
        ("é à ü ñ", "GSM-7", 7, 1),
        ("€", "GSM-7", 2, 1),
        ("“quoted” – ok…", "GSM-7", 16, 1),
        ("a" * 160, "GSM-7", 160, 1),
        ("a" * 161, "GSM-7", 161, 2),
        ("a" * 304, "GSM-7", 304, 2),
        ("a" * 305, "GSM-7", 305, 3),
        ("ã" * 160, "GSM-7", 160, 1),
        ("ok 😀", "UCS-2", 5, 1),
        ("ã" * 68 + "😀", "UCS-2", 70, 1),
        ("ã" * 69 + "😀", "UCS-2", 71, 2),
        ("日" * 134, "UCS-2", 134, 2),
        ("日" * 135, "UCS-2", 135, 3),
    ],
)
async def test_a_text_is_counted_as_it_leaves_and_every_segment_is_paid(
    text: str, encoding: str, length: int, segments: int
) -> None:
    caller = await a_caller()

    sent = await a_send(caller, body=text)

    assert (sent["encoding"], sent["length"], sent["segments"]) == (encoding, length, segments)
    assert sent["billing"] == {"coins": 800 * segments}
    row = await the_row(sent["id"])
    assert (row["encoding"], row["length"], row["segments"], row["coins"]) == (
        encoding,
        length,
        segments,
        800 * segments,
    )


async def test_the_price_is_held_and_captured_under_the_id_of_the_message() -> None:
    caller = await a_caller()
    before = await balances_of(caller.organization_id)

    sent = await a_send(caller, body="a" * 161)

    assert await ledger_of(sent["id"]) == [
        ("reserva", "disponivel", "reservado", 1600, "req_of_the_test"),
        ("captura", "reservado", "receita", 1600, "req_of_the_test"),
    ]
    assert await balances_of(caller.organization_id) == {
        "available": before["available"] - 1600,
        "held": 0,
        "revenue": before["revenue"] + 1600,
    }
    assert await balances_of(caller.organization_id, "live") == {
        "available": 0,
        "held": 0,
        "revenue": 0,
    }


@pytest.mark.parametrize(
    ("ending", "status", "reason"),
    [
        ("0005", "delivered", None),
        ("0006", "undelivered", "carrier_rejected"),
        ("0008", "failed", "invalid_number"),
        ("0013", "failed", "expired"),
        ("0018", "failed", "blacklisted"),
        ("4321", "delivered", None),
    ],
)
async def test_the_ending_of_the_recipient_chooses_the_report_and_not_the_answer(
    ending: str, status: str, reason: str | None
) -> None:
    caller = await a_caller()

    sent = await a_send(caller, to=f"+551198765{ending}")

    assert sent["status"] == "sent"
    report = await db.fetchrow("SELECT * FROM sandbox_reports WHERE message_id = $1", sent["id"])
    assert report is not None
    assert (report["organization_id"], report["env"]) == (caller.organization_id, "test")
    assert (report["status"], report["reason"]) == (status, reason)
    row = await the_row(sent["id"])
    assert report["due_at"] == row["created_at"] + timedelta(seconds=3)


async def test_ending_0099_is_sent_and_charged_but_no_report_is_on_its_way() -> None:
    caller = await a_caller()
    reports = (await stored())["reports"]

    sent = await a_send(caller, to="+5511987650099")

    assert (sent["status"], sent["billing"]) == ("sent", {"coins": 800})
    assert len(await ledger_of(sent["id"])) == 2
    assert (await stored())["reports"] == reports


async def test_nobody_is_told_of_an_acceptance() -> None:
    caller = await a_caller()
    before = (await stored())["events"]

    await a_send(caller)

    assert (await stored())["events"] == before


# Refusals -----------------------------------------------------------------------------------------


async def test_ending_0114_is_refused_and_leaves_a_failed_message_that_cost_nothing() -> None:
    caller = await a_caller()
    before = await stored()

    with pytest.raises(ServiceUnavailable) as refused:
        await a_send(caller, to="+5511987650114", key="k", metadata={"order": "A-1"})

    assert await stored() == {**before, "messages": before["messages"] + 1}
    failed = await sms.get_message(caller, refused.value.meta["messageId"])
    assert failed.pop("failedAt") == failed["createdAt"]
    assert failed == {
        "id": refused.value.meta["messageId"],
        "status": "failed",
        "env": "test",
        "route": "premium",
        "to": "+5511987650114",
        "provider": "svc-sandbox",
        "encoding": "GSM-7",
        "length": 5,
        "segments": 1,
        "createdAt": failed["createdAt"],
        "origem": {"tipo": "api"},
        "metadata": {"order": "A-1"},
    }
    assert await sms.apply_due_reports(at=now() + timedelta(hours=1)) == 0


async def test_after_ending_0114_the_same_key_is_a_new_send() -> None:
    caller = await a_caller()
    with pytest.raises(ServiceUnavailable) as first:
        await a_send(caller, to="+5511987650114", key="k")

    with pytest.raises(ServiceUnavailable) as second:
        await a_send(caller, to="+5511987650114", key="k")
    sent = await a_send(caller, to="+5511987650005", key="k")

    assert first.value.meta["messageId"] != second.value.meta["messageId"]
    assert (sent["status"], sent["replayed"]) == ("sent", False)


async def test_the_route_la_dedicada_has_no_table_price() -> None:
    caller = await a_caller()

    async with nothing_stored():
        with pytest.raises(PreconditionFailed):
            await a_send(caller, route="la_dedicada", key="k")

    assert (await a_send(caller, route="otp", key="k"))["replayed"] is False


async def test_without_a_provider_a_live_send_is_refused_and_nothing_is_stored() -> None:
    caller = await a_caller("live")
    await wallet.credit(caller.organization_id, "live", 10_000)

    async with nothing_stored():
        with pytest.raises(ServiceUnavailable):
            await a_send(caller, key="k")


async def test_a_caller_without_the_scope_sends_nothing() -> None:
    caller = await a_caller(scopes=KEY_SCOPES - {Scope.SMS_SEND})

    async with nothing_stored():
        with pytest.raises(Forbidden) as refused:
            await a_send(caller)

    assert refused.value.meta == {"escopoExigido": "sms:send"}


async def test_an_opted_out_recipient_is_refused_on_premium_and_reached_on_otp() -> None:
    caller = await a_caller()
    await a_denial(caller, "+5511987650005")

    async with nothing_stored():
        with pytest.raises(ValidationFailed) as refused:
            await a_send(caller, key="k")

    assert refused.value.meta["motivo"] == "opt_out"
    assert "98765" not in str([refused.value.detail, refused.value.meta, refused.value.errors])
    assert (await a_send(caller, route="otp", key="k"))["status"] == "sent"


async def test_above_the_ceiling_a_send_is_refused_and_its_key_stays_free() -> None:
    caller = await a_caller()
    slow, fast = (
        replace(caller, limits=Limits(sms_per_second=1)),
        replace(caller, limits=Limits(sms_per_second=10**6)),
    )
    await a_send(slow, key="first")

    async with nothing_stored():
        with pytest.raises(RateLimited) as refused:
            await a_send(slow, key="second")

    assert refused.value.retry_after == 1
    assert (await a_send(slow, key="first"))["replayed"] is True, "a replay spends no ceiling"
    assert (await a_send(fast, key="second"))["replayed"] is False


@pytest.mark.parametrize("key", ["", "x" * 256, "é", "tab\there", "nul\x00", "line\n"])
async def test_a_key_that_is_no_key_is_refused(key: str) -> None:
    caller = await a_caller()

    async with nothing_stored():
        with pytest.raises(ServiceError) as refused:
            await sms.send_message(caller, a_new_sms(), idempotency_key=key)

    assert refused.value.code == "BAD_REQUEST"
    assert [error.where for error in refused.value.errors] == ["Idempotency-Key"]


# Money --------------------------------------------------------------------------------------------


async def test_without_billing_a_send_costs_nothing_and_writes_no_ledger(billing_off: None) -> None:
    caller = await a_caller()
    transfers = (await stored())["transfers"]

    sent = await a_send(caller, body="a" * 305)

    assert (sent["segments"], sent["billing"]) == (3, {"coins": 0})
    assert (await the_row(sent["id"]))["coins"] == 0
    assert (await stored())["transfers"] == transfers
    assert (
        await db.fetchval(
            "SELECT count(*) FROM wallets WHERE organization_id = $1", caller.organization_id
        )
        == 0
    )


async def test_an_organization_without_a_wallet_is_refused_with_402() -> None:
    caller = await a_caller()
    await db.execute("DELETE FROM wallets WHERE organization_id = $1", caller.organization_id)

    async with nothing_stored():
        with pytest.raises(PaymentRequired):
            await a_send(caller)


# Masks --------------------------------------------------------------------------------------------


async def test_without_pii_full_the_answer_and_the_read_are_masked_and_the_row_is_not() -> None:
    caller = await a_caller(scopes=EVERYTHING_BUT_PII)

    sent = await a_send(caller)
    await sms.apply_due_reports(at=now() + timedelta(seconds=4))
    read = await sms.get_message(caller, sent["id"])
    page = await sms.list_messages(caller, sms.SmsFilter())

    assert sent["to"] == read["to"] == read["providerReceipt"]["to"] == "+5511*****0005"
    assert page["items"] == [read]
    assert (await the_row(sent["id"]))["recipient"] == "+5511987650005"


async def test_a_replay_is_masked_for_whoever_replays_it() -> None:
    all_seeing = await a_caller()
    masked = await a_caller(scopes=EVERYTHING_BUT_PII, organization_id=all_seeing.organization_id)
    first = await a_send(masked, key="k")

    unmasked_replay = await a_send(all_seeing, key="k")
    masked_replay = await a_send(masked, key="k")

    assert first["to"] == masked_replay["to"] == "+5511*****0005"
    assert unmasked_replay["to"] == "+5511987650005"
