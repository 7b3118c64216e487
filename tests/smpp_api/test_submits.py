"""submit_sm is the send of REST: the same record, price, ceiling, opt-out and key; and its answer's status."""

import asyncio
import json
from typing import Any

import pytest

from core import contacts, organizations, smpp, sms, wallet
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import Caller, system_caller
from core.providers import registry
from smpp_api import submit as submits
from smpp_api.wire.bodies import (
    Address,
    DataSm,
    Named,
    QuerySm,
    QuerySmResp,
    Reader,
    ReplaceSm,
    ShortMessage,
)
from smpp_api.wire.commands import Command, CommandStatus
from smpp_api.wire.parameters import Tag
from smpp_api.wire.receipts import MessageState
from tests.factories.keys import an_admin
from tests.factories.smpp import an_smpp_account
from tests.smpp_api.client import PHONE, Client
from tests.smpp_api.conftest import Smsc
from tests.support.money import balances_of, the_message
from tests.support.waiting import eventually


async def bound(smsc: Smsc, admin: Caller | None = None, **changes: Any) -> Client:
    account, client = await an_smpp_account(admin, **changes), await smsc.client()
    assert await client.bind(account) is CommandStatus.ESME_ROK
    return client


def said(answer: Named) -> str:
    return answer.parameters[Tag.ADDITIONAL_STATUS_INFO_TEXT].decode()


async def test_a_submit_is_the_send_of_rest(smsc: Smsc) -> None:
    admin = await an_admin()
    client = await bound(smsc, admin)
    caller = system_caller(admin.organization_id, "test")

    status, answer = await client.submit(
        "Seu pedido saiu".encode("latin-1"),
        source=Address("SVC", 5, 0),
        data_coding=3,
        parameters={
            Tag.METADATA: json.dumps({"order": "A-1"}).encode(),
            Tag.CAMPAIGN_ID: b"natal\0",
        },
    )

    assert status is CommandStatus.ESME_ROK
    record = await sms.get_message(caller, answer.name)
    assert (record["to"], record["route"], record["segments"]) == ("+5511987650005", "premium", 1)
    assert (record["metadata"], record["campaignId"]) == ({"order": "A-1"}, "natal")
    assert (await the_message(answer.name))["coins"] == 800


@pytest.mark.parametrize(
    ("fields", "route"),
    [
        ({}, "otp"),
        ({"service_type": "PREM"}, "premium"),
        ({"service_type": "PREM", "parameters": {Tag.ROUTE: b"otp"}}, "otp"),
    ],
)
async def test_the_route_is_the_accounts_unless_it_is_named(
    smsc: Smsc, fields: dict[str, Any], route: str
) -> None:
    client = await bound(smsc, route="otp")

    _, answer = await client.submit(**fields)

    assert (await the_message(answer.name))["route"] == route


@pytest.mark.parametrize(
    ("address", "phone"),
    [
        (Address("5511987650005", 1, 1), "+5511987650005"),
        (Address("+5511987650005"), "+5511987650005"),
        (Address("005511987650005"), "+5511987650005"),
        (Address("5511987650005"), "+5511987650005"),
        (Address("11987650005", 2, 1), "+5511987650005"),
        (Address("12025550123", 1, 1), "+12025550123"),
    ],
)
async def test_phones_are_read_by_their_type_of_number(
    smsc: Smsc, address: Address, phone: str
) -> None:
    client = await bound(smsc)

    status, answer = await client.submit(destination=address)

    assert status is CommandStatus.ESME_ROK
    assert (await the_message(answer.name))["recipient"] == phone


