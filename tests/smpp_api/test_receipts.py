"""Receipts over the bind: each at least once, in the end all; to any receiver, again after a lost one."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest

from core import smpp, sms
from core.foundation import moved_clocks
from core.foundation.clock import clock_set_to, now
from core.foundation.database import db
from core.messaging import Message
from core.smpp.models import SmppReceipt
from smpp_api import session as sessions
from smpp_api.wire.bodies import Address, CancelSm, Named, ShortMessage, read_body
from smpp_api.wire.commands import Command, CommandStatus
from smpp_api.wire.frames import framed
from smpp_api.wire.parameters import Tag
from smpp_api.wire.parts import HAS_HEADER, cut
from smpp_api.wire.receipts import MessageState, ToldReceipt, read_receipt
from tests.factories.keys import an_admin
from tests.factories.organizations import a_caller
from tests.factories.smpp import an_smpp_account
from tests.smpp_api.client import Client
from tests.smpp_api.conftest import Smsc
from tests.support.clocks import freeze
from tests.support.waiting import eventually

SOURCE = Address("SVC", 5, 0)


def to(ending: str) -> Address:
    return Address(f"551198765{ending}", 1, 1)


async def the_reports_come() -> None:
    await db.execute("UPDATE sandbox_reports SET due_at = now() - interval '1 s'")
    await sms.apply_due_reports(at=now())


async def bound(smsc: Smsc, account: dict[str, Any], command: Command = Command.BIND_TRANSCEIVER) -> Client:  # fmt: skip
    client = await smsc.client()
    assert await client.bind(account, command) is CommandStatus.ESME_ROK
    return client


async def sent(client: Client, ending: str = "0005", **fields: Any) -> str:
    fields = {"registered_delivery": 1, "source": SOURCE, "destination": to(ending), **fields}
    status, answer = await client.submit(**fields)
    assert status is CommandStatus.ESME_ROK
    return answer.name


async def delivered(client: Client, status: CommandStatus = CommandStatus.ESME_ROK) -> ShortMessage:
    """The next message that is delivered to the client, answered."""
    while True:
        frame = await client.next()
        assert frame is not None
        if frame.command == Command.DELIVER_SM:
            await client.write(
                framed(Command.DELIVER_SM_RESP, frame.sequence, Named().write(), status)
            )
            body = read_body(frame.command, frame.body)
            assert isinstance(body, ShortMessage)
            return body


def told(message: ShortMessage) -> ToldReceipt:
    by_text = read_receipt(message.text, {})
    by_parameters = read_receipt(message.text, message.parameters)
    assert by_text is not None
    assert by_text == by_parameters
    return by_text


async def none_are_left() -> None:
    async def gone() -> bool:
        return await SmppReceipt.all().count() == 0

    await eventually(gone, "every receipt was taken")


async def test_a_receipt_that_is_taken_while_the_process_stops_is_not_told_again(
    smsc: Smsc,
) -> None:
    client = await bound(smsc, await an_smpp_account())
    await sent(client)
    await the_reports_come()
    receipt = await client.next()
    assert receipt is not None
    assert receipt.command == Command.DELIVER_SM

    stopping = asyncio.create_task(smsc.stop(seconds=10))
    unbind = await client.next()
    assert unbind is not None
    assert unbind.command == Command.UNBIND
    await client.write(framed(Command.DELIVER_SM_RESP, receipt.sequence, Named().write()))
    await client.write(framed(Command.UNBIND_RESP, unbind.sequence))
    await stopping

    await none_are_left()


@pytest.mark.parametrize(
    ("ending", "state", "error"),
    [
        ("0005", MessageState.DELIVERED, "000"),
        ("0006", MessageState.UNDELIVERABLE, "001"),
        ("0008", MessageState.REJECTED, "002"),
        ("0013", MessageState.EXPIRED, "004"),
    ],
)
async def test_a_receipt_tells_the_end_of_a_message(
    smsc: Smsc, ending: str, state: MessageState, error: str
) -> None:
    client = await bound(smsc, await an_smpp_account())
    id = await sent(client, ending, parameters={Tag.USER_MESSAGE_REFERENCE: b"\x01\x02"})
    await the_reports_come()

    message = await delivered(client)

    receipt = told(message)
    assert (receipt.message_id, receipt.state, receipt.error) == (id, state, error)
    assert receipt.done is not None
    assert now() - receipt.done < timedelta(minutes=2)
    assert (message.esm_class, message.source, message.destination.value) == (4, to(ending), "SVC")
    assert message.parameters[Tag.USER_MESSAGE_REFERENCE] == b"\x01\x02"
    await none_are_left()


@pytest.mark.parametrize(
    ("receipts", "registered", "expected"),
    [
        ("as_asked", 0, []),
        ("as_asked", 1, ["0005", "0006"]),
        ("as_asked", 2, ["0006"]),
        ("as_asked", 3, ["0005"]),
        ("as_asked", 0x11, ["0005", "0006"]),
        ("always", 0, ["0005", "0006"]),
    ],
)
async def test_receipts_come_for_the_ends_that_are_wanted(
    smsc: Smsc, receipts: str, registered: int, expected: list[str]
) -> None:
    account = await an_smpp_account(receipts=receipts)
    sender = await bound(smsc, account, Command.BIND_TRANSMITTER)
    for ending in ("0005", "0006"):
        await sent(sender, ending, registered_delivery=registered)
    await the_reports_come()
    last = await sent(sender, "0005", registered_delivery=1)
    await the_reports_come()

    receiver = await bound(smsc, account, Command.BIND_RECEIVER)
    found: list[ShortMessage] = []
    while not found or told(found[-1]).message_id != last:
        found.append(await delivered(receiver))

    assert sorted(message.source.value[-4:] for message in found[:-1]) == expected


async def test_each_part_that_wants_a_receipt_gets_its_own(smsc: Smsc) -> None:
    client = await bound(smsc, await an_smpp_account())
    pieces = cut(b"0123456789" * 40, 0, reference=7)
    ids = [
        await sent(client, text=piece, esm_class=HAS_HEADER, registered_delivery=wanted)
        for piece, wanted in zip(pieces, (1, 0, 1), strict=True)
    ]
    await the_reports_come()

    found = {told(await delivered(client)).message_id for _ in range(2)}

    assert found == {ids[0], ids[2]}
    await none_are_left()


async def test_an_account_without_receipts_gets_none(smsc: Smsc) -> None:
    client = await bound(smsc, await an_smpp_account(receipts="never"))

    await sent(client, registered_delivery=1)

    assert await SmppReceipt.all().count() == 0


async def test_of_a_text_in_parts_the_last_one_alone_may_be_told(smsc: Smsc) -> None:
    client = await bound(smsc, await an_smpp_account(receiptIds="final_part"))
    pieces = cut(b"0123456789" * 40, 0, reference=7)
    ids = [await sent(client, text=piece, esm_class=HAS_HEADER) for piece in pieces]
    await the_reports_come()

    receipt = told(await delivered(client))

    assert receipt.message_id == ids[-1] == (await Message.get(channel="sms")).id
    await none_are_left()


async def test_receipts_tell_times_in_the_zone_of_the_account(smsc: Smsc) -> None:
    client = await bound(smsc, await an_smpp_account(receiptZone="America/Sao_Paulo"))
    await sent(client)
    await the_reports_come()

    receipt = told(await delivered(client))

    assert receipt.done is not None
    assert timedelta(hours=2, minutes=58) < now() - receipt.done < timedelta(hours=3, minutes=2)


async def test_who_dies_after_the_send_has_asked_for_its_receipt(
    smsc: Smsc, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = await bound(smsc, await an_smpp_account())
    with monkeypatch.context() as patched:
        patched.setattr(sms, "send_message", dying_after(sms.send_message))
        message = ShortMessage(SOURCE, to("0005"), b"x", registered_delivery=1)
        assert (await client.ask(Command.SUBMIT_SM, message))[0] is CommandStatus.ESME_RSYSERR
    await the_reports_come()

    assert told(await delivered(client)).state is MessageState.DELIVERED


async def test_who_dies_after_the_send_of_parts_has_asked_for_the_receipts_of_all(
    smsc: Smsc, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = await bound(smsc, await an_smpp_account())
    *first, last = cut(b"0123456789" * 40, 0, reference=7)
    ids = [await sent(client, text=piece, esm_class=HAS_HEADER) for piece in first]
    with monkeypatch.context() as patched:
        patched.setattr(smpp, "note_sent", dying_after(smpp.note_sent))
        status, _ = await client.submit(
            last, esm_class=HAS_HEADER, registered_delivery=1, source=SOURCE, destination=to("0005")
        )
        assert status is CommandStatus.ESME_RSYSERR
    await the_reports_come()

    found = {told(await delivered(client)).message_id for _ in range(3)}

    assert found >= set(ids)
    await none_are_left()


def dying_after(work: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """It does its work, and nobody learns of it."""

    async def dies(*given: Any, **named: Any) -> Any:
        await work(*given, **named)
        raise ConnectionResetError

    return dies


async def test_a_scheduled_message_that_is_called_off_is_told(smsc: Smsc) -> None:
    client = await bound(smsc, await an_smpp_account())
    id = await sent(client, schedule_delivery_time="000001000000000R")
    assert (await client.ask(Command.CANCEL_SM, CancelSm(id)))[0] is CommandStatus.ESME_ROK

    receipt = told(await delivered(client))

    assert (receipt.message_id, receipt.state) == (id, MessageState.DELETED)


async def test_receipts_wait_for_a_receiver_of_the_account(smsc: Smsc) -> None:
    account, stranger = await an_smpp_account(), await an_smpp_account()
    transmitter = await bound(smsc, account, Command.BIND_TRANSMITTER)
    other = await bound(smsc, stranger)
    ids = [await sent(transmitter) for _ in range(20)]
    await the_reports_come()
    await asyncio.sleep(1)
    assert await SmppReceipt.all().count() == 20

    receiver = await bound(smsc, account, Command.BIND_RECEIVER)
    found = [told(await delivered(receiver)).message_id for _ in ids]

    assert sorted(found) == sorted(ids)
    await none_are_left()
    assert (await other.ask(Command.ENQUIRE_LINK))[0] is CommandStatus.ESME_ROK


async def test_a_client_that_is_gone_for_ten_minutes_gets_every_receipt_afterwards(
    smsc: Smsc,
) -> None:
    account = await an_smpp_account()
    client = await bound(smsc, account)
    ids = [await sent(client) for _ in range(30)]
    await the_reports_come()
    seen = {told(await delivered(client)).message_id for _ in range(3)}
    client.cut()
    await eventually(lambda: all_are_put_off(30 - len(seen)), "those under way are put off")
    await db.execute(
        "UPDATE smpp_receipts SET created_at = created_at - $1::interval, "
        "done_at = done_at - $1::interval, due_at = due_at - $1::interval",
        timedelta(minutes=10),
    )

    again = await bound(smsc, account)
    while seen != set(ids):
        seen.add(told(await delivered(again)).message_id)
    await none_are_left()


async def all_are_put_off(at_least: int) -> bool:
    """Whether none is on its way to a client. What it answered last may have been lost, too."""
    waiting = await SmppReceipt.filter(due_at__lt=now() + timedelta(seconds=31)).count()
    return at_least <= waiting == await SmppReceipt.all().count()


async def test_a_receipt_of_a_process_that_died_is_delivered_by_another(smsc: Smsc) -> None:
    account = await an_smpp_account()
    client = await bound(smsc, account, Command.BIND_TRANSMITTER)
    id = await sent(client)
    await the_reports_come()
    (claimed,) = await smpp.claim_receipts([account["id"]], at=now(), limit=10)
    assert claimed.id == id
    assert await smpp.claim_receipts([account["id"]], at=now(), limit=10) == []

    (again,) = await smpp.claim_receipts(
        [account["id"]], at=now() + timedelta(seconds=91), limit=10
    )

    assert (again.id, again.attempts) == (id, 2)


async def test_a_receipt_that_is_put_off_comes_again_and_one_that_is_refused_not_for_ever(
    smsc: Smsc, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.smpp.deliveries.RETRIES", (timedelta(0),))
    admin = await an_admin()
    account = await an_smpp_account(admin)
    client = await bound(smsc, account)
    await sent(client)
    await the_reports_come()
    for _ in range(5):
        await delivered(client, CommandStatus.ESME_RMSGQFUL)
    await delivered(client)
    await none_are_left()

    await sent(client)
    await the_reports_come()
    for _ in range(3):
        await delivered(client, CommandStatus.ESME_RX_R_APPN)

    async def it_is_dead() -> bool:
        return await SmppReceipt.filter(given_up_at__isnull=False).count() == 1

    await eventually(it_is_dead, "it was refused three times")
    replayed = await smpp.replay_outbox(admin, smpp.SmppReplay(account_id=account["id"]))
    assert replayed == {"due": 1}
    await delivered(client)
    await none_are_left()


async def test_a_client_that_does_not_answer_holds_nobody_else_up(
    smsc: Smsc, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "DELIVER_SECONDS", 0.5)
    account = await an_smpp_account()
    silent = await bound(smsc, account, Command.BIND_RECEIVER)
    sender = await bound(smsc, account, Command.BIND_TRANSMITTER)
    ids = {await sent(sender) for _ in range(40)}
    await the_reports_come()
    frames = [await silent.next() for _ in range(sessions.DELIVER_WINDOW)]
    assert {frame and frame.command for frame in frames} == {Command.DELIVER_SM}
    silent.cut()

    receiver = await bound(smsc, account, Command.BIND_RECEIVER)
    seen: set[str] = set()
    while seen != ids:
        seen.add(told(await delivered(receiver)).message_id)


async def test_an_account_that_does_not_answer_holds_no_other_up(smsc: Smsc) -> None:
    silent, other = await bound(smsc, await an_smpp_account()), await an_smpp_account()
    for _ in range(30):
        await sent(silent)
    client = await bound(smsc, other)
    id = await sent(client)
    await the_reports_come()

    assert told(await delivered(client)).message_id == id
    again = await sent(client)
    await the_reports_come()
    assert told(await delivered(client)).message_id == again

    async def thirty_wait() -> bool:
        return await SmppReceipt.all().count() == 30

    await eventually(thirty_wait, "the silent one's are still there")


async def test_receipts_expire_after_three_days_and_are_shown_for_a_week(smsc: Smsc) -> None:
    admin = await an_admin()
    account = await an_smpp_account(admin)
    client = await bound(smsc, account, Command.BIND_TRANSMITTER)
    for _ in range(2):
        await sent(client)
    await the_reports_come()
    await sent(client)

    (claimed, _) = await smpp.claim_receipts([account["id"]], at=now(), limit=10)

    three_days = now() + timedelta(hours=73)
    assert await smpp.forget_receipts(at=now() + timedelta(hours=71)) == 0
    assert await smpp.forget_receipts(at=three_days) == 2
    assert await smpp.forget_receipts(at=three_days) == 0
    await smpp.settle_receipts([(claimed, smpp.Ended.LATER)], at=three_days)
    replayed = await smpp.replay_outbox(admin, smpp.SmppReplay(account_id=account["id"]))
    assert replayed == {"due": 0}
    page = await smpp.list_outbox(admin, smpp.SmppDeliveryFilter(status="expired"))
    assert [item["status"] for item in page["items"]] == ["expired"] * 2
    assert not any("dueAt" in item for item in page["items"])
    assert await SmppReceipt.all().count() == 3
    await smpp.forget_receipts(at=now() + timedelta(hours=151))
    assert await SmppReceipt.all().count() == 2
    await smpp.forget_receipts(at=three_days + timedelta(days=7, minutes=1))
    assert await SmppReceipt.all().count() == 0


async def test_under_a_moved_clock_a_message_has_its_time_and_its_receipt_comes_at_once(
    smsc: Smsc,
) -> None:
    admin = await an_admin()
    account = await an_smpp_account(admin)
    caller = await a_caller(organization_id=admin.organization_id)
    at = (now() + timedelta(days=30)).replace(microsecond=0)
    try:
        await freeze(caller, at)
        client = await bound(smsc, account)
        id = await sent(client)
        assert (await Message.get(id=id)).created_at == at
        with (
            moved_clocks.only_sandbox_of(caller.organization_id),
            clock_set_to(at + timedelta(hours=1)),
        ):
            await sms.apply_due_reports(at=at + timedelta(hours=1))
        receipt = told(await delivered(client))
        assert receipt.done is not None
        assert receipt.done.date() == (at + timedelta(hours=1)).date()
        await none_are_left()
    finally:
        moved_clocks.hold(())


async def test_parts_whose_others_do_not_come_are_told_as_undelivered(smsc: Smsc) -> None:
    account = await an_smpp_account()
    client = await bound(smsc, account)
    first, second, _ = cut(b"x" * 400, 0, reference=7)
    ids = [
        await sent(client, text=piece, esm_class=HAS_HEADER, registered_delivery=wanted)
        for piece, wanted in ((first, 1), (second, 3))
    ]

    await db.execute("UPDATE smpp_parts SET received_at = now() - interval '11 minutes'")
    await smpp.forget_parts(at=now())

    receipt = told(await delivered(client))
    assert (receipt.message_id, receipt.state) == (ids[0], MessageState.UNDELIVERABLE)
    assert receipt.error == "010"
    await none_are_left()
    assert await db.fetchval("SELECT count(*) FROM messages") == 0
