"""A message of the service as the PDUs that an operator is handed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.smpp.link import reference_of
from smpp_api.link.links_file import LinkSettings
from smpp_api.wire.bodies import Address, ShortMessage
from smpp_api.wire.parameters import Tag
from smpp_api.wire.parts import HAS_HEADER, cut
from smpp_api.wire.texts import write_text

HEADER_OCTETS = 6
SHORT_DIGITS = 6
"""Up to so many digits are a short code."""


@dataclass(frozen=True, slots=True)
class OutgoingSms:
    """What the service asks to be sent."""

    id: str
    organization_id: str
    to: str
    text: str
    route: str
    sender_id: str | None

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> "OutgoingSms | None":
        """None where it is no message of the protocol."""
        names = ("id", "organizationId", "to", "text", "route")
        texts = [body.get(name) for name in names]
        sender = body.get("senderId")
        if not all(isinstance(text, str) and text for text in texts):
            return None
        if sender is not None and not isinstance(sender, str):
            return None
        id, organization_id, to, text, route = map(str, texts)
        return cls(id, organization_id, to, text, route, sender)


def parts_for(message: OutgoingSms, settings: LinkSettings) -> Sequence[ShortMessage]:
    """The submits of a message, in their order. Raises ValueError for what no PDU can carry."""
    octets, coding = write_text(message.text, settings.charset)
    whole = ShortMessage(
        source_of(message.sender_id or settings.source, settings),
        Address(message.to.removeprefix("+"), *settings.international),
        octets,
        service_type=settings.service_types.get(message.route, ""),
        registered_delivery=1,
        data_coding=coding,
    )
    pieces = cut(octets, coding, reference=reference_of(message.id, 0))
    if len(pieces) == 1:
        return [_numbered(whole, message.id, 1)]
    if settings.long_texts == "payload":
        payload = replace(whole, text=b"", parameters={Tag.MESSAGE_PAYLOAD: octets})
        return [_numbered(payload, message.id, 1)]
    if settings.long_texts == "udh":
        return [
            _numbered(replace(whole, text=piece, esm_class=HAS_HEADER), message.id, number)
            for number, piece in enumerate(pieces, 1)
        ]
    return [
        _numbered(
            replace(
                whole,
                text=piece[HEADER_OCTETS:],
                parameters={
                    Tag.SAR_MSG_REF_NUM: reference_of(message.id, 0).to_bytes(2),
                    Tag.SAR_TOTAL_SEGMENTS: bytes((len(pieces),)),
                    Tag.SAR_SEGMENT_SEQNUM: bytes((number,)),
                },
            ),
            message.id,
            number,
        )
        for number, piece in enumerate(pieces, 1)
    ]


def _numbered(message: ShortMessage, id: str, number: int) -> ShortMessage:
    """With the reference by which its receipt finds it, should its answer be lost."""
    reference = reference_of(id, number).to_bytes(2)
    return replace(
        message, parameters={**message.parameters, Tag.USER_MESSAGE_REFERENCE: reference}
    )


def source_of(sender: str, settings: LinkSettings) -> Address:
    """The sender with the TON and NPI of its kind; an empty one has neither."""
    digits = sender.removeprefix("+")
    if not sender:
        return Address("")
    if not digits.isdigit():
        return Address(sender, *settings.alphanumeric)
    return Address(
        digits, *(settings.short if len(digits) <= SHORT_DIGITS else settings.international)
    )
