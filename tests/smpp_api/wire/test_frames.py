"""The stream is cut into the same PDUs however it arrives; a length that none has ends it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smpp_api.wire.commands import CommandStatus, Malformed
from smpp_api.wire.frames import MAX_LENGTH, Frame, Frames, framed

FRAMES = st.builds(
    Frame,
    st.integers(0, 2**32 - 1),
    st.integers(0, 2**32 - 1),
    st.integers(0, 2**32 - 1),
    st.binary(max_size=60),
)


def written(frames: list[Frame]) -> bytes:
    return b"".join(framed(one.command, one.sequence, one.body, one.status) for one in frames)


@given(st.lists(FRAMES, max_size=6), st.lists(st.integers(1, 50), max_size=30))
def test_the_same_pdus_come_out_however_the_stream_is_cut(
    frames: list[Frame], cuts: list[int]
) -> None:
    stream, reader = written(frames), Frames()
    found: list[Frame] = []
    for length in [*cuts, len(stream)]:
        found += reader.arrived(stream[:length])
        stream = stream[length:]

    assert found == frames
    assert not reader.is_amid


@given(st.binary(max_size=300))
def test_any_bytes_are_pdus_or_malformed(octets: bytes) -> None:
    refusal: Malformed | None = None
    found: list[Frame] = []
    try:
        found.extend(Frames().arrived(octets))
    except Malformed as malformed:
        refusal = malformed
    assert all(len(frame.body) <= MAX_LENGTH for frame in found)
    assert refusal is None or refusal.status is CommandStatus.ESME_RINVCMDLEN


@pytest.mark.parametrize("length", [0, 1, 15, MAX_LENGTH + 1, 2**31, 2**32 - 1])
def test_a_length_that_no_pdu_has_is_noticed_before_its_body(length: int) -> None:
    good = framed(0x15, 1)

    reader = Frames()
    found: list[Frame] = []
    with pytest.raises(Malformed):
        found.extend(reader.arrived(good + length.to_bytes(4) + b"\0" * 12))

    # `extend` takes what came before the refusal.
    assert found == [Frame(0x15, 0, 1, b"")]


def test_another_protocol_is_noticed_by_its_first_line() -> None:
    with pytest.raises(Malformed):
        list(Frames().arrived(b"GET / HTTP/1.1\r\nHost: smsc\r\n\r\n"))


def test_what_is_kept_is_less_than_a_pdu() -> None:
    reader = Frames()
    whole = framed(4, 1, b"x" * (MAX_LENGTH - 16))

    assert list(reader.arrived(whole[:-1])) == []
    assert reader.is_amid
    assert [len(frame.body) for frame in reader.arrived(whole[-1:] + whole)] == [
        MAX_LENGTH - 16
    ] * 2
    assert not reader.is_amid


def test_a_taker_that_stops_amid_loses_nothing() -> None:
    reader = Frames()
    taking = reader.arrived(framed(0x15, 1) + framed(0x15, 2))
    assert next(taking).sequence == 1
    taking.close()

    assert [frame.sequence for frame in reader.arrived(b"")] == [2]