async def test_a_long_text_is_one_message_by_its_payload_or_data_sm(smsc: Smsc) -> None:
    client = await bound(smsc)
    payload: dict[int, bytes] = {Tag.MESSAGE_PAYLOAD: b"x" * 306}

    _, first = await client.submit(b"", parameters=payload)
    status, second = await client.ask(
        Command.DATA_SM, DataSm(destination=PHONE, parameters=payload)
    )

    assert status is CommandStatus.ESME_ROK
    assert isinstance(second, Named)
    for answer in (first, second):
        assert (await the_message(answer.name))["segments"] == 3


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"text": b""}, CommandStatus.ESME_RINVMSGLEN),
        ({"parameters": {Tag.MESSAGE_PAYLOAD: b"x"}}, CommandStatus.ESME_RINVMSGLEN),
        (
            {"text": b"", "parameters": {Tag.MESSAGE_PAYLOAD: b"x" * 1601}},
            CommandStatus.ESME_RINVMSGLEN,
        ),
        ({"text": b"\xff"}, CommandStatus.ESME_RSUBMITFAIL),
        ({"data_coding": 4}, CommandStatus.ESME_RSUBMITFAIL),
        ({"text": b"\5\0\3\1\2\3x", "esm_class": 0x40}, CommandStatus.ESME_RINVESMCLASS),
        (
            {"text": b"\5\0\3\1\2\1x", "esm_class": 0x40, "service_type": "NONE"},
            CommandStatus.ESME_RINVSERTYP,
        ),
        ({"destination": Address("no phone")}, CommandStatus.ESME_RINVDSTADR),
        ({"destination": Address("")}, CommandStatus.ESME_RINVDSTADR),
        (
            {"source": Address("€€".encode("cp1252").decode("latin-1"))},
            CommandStatus.ESME_RINVSRCADR,
        ),
        ({"service_type": "NONE"}, CommandStatus.ESME_RINVSERTYP),
        ({"parameters": {Tag.ROUTE: b"other"}}, CommandStatus.ESME_RINVSERTYP),
        ({"replace_if_present_flag": 1}, CommandStatus.ESME_RREPLACEFAIL),
        ({"schedule_delivery_time": "010000000000000R"}, CommandStatus.ESME_RINVSCHED),
        ({"schedule_delivery_time": "000031000000000R"}, CommandStatus.ESME_RINVSCHED),
        ({"schedule_delivery_time": "tomorrow"}, CommandStatus.ESME_RINVSCHED),
        (
            {
                "schedule_delivery_time": "000001000000000R",
                "validity_period": "000000230000000R",
            },
            CommandStatus.ESME_RINVEXPIRY,
        ),
        ({"validity_period": "soon"}, CommandStatus.ESME_RINVEXPIRY),
        ({"validity_period": "200101000000000+"}, CommandStatus.ESME_RINVEXPIRY),
        ({"parameters": {Tag.METADATA: b"no JSON"}}, CommandStatus.ESME_RINVOPTPARAMVAL),
        ({"parameters": {Tag.METADATA: b"[]"}}, CommandStatus.ESME_RINVOPTPARAMVAL),
        ({"parameters": {Tag.METADATA: b" " * 1025}}, CommandStatus.ESME_RINVPARLEN),
        ({"parameters": {Tag.IDEMPOTENCY_KEY: b"k" * 65}}, CommandStatus.ESME_RINVPARLEN),
        ({"parameters": {Tag.CONTACT_ID: b"ctt_nobody"}}, CommandStatus.ESME_RSUBMITFAIL),
    ],
)
async def test_what_is_wrong_with_a_submit_is_told_by_its_status(
    smsc: Smsc, fields: dict[str, Any], status: CommandStatus
) -> None:
    client = await bound(smsc)

    found, answer = await client.submit(**fields)

    assert found is status
    assert (answer.name, bool(said(answer))) == ("", True)
    assert await db.fetchval("SELECT count(*) FROM messages") == 0
    assert (await client.submit())[0] is CommandStatus.ESME_ROK


