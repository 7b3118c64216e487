"""Delivery receipts: the text that Kannel and all others read, and the parameters that say the same."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from enum import IntEnum

from smpp_api.wire.parameters import Parameters, Tag, c_text, number_of, text_of

RECEIPT = 0x04
"""The bits of esm_class by which a deliver_sm is a receipt."""
KIND = 0x3C
"""Those of esm_class that tell kinds of messages apart."""
NETWORK = 3
"""GSM, in network_error_code."""


class MessageState(IntEnum):
    """message_state; `.word` is how the text writes it."""

    ENROUTE = 1
    DELIVERED = 2
    EXPIRED = 3
    DELETED = 4
    UNDELIVERABLE = 5
    ACCEPTED = 6
    UNKNOWN = 7
    REJECTED = 8

    @property
    def word(self) -> str:
        """Seven letters."""
        return _WORDS[self]


_WORDS: Mapping[MessageState, str] = {
    MessageState.ENROUTE: "ENROUTE",
    MessageState.DELIVERED: "DELIVRD",
    MessageState.EXPIRED: "EXPIRED",
    MessageState.DELETED: "DELETED",
    MessageState.UNDELIVERABLE: "UNDELIV",
    MessageState.ACCEPTED: "ACCEPTD",
    MessageState.UNKNOWN: "UNKNOWN",
    MessageState.REJECTED: "REJECTD",
}
_STATES = {word: state for state, word in _WORDS.items()}
_BY_NUMBER = {int(state): state for state in MessageState}


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a message. `error`: three digits, 0 for none."""

    message_id: str
    state: MessageState
    error: int
    submitted: datetime
    done: datetime


def write_receipt(receipt: Receipt, *, zone: tzinfo = UTC) -> tuple[bytes, dict[int, bytes]]:
    """The text of a receipt and its parameters. Times have minutes, in the zone of who reads them."""
    delivered = 1 if receipt.state is MessageState.DELIVERED else 0
    text = (
        f"id:{receipt.message_id} sub:001 dlvrd:{delivered:03} "
        f"submit date:{receipt.submitted.astimezone(zone):%y%m%d%H%M} "
        f"done date:{receipt.done.astimezone(zone):%y%m%d%H%M} "
        f"stat:{receipt.state.word} err:{receipt.error:03} text:"
    )
    return text.encode("ascii"), {
        Tag.RECEIPTED_MESSAGE_ID: c_text(receipt.message_id),
        Tag.MESSAGE_STATE: bytes((receipt.state,)),
        Tag.NETWORK_ERROR_CODE: bytes((NETWORK,)) + receipt.error.to_bytes(2),
    }


@dataclass(frozen=True, slots=True)
class ToldReceipt:
    """A receipt of a centre, as far as it can be read. `done`: None where it is none, or unreadable."""

    message_id: str
    state: MessageState
    error: str | None
    done: datetime | None


_ID = re.compile(r"\bid:\s{0,4}([\x21-\x7e]{1,64})", re.ASCII | re.IGNORECASE)
_STAT = re.compile(r"\bstat:\s{0,4}([A-Za-z]{2,12})", re.ASCII | re.IGNORECASE)
_ERR = re.compile(r"\berr:\s{0,4}([0-9A-Za-z]{1,8})", re.ASCII | re.IGNORECASE)
_DONE = re.compile(
    r"\bdone date:\s{0,4}([0-9]{10}(?:[0-9]{2})?)(?![0-9])", re.ASCII | re.IGNORECASE
)


def read_receipt(text: bytes, parameters: Parameters, *, zone: tzinfo = UTC) -> ToldReceipt | None:
    """A receipt, by its parameters where it has them, else by its text; None where it does not say of
    which message, or what became of it. Raises Malformed for a parameter that is none.
    """
    said = text.decode("latin-1").partition("text:")[0]
    message_id = text_of(parameters, Tag.RECEIPTED_MESSAGE_ID, longest=64)
    message_id = message_id or _first(_ID.search(said))
    word = _first(_STAT.search(said)) or ""
    number = number_of(parameters, Tag.MESSAGE_STATE, 1) or 0
    state = _BY_NUMBER.get(number) or state_of_word(word)
    if message_id is None or state is None:
        return None
    done = _time(_first(_DONE.search(said)), zone)
    return ToldReceipt(message_id, state, _first(_ERR.search(said)), done)


def state_of_word(word: str) -> MessageState | None:
    """The state that a receipt's text names."""
    return _STATES.get(word.upper()[:7])


def _first(found: re.Match[str] | None) -> str | None:
    return found[1] if found else None


def _time(text: str | None, zone: tzinfo) -> datetime | None:
    if text is None:
        return None
    try:
        form = "%y%m%d%H%M%S" if len(text) == 12 else "%y%m%d%H%M"
        return datetime.strptime(text, form).replace(tzinfo=zone).astimezone(UTC)
    except ValueError:
        return None
