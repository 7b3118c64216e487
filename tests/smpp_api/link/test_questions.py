"""Messages without a receipt: their operator is asked about them, by what it knows them by."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from core.foundation.clock import now
from core.foundation.database import db
from core.smpp.link.models import SmppLinkPart
from smpp_api.link import asking
from tests.fakes.smsc import DELIVERED, FakeSmsc
from tests.smpp_api.link.conftest import LinkHouse, outgoing
from tests.support.sql_tables import rows_of
from tests.support.waiting import eventually

LONG = "Uma mensagem longa, com muitas letras. " * 10


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "ASK_SECONDS", 0.02)


async def become_old(hours: float) -> None:
    """What was taken has been so for so many hours, and is to be asked about now."""
    await db.execute(
        "UPDATE smpp_link_parts SET taken_at = $1, ask_at = $2 WHERE ask_at IS NOT NULL",
        now() - timedelta(hours=hours),
        now(),
    )


async def waits() -> Sequence[timedelta]:
    """For how long parts are not asked about, the soonest first."""
    rows = await db.fetch(
        "SELECT ask_at - $1 AS wait FROM smpp_link_parts WHERE ask_at IS NOT NULL ORDER BY ask_at",
        now(),
    )
    return [row["wait"] for row in rows]


async def all_wait() -> bool:
    return min(await waits()) > timedelta(minutes=1)


async def test_what_has_no_receipt_is_asked_about_less_and_less_until_it_has_ended(
    house: LinkHouse, smsc: FakeSmsc
) -> None:
    smsc.form = "{:08X}"
    message = outgoing(sender_id="12345")
    settings = house.settings(smsc, response_ids="hex", receipt_ids="hex")
    async with house.linked(settings) as gateway:
        await gateway.send(message)
        (wait,) = await waits()
        assert timedelta(minutes=55) < wait <= timedelta(minutes=60)

        await become_old(hours=2)
        await eventually(all_wait, "it is under way")
        (wait,) = await waits()
        assert timedelta(minutes=115) < wait < timedelta(minutes=125)
        assert house.receipts == []

        smsc.states = {"00000001": DELIVERED}
        await become_old(hours=4)
        await eventually(lambda: house.receipts, "it has ended")
        await eventually(lambda: rows_of(SmppLinkPart).filter(ask_at=None).count(), "it is over")

    assert smsc.asked == [("00000001", 3, "12345")] * 2
    (receipt,) = house.receipts
    assert (receipt.message_id, receipt.status) == (message.id, "delivered")
    assert receipt.at.isoformat() == "2026-11-26T05:31:00+00:00"


async def test_of_a_text_in_parts_only_those_without_a_receipt_are_asked_about(
    house: LinkHouse, smsc: FakeSmsc
) -> None:
    async with house.linked(house.settings(smsc)) as gateway:
        await gateway.send(outgoing(LONG))
        await smsc.report(smsc.taken[0])
        await eventually(
            lambda: rows_of(SmppLinkPart).filter(ask_at=None).count(), "its receipt is noted"
        )
        smsc.states = {"2": DELIVERED, "3": DELIVERED}
        await become_old(hours=2)
        await eventually(lambda: house.receipts, "all have ended")

    assert sorted(id for id, *_ in smsc.asked) == ["2", "3"]
    assert {receipt.status for receipt in house.receipts} == {"delivered"}


async def test_who_does_not_know_the_question_is_left_alone(
    house: LinkHouse, smsc: FakeSmsc
) -> None:
    smsc.states = None
    async with house.linked(house.settings(smsc)) as gateway:
        await gateway.send(outgoing())
        await become_old(hours=80)
        await eventually(lambda: smsc.asked, "it is asked")
        await eventually(
            lambda: rows_of(SmppLinkPart).filter(ask_at=None).count(), "for the last time"
        )
        await gateway.send(outgoing())
        await become_old(hours=2)
        await smsc.report(smsc.taken[1])
        await eventually(lambda: house.receipts, "receipts are told as before")

    assert len(smsc.asked) == 1


async def test_who_is_not_to_be_asked_is_not(house: LinkHouse, smsc: FakeSmsc) -> None:
    async with house.linked(house.settings(smsc, ask_after=0)) as gateway:
        await gateway.send(outgoing())
    assert (await rows_of(SmppLinkPart).get()).ask_at is None
