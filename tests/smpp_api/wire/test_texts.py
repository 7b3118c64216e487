"""Texts by their data coding, times, long texts in parts: and everything that is none of them."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.sms.encoding import BASIC, EXTENSION
from smpp_api.wire.bodies import DataSm, ShortMessage
from smpp_api.wire.commands import CommandStatus, Malformed
from smpp_api.wire.parameters import Tag
from smpp_api.wire.parts import Content, Place, content_of, cut
from smpp_api.wire.texts import Charset, read_text, write_text
from smpp_api.wire.times import NotATime, read_time, write_time

AT = datetime(2026, 1, 31, 12, 0, tzinfo=UTC)

# Texts --------------------------------------------------------------------------------------------


@given(st.text(sorted(EXTENSION.union(BASIC)), max_size=200))
def test_the_default_alphabet_is_read_as_it_was_written(text: str) -> None:
    octets, coding = write_text(text, "gsm")

    assert coding == 0
    assert max(octets, default=0) < 0x80
    assert read_text(octets, 0, "gsm") == text


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=100), st.sampled_from(["gsm", "latin1", "ascii"]))  # fmt: skip
def test_every_text_can_be_told(text: str, charset: Charset) -> None:
    octets, coding = write_text(text, charset)

    assert coding in (0, 8)
    assert read_text(octets, coding, charset) == text


@given(st.binary(max_size=200), st.integers(0, 255), st.sampled_from(["gsm", "latin1", "ascii"]))
def test_any_bytes_are_a_text_or_a_refusal(octets: bytes, coding: int, charset: Charset) -> None:
    refusal: Malformed | None = None
    try:
        read_text(octets, coding, charset).encode()
    except Malformed as malformed:
        refusal = malformed
    assert refusal is None or refusal.status is CommandStatus.ESME_RSUBMITFAIL


@pytest.mark.parametrize(
    ("octets", "coding", "charset", "text"),
    [
        (b"Ol\x7f", 0, "gsm", "Olà"),
        (b"\x1be 10", 0, "gsm", "€ 10"),
        (b"\x1bA", 0, "gsm", "A"),  # no character of the extension: its basic one
        (b"A\x1b", 0, "gsm", "A"),
        (b"Ol\xe1", 0, "latin1", "Olá"),
        (b"Ol\xe1", 3, "gsm", "Olá"),
        (b"Hello", 1, "gsm", "Hello"),
        ("Olá 😀".encode("utf-16-be"), 8, "gsm", "Olá 😀"),
    ],
)
def test_texts_by_their_coding(octets: bytes, coding: int, charset: Charset, text: str) -> None:
    assert read_text(octets, coding, charset) == text


@pytest.mark.parametrize(
    ("octets", "coding", "charset"),
    [
        (b"Ol\xe1", 0, "gsm"),
        (b"Ol\xe1", 0, "ascii"),
        (b"Ol\xe1", 1, "gsm"),
        (b"\xd8\x3d", 8, "gsm"),
        (b"abc", 8, "gsm"),
        (b"abc", 4, "gsm"),
        (b"abc", 0xF0, "gsm"),
    ],
)
def test_what_is_no_text_is_refused(octets: bytes, coding: int, charset: Charset) -> None:
    with pytest.raises(Malformed):
        read_text(octets, coding, charset)


# Parts --------------------------------------------------------------------------------------------


@given(st.text(sorted(EXTENSION.union(BASIC)), max_size=1600), st.integers(0, 255))
def test_a_long_text_is_put_together_again(text: str, reference: int) -> None:
    octets, _ = write_text(text, "gsm")
    parts = cut(octets, 0, reference=reference)

    assert all(len(part) <= (160 if len(parts) == 1 else 6 + 153) for part in parts)
    assert together(parts, coding=0) == text


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=400))
def test_a_long_text_of_utf_16_is_put_together_again(text: str) -> None:
    octets = text.encode("utf-16-be")
    parts = cut(octets, 8, reference=7)

    assert all(len(part) <= 140 for part in parts)
    assert together(parts, coding=8) == text


def together(parts: object, *, coding: int) -> str:
    """Each part is a text of its own, in its order."""
    assert isinstance(parts, list)
    if len(parts) == 1:
        return read_text(parts[0], coding, "gsm")
    read = [content_of(ShortMessage(text=part, esm_class=0x40)) for part in parts]
    assert [one.place and one.place.number for one in read] == list(range(1, len(parts) + 1))
    assert {one.place and one.place.total for one in read} == {len(parts)}
    return "".join(read_text(one.octets, coding, "gsm") for one in read)


def test_more_parts_than_a_header_can_count_are_not_cut() -> None:
    with pytest.raises(ValueError, match="parts"):
        cut(b"x" * 153 * 256, 0, reference=1)


SAR: dict[int, bytes] = {
    Tag.SAR_MSG_REF_NUM: b"\x01\x02",
    Tag.SAR_TOTAL_SEGMENTS: b"\x03",
    Tag.SAR_SEGMENT_SEQNUM: b"\x02",
}


@pytest.mark.parametrize(
    ("message", "content"),
    [
        (ShortMessage(text=b"x"), Content(b"x", None)),
        (ShortMessage(), Content(b"", None)),
        (ShortMessage(parameters={Tag.MESSAGE_PAYLOAD: b"x"}), Content(b"x", None)),
        (DataSm(parameters={Tag.MESSAGE_PAYLOAD: b"x"}), Content(b"x", None)),
        (DataSm(), Content(b"", None)),
        (ShortMessage(text=b"x", parameters=SAR), Content(b"x", Place(0x0102, 3, 2))),
        (ShortMessage(text=b"\5\0\3\7\2\1x", esm_class=0x40), Content(b"x", Place(7, 2, 1))),
        (
            ShortMessage(text=b"\6\x08\4\1\7\2\1x", esm_class=0x40),
            Content(b"x", Place(0x107, 2, 1)),
        ),
        # Ports before the reference; only a header of ports; only one part.
        (
            ShortMessage(text=b"\x0b\5\4\0\1\0\2\0\3\7\2\2x", esm_class=0x40),
            Content(b"x", Place(7, 2, 2)),
        ),
        (ShortMessage(text=b"\6\5\4\0\1\0\2x", esm_class=0x40), Content(b"x", None)),
        (ShortMessage(text=b"\5\0\3\7\1\1x", esm_class=0x40), Content(b"x", None)),
        (ShortMessage(text=b"\5\0\3\7\2\1x"), Content(b"\5\0\3\7\2\1x", None)),
    ],
)
def test_parts_are_known_by_header_or_parameters(
    message: ShortMessage | DataSm, content: Content
) -> None:
    assert content_of(message) == content


@pytest.mark.parametrize(
    "message",
    [
        ShortMessage(text=b"x", parameters={Tag.MESSAGE_PAYLOAD: b"x"}),
        ShortMessage(esm_class=0x40),
        ShortMessage(text=b"\x09x", esm_class=0x40),
        ShortMessage(text=b"\1\0", esm_class=0x40),
        ShortMessage(text=b"\3\0\3\7", esm_class=0x40),
        ShortMessage(text=b"\5\0\3\7\2\0x", esm_class=0x40),
        ShortMessage(text=b"\5\0\3\7\2\3x", esm_class=0x40),
        ShortMessage(text=b"\5\0\3\7\0\0x", esm_class=0x40),
        ShortMessage(parameters=SAR | {Tag.SAR_SEGMENT_SEQNUM: b"\4"}),
        ShortMessage(parameters=SAR | {Tag.SAR_SEGMENT_SEQNUM: b"\0\2"}),
    ],
)
def test_what_is_no_part_is_refused(message: ShortMessage) -> None:
    with pytest.raises(Malformed):
        content_of(message)


@given(st.binary(max_size=160))
def test_any_header_is_read_or_refused(octets: bytes) -> None:
    try:
        found = content_of(ShortMessage(text=octets, esm_class=0x40))
    except Malformed:
        return
    assert octets.endswith(found.octets)
    assert found.place is None or 0 < found.place.number <= found.place.total


# Times --------------------------------------------------------------------------------------------


@given(st.datetimes(datetime(2000, 1, 1), datetime(2099, 12, 31), timezones=st.just(UTC)))  # noqa: DTZ001
def test_a_time_is_read_as_it_was_written(at: datetime) -> None:
    tenth = at.microsecond // 100_000 * 100_000

    assert read_time(write_time(at), at=AT) == at.replace(microsecond=tenth)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("", None),
        ("260102030405600+", datetime(2026, 1, 2, 3, 4, 5, 600_000, tzinfo=UTC)),
        ("260102030405012-", datetime(2026, 1, 2, 6, 4, 5, tzinfo=UTC)),
        ("000000000500000R", AT + timedelta(minutes=5)),
        ("000100000000000R", datetime(2026, 2, 28, 12, 0, tzinfo=UTC)),
        ("010000000000000R", datetime(2027, 1, 31, 12, 0, tzinfo=UTC)),
    ],
)
def test_times_absolute_and_relative(text: str, moment: datetime | None) -> None:
    assert read_time(text, at=AT) == moment


@pytest.mark.parametrize(
    "text",
    ["tomorrow", "2601020304050", "261302030405000+", "260102250405000+", "260102030405049+", "٢60102030405000+"],
)  # fmt: skip
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(NotATime):
        read_time(text, at=AT)


@given(st.from_regex(r"[0-9]{15}[-+R]", fullmatch=True))
def test_any_digits_are_a_time_or_none(text: str) -> None:
    try:
        found = read_time(text, at=AT)
    except NotATime:
        return
    assert found is not None
    assert found.tzinfo is UTC
