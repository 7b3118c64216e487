"""Receipts: as Kannel reads them, as others write them, and whatever else arrives as one."""

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smpp_api.wire.commands import Malformed
from smpp_api.wire.parameters import Tag
from smpp_api.wire.receipts import MessageState, Receipt, ToldReceipt, read_receipt, write_receipt

# What Kannel's sscanf takes (gw/smsc/smsc_smpp.c), field by field.
KANNEL = re.compile(
    rb"id:(\S{1,64}) sub:(\S{1,3}) dlvrd:(\S{1,3}) submit date:(\S{1,12}) done date:(\S{1,12}) "
    rb"stat:(\S{1,7}) err:(\S{1,3}) text:"
)
MINUTES = st.datetimes(datetime(2000, 1, 1), datetime(2068, 1, 1)).map(  # noqa: DTZ001
    lambda at: at.replace(second=0, microsecond=0, tzinfo=UTC)
)
RECEIPTS = st.builds(
    Receipt,
    st.text("msg_abcXYZ0123456789", min_size=1, max_size=64),
    st.sampled_from(MessageState),
    st.integers(0, 999),
    MINUTES,
    MINUTES,
)


@given(RECEIPTS)
def test_a_receipt_is_read_as_it_was_written(receipt: Receipt) -> None:
    text, parameters = write_receipt(receipt)
    expected = ToldReceipt(receipt.message_id, receipt.state, f"{receipt.error:03}", receipt.done)

    assert KANNEL.fullmatch(text)
    assert len(text) < 255
    assert read_receipt(text, parameters) == expected
    assert read_receipt(text, {}) == expected
    by_parameters = read_receipt(b"", parameters)
    assert by_parameters == ToldReceipt(receipt.message_id, receipt.state, None, None)


def test_a_receipt_by_letter_in_the_zone_of_its_reader() -> None:
    at = datetime(2026, 11, 26, 5, 30, tzinfo=UTC)
    receipt = Receipt("msg_1", MessageState.DELIVERED, 0, at, at)

    text, parameters = write_receipt(receipt, zone=ZoneInfo("America/Sao_Paulo"))

    assert text == (
        b"id:msg_1 sub:001 dlvrd:001 submit date:2611260230 done date:2611260230 stat:DELIVRD err:000 text:"
    )
    assert parameters == {
        Tag.RECEIPTED_MESSAGE_ID: b"msg_1\0",
        Tag.MESSAGE_STATE: b"\x02",
        Tag.NETWORK_ERROR_CODE: b"\x03\x00\x00",
    }


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            b"id:00a1F sub:001 dlvrd:000 submit date:260102 done date:260102030405 stat:undeliv err:1A Text:id:7",
            ToldReceipt("00a1F", MessageState.UNDELIVERABLE, "1A", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ),
        (b"id: 77 stat: DELIVRD", ToldReceipt("77", MessageState.DELIVERED, None, None)),
        (b"stat:REJECTD id:x done date:9999999999", ToldReceipt("x", MessageState.REJECTED, None, None)),
        (b"id:1 stat:NONSENSE", None),
        (b"stat:DELIVRD", None),
        (b"text:id:1 stat:DELIVRD", None),
        (b"", None),
    ],
)  # fmt: skip
def test_receipts_as_others_write_them(text: bytes, told: ToldReceipt | None) -> None:
    assert read_receipt(text, {}) == told


@given(st.binary(max_size=300), st.dictionaries(st.sampled_from(Tag), st.binary(max_size=70)))
def test_any_bytes_are_a_receipt_or_none(text: bytes, parameters: dict[int, bytes]) -> None:
    try:
        found = read_receipt(text, parameters)
    except Malformed:
        return
    assert found is None or 0 < len(found.message_id) <= 64
