"""Whatever bytes arrive: a body that is read, or Malformed with a status; never more kept than one PDU."""

from contextlib import suppress

from hypothesis import example, given
from hypothesis import strategies as st

from smpp_api.wire.bodies import DataSm, ShortMessage, read_body
from smpp_api.wire.commands import Command, Malformed
from smpp_api.wire.frames import HEADER_LENGTH, MAX_LENGTH, Frames, framed
from smpp_api.wire.parts import content_of
from smpp_api.wire.receipts import read_receipt

SUBMIT = ShortMessage(text=b"Hello", parameters={0x0204: b"\0\1", 0x0424: b""}).write()


@given(st.sampled_from(Command), st.binary(max_size=300))
@example(Command.SUBMIT_SM, SUBMIT[:-1])
@example(Command.SUBMIT_SM, SUBMIT + b"\x02\x0c\xff\xff\x01")
def test_a_body_is_read_or_refused(command: Command, octets: bytes) -> None:
    with suppress(Malformed):
        body = read_body(command, octets)
        if isinstance(body, ShortMessage | DataSm):
            content_of(body)
            read_receipt(content_of(body).octets, body.parameters)


@given(st.integers(0, len(SUBMIT)), st.binary(max_size=8), st.integers(0, 8))
def test_a_submit_that_is_cut_or_changed_is_read_or_refused(
    place: int, put: bytes, gone: int
) -> None:
    with suppress(Malformed):
        body = read_body(Command.SUBMIT_SM, SUBMIT[:place] + put + SUBMIT[place + gone :])
        assert isinstance(body, ShortMessage)
        content_of(body)


@given(st.lists(st.binary(max_size=200), max_size=20))
def test_no_more_is_kept_than_one_pdu(pieces: list[bytes]) -> None:
    frames = Frames()
    with suppress(Malformed):
        for piece in [framed(Command.ENQUIRE_LINK, 1), *pieces]:
            for frame in frames.arrived(piece):
                assert len(frame.body) <= MAX_LENGTH - HEADER_LENGTH
            assert len(frames._waiting) < MAX_LENGTH
