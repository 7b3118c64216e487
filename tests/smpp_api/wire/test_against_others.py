"""Two libraries that are not ours read what we write, and write what we read."""

import smpp34
import smpplib.consts
import smpplib.gsm
import smpplib.smpp
from hypothesis import given
from hypothesis import strategies as st

from smpp_api.wire.bodies import Address, AnyBody, Bind, Named, QuerySm, ShortMessage, read_body
from smpp_api.wire.commands import Command
from smpp_api.wire.frames import Frames, framed
from smpp_api.wire.parameters import Tag
from smpp_api.wire.parts import cut
from smpp_api.wire.texts import write_text

ASCII = st.characters(min_codepoint=0x21, max_codepoint=0x7E)
NUMBERS = st.integers(0, 255)


def texts(longest: int) -> st.SearchStrategy[str]:
    return st.text(ASCII, min_size=1, max_size=longest)


ADDRESSES = st.builds(Address, texts(20), NUMBERS, NUMBERS)
MESSAGES = st.builds(
    ShortMessage,
    ADDRESSES,
    ADDRESSES,
    st.binary(min_size=1, max_size=254),
    texts(5),
    NUMBERS,
    NUMBERS,
    NUMBERS,
    st.just(""),
    st.just("000001000000000R"),
    NUMBERS,
    NUMBERS,
    NUMBERS,
    NUMBERS,
    st.dictionaries(
        st.sampled_from([Tag.USER_MESSAGE_REFERENCE, Tag.SAR_MSG_REF_NUM]),
        st.binary(min_size=2, max_size=2),
    ),
)


class Numbers:
    """What smpplib wants for a client: it counts the PDUs that it makes."""

    sequence = 0

    def next_sequence(self) -> int:
        return 3


def read_by_smpplib(command: Command, body: AnyBody) -> object:
    found = smpplib.smpp.parse_pdu(framed(command, 7, body.write()), client=Numbers())
    assert found is not None
    assert found.sequence == 7
    return found


def ours(octets: bytes) -> AnyBody:
    (frame,) = Frames().arrived(octets)
    return read_body(frame.command, frame.body)


@given(MESSAGES, st.sampled_from([Command.SUBMIT_SM, Command.DELIVER_SM]))
def test_smpp34_reads_what_we_write_and_writes_what_we_read(
    message: ShortMessage, command: Command
) -> None:
    theirs = smpp34.decode(framed(command, 7, message.write()))

    assert isinstance(theirs, smpp34.SubmitSm | smpp34.DeliverSm)
    assert theirs.sequence_number == 7
    again = ShortMessage(
        Address(theirs.source_addr, theirs.source_addr_ton, theirs.source_addr_npi),
        Address(theirs.destination_addr, theirs.dest_addr_ton, theirs.dest_addr_npi),
        theirs.short_message,
        theirs.service_type,
        theirs.esm_class,
        theirs.protocol_id,
        theirs.priority_flag,
        theirs.schedule_delivery_time,
        theirs.validity_period,
        theirs.registered_delivery,
        theirs.replace_if_present_flag,
        theirs.data_coding,
        theirs.sm_default_msg_id,
        {one.tag: one.value for one in theirs.tlvs},
    )
    assert again == message
    assert ours(theirs.encode()) == message


@given(MESSAGES)
def test_smpplib_reads_our_messages(message: ShortMessage) -> None:
    found = read_by_smpplib(Command.SUBMIT_SM, message)

    assert vars(found)["short_message"] == message.text
    assert vars(found)["destination_addr"] == message.destination.value.encode()
    assert vars(found)["dest_addr_ton"] == message.destination.ton
    assert vars(found)["esm_class"] == message.esm_class
    assert vars(found)["data_coding"] == message.data_coding
    assert vars(found)["registered_delivery"] == message.registered_delivery


@given(texts(15), texts(8), texts(12))
def test_smpplib_and_we_read_each_others_binds(system: str, password: str, kind: str) -> None:
    found = vars(read_by_smpplib(Command.BIND_TRANSCEIVER, Bind(system, password, kind)))
    assert (found["system_id"], found["password"]) == (system.encode(), password.encode())

    theirs = smpplib.smpp.make_pdu(
        "bind_transmitter",
        client=Numbers(),
        system_id=system,
        password=password,
        system_type=kind,
        interface_version=0x34,
    )
    assert ours(theirs.generate()) == Bind(system, password, kind)


@given(texts(64))
def test_smpplib_and_we_read_each_others_ids(id: str) -> None:
    found = vars(read_by_smpplib(Command.SUBMIT_SM_RESP, Named(id)))
    assert found["message_id"] == id.encode()
    query = vars(read_by_smpplib(Command.QUERY_SM, QuerySm(id, Address("1234", 1, 1))))
    assert (query["message_id"], query["source_addr"]) == (id.encode(), b"1234")

    theirs = smpplib.smpp.make_pdu("deliver_sm_resp", client=Numbers(), message_id=id)
    assert ours(theirs.generate()) == Named(id)


@given(st.text("abcdefghij €[]{}\n ÆØÅ@£$", max_size=300))
def test_smpplib_has_the_same_alphabet_and_the_same_parts(text: str) -> None:
    octets, coding = write_text(text, "gsm")

    assert coding == 0
    assert octets == smpplib.gsm.gsm_encode(text)
    parts, _, esm_class = smpplib.gsm.make_parts(text.replace("€", "E").replace("[", "("))
    plain, _ = write_text(text.replace("€", "E").replace("[", "("), "gsm")
    if not any(char in text for char in "]{}"):
        mine = cut(plain, 0, reference=parts[0][3] if esm_class else 0)
        assert mine == parts