async def test_the_same_key_is_one_message(smsc: Smsc) -> None:
    client = await bound(smsc)
    key = {Tag.IDEMPOTENCY_KEY: b"order-1"}

    first, again = [(await client.submit(parameters=key))[1] for _ in range(2)]
    status, _ = await client.submit(b"Another text", parameters=key)

    assert first.name == again.name != ""
    assert status is CommandStatus.ESME_RSUBMITFAIL
    assert await db.fetchval("SELECT count(*) FROM messages") == 1


async def test_the_same_again_within_the_seconds_of_its_account_is_the_first_message(
    smsc: Smsc,
) -> None:
    account = await an_smpp_account(window=50, dedupeSeconds=60)
    first, again = await smsc.client(), await smsc.client()
    for client in (first, again):
        assert await client.bind(account) is CommandStatus.ESME_ROK
    later = {"schedule_delivery_time": "000001000000000R", "registered_delivery": 1}

    # A client that was cut off before the answers sends all of it once more, and may do so at once.
    for client in (first, again):
        for _ in range(2):
            await client.begin(Command.SUBMIT_SM, ShortMessage(destination=PHONE, text=b"Hello"))
    frames = [await one.next() for one in (first, first, again, again)]
    names = {Named.read(Reader(frame.body)).name for frame in frames if frame is not None}
    _, other = await first.submit(b"Another text")
    scheduled = {(await client.submit(b"Later", **later))[1].name for client in (first, again)}
    await db.execute("UPDATE smpp_submits SET until = now()")
    _, new = await again.submit(b"Hello")

    assert (len(names), len(scheduled)) == (1, 1)
    assert len({*names, other.name, *scheduled, new.name}) == 4
    assert await db.fetchval("SELECT count(*) FROM messages") == 4
    assert await db.fetchval("SELECT count(*) FROM smpp_receipts") == 1


async def test_without_a_key_each_submit_is_a_message(smsc: Smsc) -> None:
    client = await bound(smsc)

    names = {(await client.submit())[1].name for _ in range(3)}

    assert len(names) == await db.fetchval("SELECT count(*) FROM messages") == 3


async def test_who_opted_out_is_not_written_to(smsc: Smsc) -> None:
    admin = await an_admin()
    client = await bound(smsc, admin)
    there = system_caller(admin.organization_id, "test")
    await contacts.opt_out(there, contacts.OptOut.model_validate({"phones": ["+5511987650005"]}))

    status, answer = await client.submit()

    assert status is CommandStatus.ESME_RINVDSTADR
    assert answer.parameters[Tag.REASON] == b"opt_out\0"


async def test_no_money_is_told_by_a_word(smsc: Smsc) -> None:
    admin = await an_admin()
    there = system_caller(admin.organization_id, "test")
    available = await db.fetchval("SELECT available FROM wallets WHERE env = 'test'")
    await wallet.debit(there.organization_id, "test", available)
    client = await bound(smsc, admin)

    status, answer = await client.submit()

    assert status is CommandStatus.ESME_RSUBMITFAIL
    assert answer.parameters[Tag.REASON] == b"saldo\0"


async def test_a_live_send_without_a_provider_is_for_later(smsc: Smsc) -> None:
    admin = await an_admin()
    await wallet.credit(admin.organization_id, "live", 10_000)
    await registry.close_providers()
    client = await bound(smsc, admin, env="live", ips=["127.0.0.1"])

    status, _ = await client.submit()

    assert status is CommandStatus.ESME_RSYSERR


async def test_above_the_ceiling_a_submit_is_throttled_or_paced(
    smsc: Smsc, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submits, "PACE_SECONDS", 10.0)
    admin = await an_admin()
    await organizations.set_limits(admin.organization_id, "test", sms_per_second=5)
    refused = await bound(smsc, admin, window=30)
    paced = await bound(smsc, admin, window=30, throttle="pace")

    async def statuses(client: Client) -> list[CommandStatus]:
        message = ShortMessage(destination=PHONE, text=b"Hello")
        asked = [await client.begin(Command.SUBMIT_SM, message) for _ in range(12)]
        frames = [await client.next() for _ in asked]
        return [CommandStatus(frame.status) for frame in frames if frame is not None]

    found = await statuses(refused)
    assert {CommandStatus.ESME_ROK, CommandStatus.ESME_RTHROTTLED} == set(found)
    assert await statuses(paced) == [CommandStatus.ESME_ROK] * 12


