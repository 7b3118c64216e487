"""Long texts in parts: each answered at once, together one message, whatever comes twice or is cut off;
and messages that leave later.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from core import organizations, smpp, sms, wallet
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.ids import is_id
from core.foundation.security.caller import system_caller
from core.smpp.models import SmppPart, SmppReceipt
from smpp_api.wire.bodies import Address, CancelSm, QuerySm, QuerySmResp, ShortMessage
from smpp_api.wire.commands import Command, CommandStatus
from smpp_api.wire.parameters import Tag
from smpp_api.wire.parts import HAS_HEADER, cut
from smpp_api.wire.receipts import MessageState
from tests.factories.keys import an_admin
from tests.factories.smpp import an_smpp_account
from tests.smpp_api.client import PHONE, Client
from tests.smpp_api.conftest import Smsc
from tests.smpp_api.test_receipts import delivered, none_are_left
from tests.smpp_api.test_receipts import told as told_by
from tests.support.money import balances_of, the_message

LONG = b"0123456789" * 40


async def bound(smsc: Smsc, **changes: Any) -> Client:
    account, client = await an_smpp_account(**changes), await smsc.client()
    assert await client.bind(account) is CommandStatus.ESME_ROK
    return client


async def submitted(client: Client, pieces: Sequence[bytes], **fields: Any) -> list[str]:
    names = []
    for piece in pieces:
        status, answer = await client.submit(piece, esm_class=HAS_HEADER, **fields)
        assert status is CommandStatus.ESME_ROK
        names.append(answer.name)
    return names


async def messages() -> int:
    count: int = await db.fetchval("SELECT count(*) FROM messages")
    return count


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
async def test_parts_in_any_order_are_one_message(smsc: Smsc, order: tuple[int, ...]) -> None:
    client = await bound(smsc)
    pieces = cut(LONG, 0, reference=7)
    assert len(pieces) == 3

    names = await submitted(client, [pieces[place] for place in order])

    assert [is_id("prt", name) for name in names] == [True, True, False]
    row = await the_message(names[-1])
    assert (row["length"], row["segments"], row["coins"]) == (400, 3, 2400)
    assert await messages() == 1


async def test_parts_by_parameters_and_by_two_binds_are_one_message(smsc: Smsc) -> None:
    account = await an_smpp_account()
    clients = [await smsc.client() for _ in range(2)]
    for client in clients:
        assert await client.bind(account) is CommandStatus.ESME_ROK

    names = []
    for number, client in enumerate(clients, 1):
        parameters = {
            Tag.SAR_MSG_REF_NUM: b"\x01\x02",
            Tag.SAR_TOTAL_SEGMENTS: b"\x02",
            Tag.SAR_SEGMENT_SEQNUM: bytes((number,)),
        }
        names.append((await client.submit(b"x" * 153, parameters=parameters))[1].name)

    # Two parts of 153 are three segments here.
    assert (await the_message(names[1]))["segments"] == 3


async def test_parts_that_come_twice_at_once_are_one_message(smsc: Smsc) -> None:
    account, binds = await an_smpp_account(window=10), [await smsc.client() for _ in range(2)]
    for client in binds:
        await client.bind(account)
    asked = [
        (client, await client.begin(Command.SUBMIT_SM, message))
        for piece in cut(LONG, 0, reference=7)
        for message in [ShortMessage(destination=PHONE, text=piece, esm_class=HAS_HEADER)]
        for client in binds
    ]

    frames = [await client.answer(sequence) for client, sequence in asked]

    assert frames[0].body == frames[1].body
    assert frames[2].body == frames[3].body
    assert {frame.status for frame in frames} <= {
        CommandStatus.ESME_ROK,
        CommandStatus.ESME_RMSGQFUL,
    }
    assert await messages() == 1
    assert await SmppPart.all().count() == 3


async def test_a_character_that_parts_cut_is_whole_again(smsc: Smsc) -> None:
    client = await bound(smsc)
    octets = "Olá 😀!".encode("utf-16-be")
    pieces = [b"\5\0\3\1\2\1" + octets[:10], b"\5\0\3\1\2\2" + octets[10:]]

    names = await submitted(client, pieces, data_coding=8)

    assert (await the_message(names[1]))["encoding"] == "UCS-2"


async def test_a_part_that_comes_again_has_the_same_id_and_sends_nothing(smsc: Smsc) -> None:
    client = await bound(smsc)
    pieces = cut(LONG, 0, reference=7)

    first = await submitted(client, [pieces[0], pieces[0], pieces[1], pieces[2]])
    again = await submitted(client, pieces)

    assert first[0] == first[1]
    assert set(again) == {first[3]}
    assert await messages() == 1


async def test_the_same_reference_with_another_text_is_another_message(smsc: Smsc) -> None:
    client = await bound(smsc)

    for text in (LONG, LONG[::-1]):
        await submitted(client, cut(text, 0, reference=7))

    assert await messages() == 2


async def test_parts_of_others_are_not_mixed(smsc: Smsc) -> None:
    pieces = cut(LONG, 0, reference=7)
    one, other = await bound(smsc), await bound(smsc)

    await submitted(one, pieces[:2])
    names = await submitted(other, pieces[2:])
    more = await submitted(one, pieces[2:], destination=Address("5511987650006", 1, 1))

    assert is_id("prt", names[0])
    assert is_id("prt", more[0])
    assert await messages() == 0


async def test_a_refusal_leaves_the_parts_and_the_last_one_tries_again(smsc: Smsc) -> None:
    admin = await an_admin()
    await organizations.set_limits(admin.organization_id, "test", sms_per_second=1)
    account, client = await an_smpp_account(admin), await smsc.client()
    await client.bind(account)
    pieces = cut(LONG, 0, reference=7)
    await submitted(client, pieces[:2])
    while (await client.submit())[0] is not CommandStatus.ESME_RTHROTTLED:
        pass

    statuses = set()
    while CommandStatus.ESME_ROK not in statuses:
        status, answer = await client.submit(pieces[2], esm_class=HAS_HEADER)
        statuses.add(status)

    assert statuses == {CommandStatus.ESME_RTHROTTLED, CommandStatus.ESME_ROK}
    assert (await the_message(answer.name))["segments"] == 3


@pytest.mark.parametrize(("receipt_ids", "told"), [("all", 1), ("final_part", 0)])
async def test_a_refusal_for_good_ends_the_other_parts_too(
    smsc: Smsc, receipt_ids: str, told: int
) -> None:
    admin = await an_admin()
    there = system_caller(admin.organization_id, "test")
    account, client = await an_smpp_account(admin, receiptIds=receipt_ids), await smsc.client()
    await client.bind(account, Command.BIND_TRANSMITTER)
    pieces = cut(LONG, 0, reference=7)
    (first,) = await submitted(client, pieces[:1], registered_delivery=2)
    await submitted(client, pieces[1:2], registered_delivery=3)
    await wallet.debit(there.organization_id, "test", (await balances_of(there)).available)

    status, _ = await client.submit(pieces[2], esm_class=HAS_HEADER, registered_delivery=1)

    assert status is CommandStatus.ESME_RSUBMITFAIL
    assert await SmppPart.all().count() == await messages() == 0
    assert await SmppReceipt.all().count() == told
    receiver = await smsc.client()
    await receiver.bind(account, Command.BIND_RECEIVER)
    for _ in range(told):
        receipt = told_by(await delivered(receiver))
        assert (receipt.message_id, receipt.state) == (first, MessageState.REJECTED)
        assert receipt.error == "011"
    await none_are_left()


async def test_a_process_that_dies_between_part_and_message_sends_once_when_it_comes_again(
    smsc: Smsc, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = await bound(smsc)
    pieces = cut(LONG, 0, reference=7)
    await submitted(client, pieces[:2])
    with monkeypatch.context() as patched:

        async def dies(*_: Any, **__: Any) -> Any:
            raise ConnectionResetError

        patched.setattr(sms, "send_message", dies)
        assert (await client.submit(pieces[2], esm_class=HAS_HEADER))[
            0
        ] is CommandStatus.ESME_RSYSERR
    note_sent = smpp.note_sent
    with monkeypatch.context() as patched:
        patched.setattr(smpp, "note_sent", dies)
        assert (await client.submit(pieces[2], esm_class=HAS_HEADER))[
            0
        ] is CommandStatus.ESME_RSYSERR
    assert smpp.note_sent is note_sent

    (name,) = await submitted(client, pieces[2:])

    assert (await the_message(name))["segments"] == 3
    assert await messages() == 1


async def test_parts_are_forgotten_after_ten_minutes_and_their_text_is_sealed(smsc: Smsc) -> None:
    client = await bound(smsc)
    pieces = cut(LONG, 0, reference=7)
    await submitted(client, pieces[:2])
    stored = await SmppPart.all()
    assert all("0123456789" not in part.sealed for part in stored)

    await smpp.forget_parts(at=now() + timedelta(minutes=9))
    assert await SmppPart.all().count() == 2
    await smpp.forget_parts(at=now() + timedelta(minutes=11))
    assert await SmppPart.all().count() == 0

    await SmppPart.bulk_create(stored)
    await SmppPart.all().update(received_at=now() - timedelta(minutes=11))
    (name,) = await submitted(client, pieces[2:])
    assert is_id("prt", name)


async def test_a_part_is_asked_about_by_its_id(smsc: Smsc) -> None:
    client = await bound(smsc)
    pieces = cut(LONG, 0, reference=7)
    part, _ = await submitted(client, pieces[:2])
    before = await client.ask(Command.QUERY_SM, QuerySm(part))
    await submitted(client, pieces[2:])
    await db.execute("UPDATE sandbox_reports SET due_at = now() - interval '1 s'")
    await sms.apply_due_reports(at=now())

    after = await client.ask(Command.QUERY_SM, QuerySm(part))

    for (status, answer), state in (
        (before, MessageState.ENROUTE),
        (after, MessageState.DELIVERED),
    ):
        assert status is CommandStatus.ESME_ROK
        assert isinstance(answer, QuerySmResp)
        assert (answer.message_id, answer.message_state) == (part, state)
    stranger = await bound(smsc)
    assert (await stranger.ask(Command.QUERY_SM, QuerySm(part)))[0] is CommandStatus.ESME_RINVMSGID


# Later --------------------------------------------------------------------------------------------


async def test_a_message_with_a_time_waits_and_is_called_off_once(smsc: Smsc) -> None:
    client = await bound(smsc)

    status, answer = await client.submit(schedule_delivery_time="000001000000000R")
    canceled = [(await client.ask(Command.CANCEL_SM, CancelSm(answer.name)))[0] for _ in range(2)]
    _, asked = await client.ask(Command.QUERY_SM, QuerySm(answer.name))

    assert status is CommandStatus.ESME_ROK
    row = await the_message(answer.name)
    assert row["scheduled_at"] - row["created_at"] > timedelta(hours=23)
    assert canceled == [CommandStatus.ESME_ROK, CommandStatus.ESME_RCANCELFAIL]
    assert isinstance(asked, QuerySmResp)
    assert asked.message_state == MessageState.DELETED


async def test_what_others_sent_is_not_called_off(smsc: Smsc) -> None:
    one, other = await bound(smsc), await bound(smsc)
    _, answer = await one.submit(schedule_delivery_time="000001000000000R")

    status, _ = await other.ask(Command.CANCEL_SM, CancelSm(answer.name))

    assert status is CommandStatus.ESME_RINVMSGID
    assert (await the_message(answer.name))["status"] == "queued"
