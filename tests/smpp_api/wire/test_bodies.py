"""Every body is read as it was written; what is no body is refused with a status, whatever bytes it has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smpp_api.wire.bodies import (
    Address,
    AnyBody,
    Bind,
    Named,
    Nothing,
    QuerySmResp,
    ReplaceSm,
    ShortMessage,
    read_body,
)
from smpp_api.wire.commands import RESPONSE, Command, CommandStatus, Malformed
from tests.smpp_api.wire.strategies import BODIES, PDUS


@given(PDUS)
def test_a_body_is_read_as_it_was_written(pdu: tuple[Command, AnyBody]) -> None:
    command, body = pdu

    assert read_body(command, body.write()) == body


def test_every_command_but_submit_multi_has_a_body() -> None:
    assert set(Command) - set(BODIES) == {Command.SUBMIT_MULTI, Command.SUBMIT_MULTI_RESP}


@given(st.sampled_from(sorted(BODIES)), st.binary(max_size=400))
def test_any_bytes_are_a_body_or_malformed(command: Command, octets: bytes) -> None:
    try:
        body = read_body(command, octets)
    except Malformed:
        return
    assert read_body(command, body.write()) == body


@given(PDUS, st.data())
def test_a_body_with_a_changed_or_missing_byte_is_a_body_or_malformed(
    pdu: tuple[Command, AnyBody], data: st.DataObject
) -> None:
    command, body = pdu
    octets = bytearray(body.write())
    if octets:
        place = data.draw(st.integers(0, len(octets) - 1))
        if data.draw(st.booleans()):
            del octets[place:]
        else:
            octets[place] = data.draw(st.integers(0, 255))
    refusal: Malformed | None = None
    try:
        read_body(command, bytes(octets))
    except Malformed as malformed:
        refusal = malformed
    assert refusal is None or refusal.status is not CommandStatus.ESME_ROK


@pytest.mark.parametrize("command", [0x21, 0x0A, 0x112, 0x7FFFFFFF, 0xFFFFFFFF, 0x80000021, 0])
def test_a_command_that_is_not_spoken_is_unknown(command: int) -> None:
    with pytest.raises(Malformed) as refusal:
        read_body(command, b"")
    assert refusal.value.status is CommandStatus.ESME_RINVCMDID


A_SUBMIT = ShortMessage(Address("SVC", 5), Address("5511987650005", 1, 1), b"Hello").write()


@pytest.mark.parametrize(
    ("command", "octets", "status"),
    [
        (Command.BIND_TRANSCEIVER, b"a" * 16 + b"\0", CommandStatus.ESME_RINVSYSID),
        (Command.BIND_TRANSCEIVER, b"a\0" + b"p" * 9 + b"\0", CommandStatus.ESME_RINVPASWD),
        (Command.BIND_TRANSCEIVER, b"a\0p\0" + b"t" * 13 + b"\0", CommandStatus.ESME_RINVSYSTYP),
        (Command.BIND_TRANSCEIVER, b"a\0p\0t\0", CommandStatus.ESME_RINVCMDLEN),
        (Command.BIND_TRANSCEIVER, b"", CommandStatus.ESME_RINVCMDLEN),
        (Command.BIND_TRANSCEIVER, Bind("a", "p").write() + b"x", CommandStatus.ESME_RINVCMDLEN),
        (Command.SUBMIT_SM, b"a" * 6 + b"\0", CommandStatus.ESME_RINVSERTYP),
        (Command.SUBMIT_SM, b"\0\0\0" + b"1" * 21 + b"\0", CommandStatus.ESME_RINVSRCADR),
        (Command.SUBMIT_SM, b"\0\0\0\0\0\0" + b"1" * 21 + b"\0", CommandStatus.ESME_RINVDSTADR),
        (Command.SUBMIT_SM, A_SUBMIT[:-1], CommandStatus.ESME_RINVMSGLEN),
        (Command.SUBMIT_SM, A_SUBMIT[:-6], CommandStatus.ESME_RINVCMDLEN),
        (Command.SUBMIT_SM, A_SUBMIT[:-6] + b"\xff" + b"x" * 255, CommandStatus.ESME_RINVMSGLEN),
        (Command.SUBMIT_SM, A_SUBMIT + b"\x04", CommandStatus.ESME_RINVOPTPARSTREAM),
        (Command.SUBMIT_SM, A_SUBMIT + b"\x04\x24\x00\x05x", CommandStatus.ESME_RINVPARLEN),
        (Command.QUERY_SM, b"m" * 65 + b"\0\0\0\0", CommandStatus.ESME_RINVMSGID),
        (Command.ENQUIRE_LINK, b"x", CommandStatus.ESME_RINVCMDLEN),
    ],
)
def test_what_is_wrong_is_told_by_the_status_of_its_field(
    command: Command, octets: bytes, status: CommandStatus
) -> None:
    with pytest.raises(Malformed) as refusal:
        read_body(command, octets)
    assert refusal.value.status is status


@pytest.mark.parametrize(
    "command", [command for command in BODIES if command & RESPONSE and command != RESPONSE]
)
def test_a_refusal_may_come_without_a_body(command: Command) -> None:
    assert read_body(command, b"") in (Nothing(), Named(), QuerySmResp())


@pytest.mark.parametrize(
    "body",
    [
        Bind("a" * 16, "p"),
        Bind("a", "p" * 9),
        Bind("a\0b", "p"),
        Named("m" * 65),
        Named("m", {1: b"x" * 70_000}),
        ShortMessage(text=b"x" * 255),
        ShortMessage(Address("1" * 21)),
        ShortMessage(service_type="€"),
        ShortMessage(data_coding=256),
        ReplaceSm("m", text=b"x" * 255),
    ],
)
def test_what_no_pdu_can_carry_is_not_written(body: AnyBody) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whatever it is that does not fit
        body.write()


def test_a_password_is_not_shown() -> None:
    assert "secret" not in repr(Bind("customer", "secret"))
