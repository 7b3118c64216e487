"""What an operator delivers: receipts and replies, read and kept before they are acknowledged."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby, takewhile

import structlog

from core.foundation.clock import real_now
from core.foundation.database.availability import is_outage
from core.foundation.observability.outage_log import tell_outage
from core.smpp import Part, PartsOf, TakenPart, take_part
from core.smpp.link import ReportKind, ToldByOperator, keep_report, organization_of
from smpp_api.link.links_file import IdFormat, LinkSettings
from smpp_api.metrics import LINK_REPORTS
from smpp_api.submit import phone_of
from smpp_api.wire.bodies import DataSm, ShortMessage
from smpp_api.wire.commands import CommandStatus, Malformed
from smpp_api.wire.parameters import Tag, number_of
from smpp_api.wire.parts import Place, content_of
from smpp_api.wire.receipts import (
    KIND,
    RECEIPT,
    MessageState,
    ToldReceipt,
    read_receipt,
    state_of_word,
)
from smpp_api.wire.texts import read_text

INTERMEDIATE = frozenset({MessageState.ENROUTE, MessageState.ACCEPTED})
STATES = {
    MessageState.DELIVERED: "DELIVRD",
    MessageState.EXPIRED: "EXPIRED",
    MessageState.DELETED: "UNDELIV",
    MessageState.UNDELIVERABLE: "UNDELIV",
    MessageState.UNKNOWN: "UNKNOWN",
    MessageState.REJECTED: "REJECTD",
}
MAX_RECEIPT_TEXT = 1_000
MAX_REPLY_TEXT = 4_000

log = structlog.get_logger()


class Incoming:
    """What the operator of one link delivers."""

    def __init__(self, settings: LinkSettings) -> None:
        self._settings = settings

    async def keep(self, message: ShortMessage | DataSm) -> CommandStatus:
        """Keep it: ESME_ROK once it is written, ESME_RX_T_APPN where that is not possible now.
        Raises Malformed.
        """
        is_receipt = message.esm_class & KIND == RECEIPT
        try:
            told = self._receipt(message) if is_receipt else await self._reply(message)
            if told is not None:
                await keep_report(told)
                LINK_REPORTS.labels(told.kind).add()
        except Malformed:
            raise
        except Exception as error:
            if is_outage(error):
                tell_outage("database_away", error)
            else:
                log.exception("smpp_link_report_not_kept", link=self._settings.name)
            return CommandStatus.ESME_RX_T_APPN
        return CommandStatus.ESME_ROK

    def _receipt(self, message: ShortMessage | DataSm) -> ToldByOperator | None:
        """None for one that says nothing that counts: that a message is on its way, or nothing
        readable.
        """
        octets = content_of(message).octets
        read = self._read_own(octets) or read_receipt(
            octets[:MAX_RECEIPT_TEXT], message.parameters, zone=self._settings.zone
        )
        if read is None:
            log.warning("smpp_link_receipt_unreadable", link=self._settings.name)
            return None
        if read.state in INTERMEDIATE:
            return None
        return ToldByOperator(
            ReportKind.RECEIPT,
            self._settings.name,
            phone_of(message.source),
            not_ahead(read.done),
            compared(read.message_id, self._settings.receipt_ids),
            number_of(message.parameters, Tag.USER_MESSAGE_REFERENCE, 2),
            STATES[read.state],
        )

    def _read_own(self, octets: bytes) -> ToldReceipt | None:
        """As this operator writes it, where that is not as everybody does."""
        if self._settings.receipt_id_after is None:
            return None
        text = octets[:MAX_RECEIPT_TEXT].decode("latin-1")
        id = _word_after(self._settings.receipt_id_after, text)
        state = state_of_word(_word_after(self._settings.receipt_state_after, text))
        return ToldReceipt(id[:64], state, None, None) if id and state else None

    async def _reply(self, message: ShortMessage | DataSm) -> ToldByOperator | None:
        """A reply that is whole, or the whole by its last part; None while others are waited for."""
        content = content_of(message)
        pieces: Sequence[tuple[bytes, int]] = [(content.octets, message.data_coding)]
        if content.place is not None:
            taken = await self._take_part(message, content.octets, content.place)
            if taken is None or taken.pieces is None:
                return None
            pieces = taken.pieces
        text = "".join(self._read(b"".join(found), coding) for coding, found in _runs(pieces))
        return ToldByOperator(
            ReportKind.REPLY,
            self._settings.name,
            phone_of(message.source),
            real_now(),
            text=text[:MAX_REPLY_TEXT],
        )

    async def _take_part(
        self, message: ShortMessage | DataSm, octets: bytes, place: Place
    ) -> TakenPart | None:
        """None where nobody is there to be told of it."""
        phone = phone_of(message.source)
        organization = await organization_of(phone)
        if organization is None:
            return None
        part = Part(phone[:20], message.destination.value[:20], *place, message.data_coding, octets)
        return await take_part(PartsOf(f"link {self._settings.name}", organization, "live"), part)

    def _read(self, octets: bytes, coding: int) -> str:
        try:
            return read_text(octets, coding, self._settings.charset)
        except Malformed:
            return octets.decode("latin-1")


def _runs(pieces: Sequence[tuple[bytes, int]]) -> Iterator[tuple[int, list[bytes]]]:
    """Neighbours of one coding: a character may be cut by parts."""
    for coding, run in groupby(pieces, key=lambda piece: piece[1]):
        yield coding, [octets for octets, _ in run]


def _word_after(mark: str, text: str) -> str:
    """The letters, digits and dashes that follow a mark; none where it is not there."""
    return "".join(takewhile(lambda char: char.isalnum() or char in "-_.", text.partition(mark)[2]))


def compared(id: str, form: IdFormat) -> str:
    """An id of an operator as it is compared: a number is the same in decimal and in hexadecimal,
    with leading zeros and without; letters are the same in any case.
    """
    try:
        match form:
            case "dec":
                return str(int(id, 10))
            case "hex":
                return str(int(id, 16))
    except ValueError:
        pass
    return id.lower()


def not_ahead(done: datetime | None) -> datetime:
    """When a message has ended, as its operator says, at the latest now."""
    at = real_now()
    return at if done is None else min(done, at)
