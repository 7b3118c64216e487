"""The bodies of PDUs: what each command carries, read from and written as bytes.

Strings are Latin-1, so that whatever arrives can be read and judged by those who know what it means.
One that is longer than the specification lets it be is refused with the status of its own field; a
body that ends too early with ESME_RINVCMDLEN.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple, Protocol, TypeAlias

from smpp_api.wire.commands import Command, CommandStatus, Malformed
from smpp_api.wire.parameters import Parameters, read_parameters, write_parameters

MAX_SHORT_MESSAGE = 254

_ENCODING = "latin-1"


class Reader:
    """Reads the mandatory fields of a body, one after the other. Raises Malformed."""

    __slots__ = ("_place", "body")

    def __init__(self, body: bytes) -> None:
        self.body = body
        self._place = 0

    def byte(self) -> int:
        """A number of one byte."""
        if self._place >= len(self.body):
            raise Malformed(CommandStatus.ESME_RINVCMDLEN, "the body ends too early")
        self._place += 1
        return self.body[self._place - 1]

    def numbers(self, count: int) -> bytes:
        """So many numbers of one byte."""
        found = self.body[self._place : self._place + count]
        if len(found) < count:
            raise Malformed(CommandStatus.ESME_RINVCMDLEN, "the body ends too early")
        self._place += count
        return found

    def string(self, size: int, status: CommandStatus) -> str:
        """A C string of at most `size` bytes, its zero included. `status`: for one that is longer."""
        end = self.body.find(b"\0", self._place, self._place + size)
        if end < 0:
            is_cut = len(self.body) - self._place < size
            raise Malformed(
                CommandStatus.ESME_RINVCMDLEN if is_cut else status,
                "the body ends too early" if is_cut else f"longer than {size - 1}",
            )
        found = self.body[self._place : end]
        self._place = end + 1
        return found.decode(_ENCODING)

    def octets(self, length: int, status: CommandStatus) -> bytes:
        """So many bytes, as they are."""
        found = self.body[self._place : self._place + length]
        if len(found) < length:
            raise Malformed(status, "longer than the body")
        self._place += length
        return found

    def parameters(self) -> dict[int, bytes]:
        """What is left."""
        return read_parameters(self.body, self._place)

    @property
    def at_end(self) -> bool:
        """Whether nothing is left."""
        return self._place >= len(self.body)

    def end(self) -> None:
        """Nothing may be left."""
        if not self.at_end:
            raise Malformed(CommandStatus.ESME_RINVCMDLEN, "the body is too long")


def _c(text: str, size: int) -> bytes:
    """A C string. Raises ValueError for one that does not fit."""
    octets = text.encode(_ENCODING)
    if len(octets) >= size or b"\0" in octets:
        raise ValueError(f"not a string of at most {size - 1} bytes")
    return octets + b"\0"


class Address(NamedTuple):
    """A number or a name, with its type of number and its numbering plan."""

    value: str
    ton: int = 0
    npi: int = 0

    @classmethod
    def read(cls, reader: Reader, size: int, status: CommandStatus) -> "Address":
        """TON, NPI, and the address itself."""
        ton, npi = reader.numbers(2)
        return cls(reader.string(size, status), ton, npi)

    def write(self, size: int) -> bytes:
        """As it is written."""
        return bytes((self.ton, self.npi)) + _c(self.value, size)


NOWHERE = Address("")


class Body(Protocol):
    """What a PDU carries."""

    def write(self) -> bytes:
        """As it is written. Raises ValueError for what no PDU can carry."""
        ...


@dataclass(frozen=True, slots=True)
class Nothing:
    """unbind, enquire_link, generic_nack, and the responses without a body."""

    @classmethod
    def read(cls, reader: Reader) -> "Nothing":
        reader.end()
        return cls()

    def write(self) -> bytes:
        return b""


@dataclass(frozen=True, slots=True)
class Bind:
    """bind_receiver, bind_transmitter, bind_transceiver."""

    system_id: str
    password: str = field(repr=False)
    system_type: str = ""
    interface_version: int = 0x34
    range: Address = NOWHERE

    @classmethod
    def read(cls, reader: Reader) -> "Bind":
        found = cls(
            reader.string(16, CommandStatus.ESME_RINVSYSID),
            reader.string(9, CommandStatus.ESME_RINVPASWD),
            reader.string(13, CommandStatus.ESME_RINVSYSTYP),
            reader.byte(),
            Address.read(reader, 41, CommandStatus.ESME_RBINDFAIL),
        )
        reader.end()
        return found

    def write(self) -> bytes:
        return (
            _c(self.system_id, 16)
            + _c(self.password, 9)
            + _c(self.system_type, 13)
            + bytes((self.interface_version,))
            + self.range.write(41)
        )


@dataclass(frozen=True, slots=True)
class Outbind:
    """outbind: a centre that asks to be bound to."""

    system_id: str
    password: str = field(repr=False)

    @classmethod
    def read(cls, reader: Reader) -> "Outbind":
        found = cls(
            reader.string(16, CommandStatus.ESME_RINVSYSID),
            reader.string(9, CommandStatus.ESME_RINVPASWD),
        )
        reader.end()
        return found

    def write(self) -> bytes:
        return _c(self.system_id, 16) + _c(self.password, 9)


@dataclass(frozen=True, slots=True)
class Named:
    """A response that names something: the system of a bind, or the id of a message. A refusal may
    come without.
    """

    SIZE: ClassVar[int] = 65

    name: str = ""
    parameters: Parameters = field(default_factory=dict)

    @classmethod
    def read(cls, reader: Reader) -> "Named":
        if reader.at_end:
            return cls()
        return cls(reader.string(cls.SIZE, CommandStatus.ESME_RINVMSGID), reader.parameters())

    def write(self) -> bytes:
        name = _c(self.name, self.SIZE)
        return name + write_parameters(self.parameters) if self.parameters else name


@dataclass(slots=True)
class ShortMessage:
    """submit_sm and deliver_sm. Not frozen: on the hot path, one is made of each PDU."""

    source: Address = NOWHERE
    destination: Address = NOWHERE
    text: bytes = b""
    service_type: str = ""
    esm_class: int = 0
    protocol_id: int = 0
    priority_flag: int = 0
    schedule_delivery_time: str = ""
    validity_period: str = ""
    registered_delivery: int = 0
    replace_if_present_flag: int = 0
    data_coding: int = 0
    sm_default_msg_id: int = 0
    parameters: Parameters = field(default_factory=dict)

    @classmethod
    def read(cls, reader: Reader) -> "ShortMessage":
        """All fields at once; one after the other where something is wrong with them, to say what."""
        found = _SHORT_MESSAGE.match(reader.body)
        if found is None:
            return cls.read_by_field(reader)
        service_type, source_type, source, type, destination, kind, schedule, validity, how = (
            found.groups()
        )
        esm_class, protocol_id, priority_flag = kind
        registered, replaces, coding, default_id, length = how
        rest = reader.body[found.end() :]
        if length > MAX_SHORT_MESSAGE or length > len(rest):
            return cls.read_by_field(reader)
        return cls(
            Address(source.decode(_ENCODING), *source_type),
            Address(destination.decode(_ENCODING), *type),
            rest[:length],
            service_type.decode(_ENCODING),
            esm_class,
            protocol_id,
            priority_flag,
            schedule.decode(_ENCODING),
            validity.decode(_ENCODING),
            registered,
            replaces,
            coding,
            default_id,
            read_parameters(rest, length),
        )

    @classmethod
    def read_by_field(cls, reader: Reader) -> "ShortMessage":
        """One field after the other."""
        service_type = reader.string(6, CommandStatus.ESME_RINVSERTYP)
        source = Address.read(reader, 21, CommandStatus.ESME_RINVSRCADR)
        destination = Address.read(reader, 21, CommandStatus.ESME_RINVDSTADR)
        esm_class, protocol_id, priority_flag = reader.numbers(3)
        schedule = reader.string(17, CommandStatus.ESME_RINVSCHED)
        validity = reader.string(17, CommandStatus.ESME_RINVEXPIRY)
        registered, replaces, coding, default_id = reader.numbers(4)
        text = _short_message(reader)
        return cls(
            source,
            destination,
            text,
            service_type,
            esm_class,
            protocol_id,
            priority_flag,
            schedule,
            validity,
            registered,
            replaces,
            coding,
            default_id,
            reader.parameters(),
        )

    def write(self) -> bytes:
        return b"".join(
            (
                _c(self.service_type, 6),
                self.source.write(21),
                self.destination.write(21),
                bytes((self.esm_class, self.protocol_id, self.priority_flag)),
                _c(self.schedule_delivery_time, 17),
                _c(self.validity_period, 17),
                bytes(
                    (
                        self.registered_delivery,
                        self.replace_if_present_flag,
                        self.data_coding,
                        self.sm_default_msg_id,
                    )
                ),
                _written_short_message(self.text),
                write_parameters(self.parameters),
            )
        )


@dataclass(frozen=True, slots=True)
class DataSm:
    """data_sm: a message whose text is a parameter."""

    source: Address = NOWHERE
    destination: Address = NOWHERE
    service_type: str = ""
    esm_class: int = 0
    registered_delivery: int = 0
    data_coding: int = 0
    parameters: Parameters = field(default_factory=dict)

    @classmethod
    def read(cls, reader: Reader) -> "DataSm":
        service_type = reader.string(6, CommandStatus.ESME_RINVSERTYP)
        source = Address.read(reader, 65, CommandStatus.ESME_RINVSRCADR)
        destination = Address.read(reader, 65, CommandStatus.ESME_RINVDSTADR)
        esm_class, registered, coding = reader.numbers(3)
        return cls(
            source,
            destination,
            service_type,
            esm_class,
            registered,
            coding,
            reader.parameters(),
        )

    def write(self) -> bytes:
        return (
            _c(self.service_type, 6)
            + self.source.write(65)
            + self.destination.write(65)
            + bytes((self.esm_class, self.registered_delivery, self.data_coding))
            + write_parameters(self.parameters)
        )


@dataclass(frozen=True, slots=True)
class QuerySm:
    """query_sm: what became of a message?"""

    message_id: str
    source: Address = NOWHERE

    @classmethod
    def read(cls, reader: Reader) -> "QuerySm":
        found = cls(
            reader.string(65, CommandStatus.ESME_RINVMSGID),
            Address.read(reader, 21, CommandStatus.ESME_RINVSRCADR),
        )
        reader.end()
        return found

    def write(self) -> bytes:
        return _c(self.message_id, 65) + self.source.write(21)


@dataclass(frozen=True, slots=True)
class QuerySmResp:
    """query_sm_resp. `final_date`: empty while the message is under way."""

    message_id: str = ""
    final_date: str = ""
    message_state: int = 0
    error_code: int = 0

    @classmethod
    def read(cls, reader: Reader) -> "QuerySmResp":
        if reader.at_end:
            return cls()
        found = cls(
            reader.string(65, CommandStatus.ESME_RINVMSGID),
            reader.string(17, CommandStatus.ESME_RQUERYFAIL),
            reader.byte(),
            reader.byte(),
        )
        reader.end()
        return found

    def write(self) -> bytes:
        return (
            _c(self.message_id, 65)
            + _c(self.final_date, 17)
            + bytes((self.message_state, self.error_code))
        )


@dataclass(frozen=True, slots=True)
class CancelSm:
    """cancel_sm: by the id of a message, or all of a source to a destination."""

    message_id: str
    source: Address = NOWHERE
    destination: Address = NOWHERE
    service_type: str = ""

    @classmethod
    def read(cls, reader: Reader) -> "CancelSm":
        service_type = reader.string(6, CommandStatus.ESME_RINVSERTYP)
        message_id = reader.string(65, CommandStatus.ESME_RINVMSGID)
        source = Address.read(reader, 21, CommandStatus.ESME_RINVSRCADR)
        destination = Address.read(reader, 21, CommandStatus.ESME_RINVDSTADR)
        reader.end()
        return cls(message_id, source, destination, service_type)

    def write(self) -> bytes:
        return (
            _c(self.service_type, 6)
            + _c(self.message_id, 65)
            + self.source.write(21)
            + self.destination.write(21)
        )


@dataclass(frozen=True, slots=True)
class ReplaceSm:
    """replace_sm: another text, or another time, of a message that has not left."""

    message_id: str
    source: Address = NOWHERE
    schedule_delivery_time: str = ""
    validity_period: str = ""
    registered_delivery: int = 0
    sm_default_msg_id: int = 0
    text: bytes = b""

    @classmethod
    def read(cls, reader: Reader) -> "ReplaceSm":
        found = cls(
            reader.string(65, CommandStatus.ESME_RINVMSGID),
            Address.read(reader, 21, CommandStatus.ESME_RINVSRCADR),
            reader.string(17, CommandStatus.ESME_RINVSCHED),
            reader.string(17, CommandStatus.ESME_RINVEXPIRY),
            reader.byte(),
            reader.byte(),
            _short_message(reader),
        )
        reader.end()
        return found

    def write(self) -> bytes:
        return (
            _c(self.message_id, 65)
            + self.source.write(21)
            + _c(self.schedule_delivery_time, 17)
            + _c(self.validity_period, 17)
            + bytes((self.registered_delivery, self.sm_default_msg_id))
            + _written_short_message(self.text)
        )


@dataclass(frozen=True, slots=True)
class AlertNotification:
    """alert_notification: a phone is reachable again."""

    source: Address
    esme: Address
    parameters: Parameters = field(default_factory=dict)

    @classmethod
    def read(cls, reader: Reader) -> "AlertNotification":
        source = Address.read(reader, 65, CommandStatus.ESME_RINVSRCADR)
        esme = Address.read(reader, 65, CommandStatus.ESME_RINVDSTADR)
        return cls(source, esme, reader.parameters())

    def write(self) -> bytes:
        return self.source.write(65) + self.esme.write(65) + write_parameters(self.parameters)


_SHORT_MESSAGE = re.compile(
    rb"([^\0]{0,5})\0"  # service_type
    rb"(..)([^\0]{0,20})\0(..)([^\0]{0,20})\0"  # source and destination, each with its TON and NPI
    rb"(...)([^\0]{0,16})\0([^\0]{0,16})\0"  # esm_class to priority_flag; the two times
    rb"(.....)",  # registered_delivery to sm_length
    re.DOTALL,
)


def _short_message(reader: Reader) -> bytes:
    length = reader.byte()
    if length > MAX_SHORT_MESSAGE:
        raise Malformed(CommandStatus.ESME_RINVMSGLEN, f"sm_length {length}")
    return reader.octets(length, CommandStatus.ESME_RINVMSGLEN)


def _written_short_message(text: bytes) -> bytes:
    if len(text) > MAX_SHORT_MESSAGE:
        raise ValueError(f"more than {MAX_SHORT_MESSAGE} bytes")
    return bytes((len(text),)) + text


AnyBody: TypeAlias = (
    Nothing
    | Bind
    | Outbind
    | Named
    | ShortMessage
    | DataSm
    | QuerySm
    | QuerySmResp
    | CancelSm
    | ReplaceSm
    | AlertNotification
)

_READ: Mapping[int, Callable[[Reader], AnyBody]] = {
    Command.BIND_RECEIVER: Bind.read,
    Command.BIND_TRANSMITTER: Bind.read,
    Command.BIND_TRANSCEIVER: Bind.read,
    Command.BIND_RECEIVER_RESP: Named.read,
    Command.BIND_TRANSMITTER_RESP: Named.read,
    Command.BIND_TRANSCEIVER_RESP: Named.read,
    Command.OUTBIND: Outbind.read,
    Command.UNBIND: Nothing.read,
    Command.UNBIND_RESP: Nothing.read,
    Command.ENQUIRE_LINK: Nothing.read,
    Command.ENQUIRE_LINK_RESP: Nothing.read,
    Command.GENERIC_NACK: Nothing.read,
    Command.SUBMIT_SM: ShortMessage.read,
    Command.SUBMIT_SM_RESP: Named.read,
    Command.DELIVER_SM: ShortMessage.read,
    Command.DELIVER_SM_RESP: Named.read,
    Command.DATA_SM: DataSm.read,
    Command.DATA_SM_RESP: Named.read,
    Command.QUERY_SM: QuerySm.read,
    Command.QUERY_SM_RESP: QuerySmResp.read,
    Command.CANCEL_SM: CancelSm.read,
    Command.CANCEL_SM_RESP: Nothing.read,
    Command.REPLACE_SM: ReplaceSm.read,
    Command.REPLACE_SM_RESP: Nothing.read,
    Command.ALERT_NOTIFICATION: AlertNotification.read,
}


def read_body(command: int, body: bytes) -> AnyBody:
    """What a PDU of this command carries. Raises Malformed; ESME_RINVCMDID for a command that is
    not spoken here (submit_multi, those of later versions, and whatever else has a number).
    """
    read = _READ.get(command)
    if read is None:
        raise Malformed(CommandStatus.ESME_RINVCMDID, f"command_id 0x{command:08X}")
    return read(Reader(body))