async def test_a_window_holds_back_what_is_above_it_and_is_shown(smsc: Smsc) -> None:
    admin = await an_admin()
    client = await bound(smsc, admin, window=2)
    gate = asyncio.Event()
    seen = 0
    send = sms.send_message

    async def held(*given: Any, **named: Any) -> Any:
        nonlocal seen
        seen += 1
        await gate.wait()
        return await send(*given, **named)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sms, "send_message", held)
        asked = [
            await client.begin(
                Command.SUBMIT_SM,
                ShortMessage(destination=Address(f"551198765{n:04}", 1, 1), text=b"x"),
            )
            for n in range(8)
        ]
        await eventually(lambda: seen == 2, "two are worked on")
        await asyncio.sleep(0.05)
        assert seen == 2

        async def is_shown() -> bool:
            (bind,) = (await smpp.list_binds(admin, smpp.SmppBindFilter()))["items"]
            return bool(bind["windowUsed"] == 2)

        await eventually(is_shown, "its window is used")
        gate.set()
        frames = [await client.next() for _ in asked]

    assert {CommandStatus(frame.status) for frame in frames if frame is not None} == {
        CommandStatus.ESME_ROK
    }
    assert await db.fetchval("SELECT count(*) FROM messages") == 8


async def test_messages_to_one_recipient_keep_their_order(smsc: Smsc) -> None:
    client = await bound(smsc, window=100)

    asked = [
        await client.begin(Command.SUBMIT_SM, ShortMessage(destination=PHONE, text=b"%d" % n))
        for n in range(30)
    ]
    frames = [await client.answer(sequence) for sequence in asked]

    names = [Named.read(Reader(frame.body)).name for frame in frames]
    rows = await db.fetch("SELECT id, created_at FROM messages")
    times = {row["id"]: row["created_at"] for row in rows}
    assert times.keys() == set(names)
    assert [times[name] for name in names] == sorted(times.values())


@pytest.mark.parametrize(
    ("ending", "state", "code"),
    [
        ("0005", MessageState.DELIVERED, 0),
        ("0006", MessageState.UNDELIVERABLE, 1),
        ("0008", MessageState.REJECTED, 2),
        ("0013", MessageState.EXPIRED, 4),
    ],
)
async def test_a_query_tells_the_state_of_a_message(
    smsc: Smsc, ending: str, state: MessageState, code: int
) -> None:
    client = await bound(smsc)
    _, answer = await client.submit(destination=Address(f"551198765{ending}", 1, 1))
    before = await client.ask(Command.QUERY_SM, QuerySm(answer.name))
    await db.execute("UPDATE sandbox_reports SET due_at = now() - interval '1 s'")
    await sms.apply_due_reports(at=now())

    status, after = await client.ask(Command.QUERY_SM, QuerySm(answer.name))

    assert isinstance(before[1], QuerySmResp)
    assert isinstance(after, QuerySmResp)
    assert before[1].final_date == ""
    assert status is CommandStatus.ESME_ROK
    assert (after.message_id, after.message_state, after.error_code) == (answer.name, state, code)
    assert after.final_date.endswith("00+")


async def test_a_message_that_waits_is_not_sent_after_its_validity(smsc: Smsc) -> None:
    client = await bound(smsc)
    for validity in ("000001000010000R", ""):
        status, _ = await client.submit(
            schedule_delivery_time="000001000000000R", validity_period=validity
        )
        assert status is CommandStatus.ESME_ROK

    rows = await db.fetch(
        "SELECT w.expires_at - m.scheduled_at AS wait FROM waiting_messages w JOIN messages m ON m.id = w.message_id "
        "ORDER BY m.created_at"
    )
    told, untold = (round(row["wait"].total_seconds()) for row in rows)
    assert (told, untold) == (10, 4 * 3600)


