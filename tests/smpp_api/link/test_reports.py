"""What operators tell: matched by their ids in any spelling, kept, and told to the service until it takes it."""

import pytest

from core.foundation.database import db
from core.providers.contracts import Accepted, MessageFound, Unknown
from smpp_api.link.incoming import compared
from smpp_api.link.links_file import IdFormat
from tests.fakes.smsc import RECEIPT, RSYSERR, FakeSmsc, accepts, drops, refuses
from tests.smpp_api.link.conftest import PHONE, LinkHouse, outgoing
from tests.support.waiting import eventually

LONG = "Uma mensagem longa, com muitas letras. " * 10


async def nothing_is_left() -> None:
    async def gone() -> bool:
        return not await db.fetch("SELECT id FROM smpp_link_reports")

    await eventually(gone, "all of it is told")


@pytest.mark.parametrize(
    ("state", "told"),
    [
        ("DELIVRD", ("delivered", None)),
        ("UNDELIV", ("undelivered", "carrier_rejected")),
        ("REJECTD", ("failed", "carrier_rejected")),
        ("EXPIRED", ("failed", "expired")),
        ("DELETED", ("undelivered", "carrier_rejected")),
        ("UNKNOWN", (None, None)),
    ],
)
async def test_a_receipt_is_told(
    house: LinkHouse, smsc: FakeSmsc, state: str, told: tuple[str | None, str | None]
) -> None:
    message = outgoing()
    async with house.linked(house.settings(smsc)) as gateway:
        await gateway.send(message)
        assert await smsc.report(smsc.taken[0], "ENROUTE") == 0
        assert await smsc.report(smsc.taken[0], state) == 0
        await nothing_is_left()
        assert isinstance(await gateway.look_up(message.id), MessageFound)

    (receipt,) = house.receipts
    assert (receipt.message_id, receipt.reference) == (message.id, "1")
    assert (receipt.status, receipt.reason) == told


async def test_a_receipt_that_comes_before_the_answer_waits_for_it(
    house: LinkHouse, smsc: FakeSmsc
) -> None:
    message = outgoing()
    smsc.will(accepts(reports_first=True))
    async with house.linked(house.settings(smsc)) as gateway:
        assert await gateway.send(message) == Accepted("1")
        await eventually(lambda: house.receipts, "it is told")
    assert [receipt.message_id for receipt in house.receipts] == [message.id]


async def test_a_receipt_without_an_answer_is_matched_by_its_reference(
    house: LinkHouse, smsc: FakeSmsc
) -> None:
    message = outgoing()
    smsc.will(drops())
    async with house.linked(house.settings(smsc)) as gateway:
        assert await gateway.send(message) == Unknown()
        await eventually(lambda: smsc.lines, "it is bound again")
        submit = smsc.taken[0]
        reference = b"\x02\x04\x00\x02" + submit.parameters[0x0204]
        await eventually(lambda: any(line.mode for line in smsc.lines), "it may be told")
        await smsc.deliver(
            submit.receipt(id="another"),
            source=submit.destination,
            esm_class=RECEIPT,
            parameters=reference,
        )
        await eventually(lambda: house.receipts, "it is told")
        assert await gateway.look_up(message.id) == MessageFound("another", "delivered", None, None)
    assert smsc.seen == 1


async def test_what_the_service_does_not_take_is_told_again(
    house: LinkHouse, smsc: FakeSmsc, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.refuses_callbacks = True
    async with house.linked(house.settings(smsc)) as gateway:
        await gateway.send(outgoing())
        await smsc.report(smsc.taken[0])

        async def put_off() -> bool:
            return bool(
                await db.fetchval("SELECT count(*) FROM smpp_link_reports WHERE due_at > now()")
            )

        await eventually(put_off, "it was refused")
        house.refuses_callbacks = False
        await nothing_is_left()
    assert len(house.receipts) == 1


async def test_a_message_in_parts_is_delivered_with_its_last_part_and_fails_with_its_first(
    house: LinkHouse, smsc: FakeSmsc
) -> None:
    delivered, failed, cut = outgoing(LONG), outgoing(LONG), outgoing(LONG)
    async with house.linked(house.settings(smsc)) as gateway:
        await gateway.send(delivered)
        for submit in smsc.taken[:2]:
            await smsc.report(submit)
        await nothing_is_left()
        assert house.receipts == []
        await smsc.report(smsc.taken[2])
        await eventually(lambda: house.receipts, "it is told")

        await gateway.send(failed)
        await smsc.report(smsc.taken[4], "UNDELIV")
        await eventually(lambda: len(house.receipts) == 2, "it is told")

        smsc.will(accepts(), refuses(RSYSERR))
        assert isinstance(await gateway.send(cut), Accepted)
        await eventually(lambda: len(house.receipts) == 3, "it is told")

    assert [(receipt.message_id, receipt.status) for receipt in house.receipts] == [
        (delivered.id, "delivered"),
        (failed.id, "undelivered"),
        (cut.id, "undelivered"),
    ]


async def test_ids_are_the_same_in_hexadecimal_and_decimal(
    house: LinkHouse, smsc: FakeSmsc
) -> None:
    smsc.form = "{:08X}"
    settings = house.settings(smsc, response_ids="hex", receipt_ids="dec")
    async with house.linked(settings) as gateway:
        for _ in range(10):
            await gateway.send(outgoing())
        await smsc.report(smsc.taken[9], id="10")
        await eventually(lambda: house.receipts, "it is told")
    assert [receipt.reference for receipt in house.receipts] == ["0000000A"]


@pytest.mark.parametrize(
    ("id", "form", "found"),
    [
        ("00AB", "text", "00ab"),
        ("00AB", "hex", "171"),
        ("0xab", "hex", "171"),
        ("00171", "dec", "171"),
        ("uuid-1", "dec", "uuid-1"),
    ],
)
def test_how_ids_are_compared(id: str, form: IdFormat, found: str) -> None:
    assert compared(id, form) == found


async def test_receipts_of_another_form_are_read_as_the_operator_writes_them(
    house: LinkHouse, smsc: FakeSmsc
) -> None:
    settings = house.settings(smsc, receipt_id_after="msg=", receipt_state_after="is=")
    async with house.linked(settings) as gateway:
        await gateway.send(outgoing())
        await smsc.deliver(b"msg=1;is=EXPIRED;", source=PHONE[1:], esm_class=RECEIPT)
        await eventually(lambda: house.receipts, "it is told")
    assert [receipt.reason for receipt in house.receipts] == ["expired"]


async def test_replies_are_told_to_whom_wrote_last_and_those_in_parts_whole(
    house: LinkHouse, smsc: FakeSmsc
) -> None:
    first, last = outgoing(), outgoing()
    async with house.linked(house.settings(smsc)) as gateway:
        await gateway.send(first)
        await gateway.send(last)
        await smsc.deliver(b"SIM", source=PHONE[1:])
        await smsc.deliver(b"nobody wrote to me", source="5511900000000")
        text = "é difícil 😀 de cortar".encode("utf-16-be")
        middle = text.index(b"\xd8\x3d") + 2  # amid a character
        for number, piece in ((2, text[middle:]), (1, text[:middle])):
            header = bytes((5, 0, 3, 7, 2, number))
            await smsc.deliver(header + piece, source=PHONE[1:], esm_class=0x40, coding=8)
        await nothing_is_left()

    assert [(reply.message_id, reply.body) for reply in house.replies] == [
        (last.id, "SIM"),
        (last.id, "é difícil 😀 de cortar"),
    ]