async def test_a_scheduled_message_is_replaced_and_priced_anew(smsc: Smsc) -> None:
    admin = await an_admin()
    there = system_caller(admin.organization_id, "test")
    client = await bound(smsc, admin)
    before = await balances_of(there)
    _, answer = await client.submit(
        schedule_delivery_time="000001000000000R", registered_delivery=1
    )
    first = await the_message(answer.name)

    for text, coins in ((b"x" * 200, 1600), (b"Short", 800), (b"", 800)):
        later = ReplaceSm(answer.name, schedule_delivery_time="000002000000000R", text=text)
        assert (await client.ask(Command.REPLACE_SM, later))[0] is CommandStatus.ESME_ROK
        found, balances = await the_message(answer.name), await balances_of(there)
        assert (found["coins"], found["segments"]) == (coins, coins // 800)
        assert (balances.available, balances.held) == (before.available - coins, coins)

    rows = await db.fetch("SELECT due_at, expires_at FROM waiting_messages")
    assert [(row["due_at"], (row["expires_at"] - row["due_at"]).seconds) for row in rows] == [
        (found["scheduled_at"], 4 * 3600)
    ]
    assert found["scheduled_at"] > first["scheduled_at"]
    assert await db.fetchval("SELECT count(*) FROM smpp_receipts") == 0
    wanted = ReplaceSm(answer.name, registered_delivery=2)
    assert (await client.ask(Command.REPLACE_SM, wanted))[0] is CommandStatus.ESME_ROK
    assert await db.fetchval("SELECT wanted FROM smpp_receipts") == 2

    await sms.cancel_message(there, answer.name)
    assert await balances_of(there) == before
    assert (await client.ask(Command.REPLACE_SM, wanted))[0] is CommandStatus.ESME_RREPLACEFAIL


async def test_what_cannot_be_replaced_stays_as_it_is(smsc: Smsc) -> None:
    admin = await an_admin()
    there = system_caller(admin.organization_id, "test")
    client, other = await bound(smsc, admin), await bound(smsc, admin)
    stranger = await bound(smsc)
    _, sent = await client.submit()
    _, answer = await client.submit(schedule_delivery_time="000001000000000R")
    id, before = answer.name, await the_message(answer.name)

    for asked, status in (
        (ReplaceSm(sent.name, text=b"New"), CommandStatus.ESME_RREPLACEFAIL),
        (ReplaceSm(id, text="New".encode("utf-16-be")), CommandStatus.ESME_RREPLACEFAIL),
        (ReplaceSm(id, text=b"\xff"), CommandStatus.ESME_RREPLACEFAIL),
        (ReplaceSm(id, Address("Other", 5, 0), text=b"New"), CommandStatus.ESME_RREPLACEFAIL),
        (ReplaceSm(id, validity_period="000000010000000R"), CommandStatus.ESME_RREPLACEFAIL),
        (ReplaceSm(id, schedule_delivery_time="soon"), CommandStatus.ESME_RINVSCHED),
        (ReplaceSm("msg_nobody", text=b"New"), CommandStatus.ESME_RREPLACEFAIL),
    ):
        assert (await client.ask(Command.REPLACE_SM, asked))[0] is status, asked
    new = ReplaceSm(id, text=b"New")
    assert (await other.ask(Command.REPLACE_SM, new))[0] is CommandStatus.ESME_RREPLACEFAIL
    assert (await stranger.ask(Command.REPLACE_SM, new))[0] is CommandStatus.ESME_RINVMSGID
    await wallet.debit(there.organization_id, "test", (await balances_of(there)).available)
    long = ReplaceSm(id, text=b"x" * 200)
    assert (await client.ask(Command.REPLACE_SM, long))[0] is CommandStatus.ESME_RREPLACEFAIL

    assert await the_message(id) == before
