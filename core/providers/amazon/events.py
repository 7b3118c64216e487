"""Reading what Amazon tells: delivery events of EUM, replies of recipients, in any of their
envelopes.

An event comes as it is, inside an SNS notification, or inside an EventBridge event; what is none of
these is nobody's business here.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation

from core.foundation.clock import wire_time
from core.foundation.ids import is_id
from core.foundation.json_values import JsonObject, read_object, text_of
from core.foundation.validation.phones import NotAPhone, parse_phone
from core.providers.contracts import DeliveryReport

MAX_TEXT = 200
WORD = re.compile(r"[!-~]+")
"""Printable ASCII without a space."""
MAX_PARTS = 100

Meaning = tuple[str | None, str | None]

MEANINGS: dict[str, Meaning] = {
    "TEXT_DELIVERED": ("delivered", None),
    "TEXT_INVALID": ("failed", "invalid_number"),
    "TEXT_INVALID_MESSAGE": ("undelivered", "carrier_rejected"),
    "TEXT_UNREACHABLE": ("undelivered", "carrier_rejected"),
    "TEXT_CARRIER_UNREACHABLE": ("undelivered", "carrier_rejected"),
    "TEXT_CARRIER_BLOCKED": ("undelivered", "carrier_rejected"),
    "TEXT_SPAM": ("undelivered", "carrier_rejected"),
    "TEXT_PROTECT_BLOCKED": ("undelivered", "carrier_rejected"),
    "TEXT_BLOCKED": ("failed", "blacklisted"),
    "TEXT_TTL_EXPIRED": ("failed", "expired"),
    "TEXT_UNKNOWN": ("failed", "indeterminate"),
}
"""Status and reason of an event; the others (TEXT_QUEUED, TEXT_SENT, TEXT_PENDING) prove acceptance
and move nothing.
"""

SUCCESSFUL = "TEXT_SUCCESSFUL"
"""Delivered where it is final; before, the carrier has it."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What Amazon asks for a message, in US dollars."""

    amount: Decimal
    fee: Decimal
    parts: int
    country: str | None
    carrier: str | None


@dataclass(frozen=True, slots=True)
class MessageEvent:
    """Amazon's word on one message of ours. `organization_id`: as the message carried it."""

    organization_id: str
    report: DeliveryReport
    cost: Cost | None


@dataclass(frozen=True, slots=True)
class Reply:
    """A recipient's answer, by the provider's id of the message that it answers; None: of none."""

    provider_id: str
    reference: str | None
    sender: str
    body: str
    received_at: datetime


def read_told(
    text: str, *, arrived: datetime, configuration_set: str | None
) -> MessageEvent | Reply | None:
    """What a notification says to us; None where it is not for us, or unreadable."""
    body, published = _inside(text)
    if "eventType" in body:
        return _event(body, arrived, configuration_set)
    if "inboundMessageId" in body:
        return _reply(body, _time(published, arrived))
    return None


def _inside(text: str) -> tuple[Mapping[str, object], object]:
    """The object inside its envelopes, and when it was published."""
    body = read_object(text)
    published = body.get("Timestamp")
    if body.get("Type") == "Notification":
        body = read_object(text_of(body, "Message"))
    if isinstance(detail := body.get("detail"), dict):
        body = detail
    return body, published


def _event(
    body: Mapping[str, object], arrived: datetime, configuration_set: str | None
) -> MessageEvent | None:
    context = body.get("context")
    message_id, organization_id = text_of(context, "svc") or "", text_of(context, "org")
    reference = _word(body.get("messageId"), 80)
    if not is_id("msg", message_id) or organization_id is None or reference is None:
        return None
    kind = str(body.get("eventType"))
    status, reason = meaning_of(kind, final=body.get("isFinal") is True)
    at = _epoch(body.get("eventTimestamp"), arrived)
    receipt: JsonObject = {
        "id": reference,
        "type": "api_message",
        "to": str(body.get("destinationPhoneNumber") or "")[:20],
        "reference": message_id,
        "status": _word(body.get("messageStatus"), 40) or kind.removeprefix("TEXT_")[:40],
        "statusDescription": str(body.get("messageStatusDescription") or kind)[:500],
        "received": wire_time(at),
        "channel": "SMS",
    }
    if (parts := _parts(body)) is not None:
        receipt["bill_factor"] = parts
    if configuration_set is not None:
        receipt["account_reference"] = configuration_set
    report = DeliveryReport(message_id, reference, status, reason, at, receipt)  # type: ignore[arg-type]
    return MessageEvent(organization_id, report, _cost(body))


def meaning_of(kind: str, *, final: bool) -> Meaning:
    """Status and reason of an event type; (None, None) moves nothing."""
    if kind == SUCCESSFUL:
        return ("delivered", None) if final else (None, None)
    return MEANINGS.get(kind, (None, None))


def _cost(body: Mapping[str, object]) -> Cost | None:
    amount, fee = dollars(body.get("totalMessagePrice")), dollars(body.get("totalCarrierFee"))
    parts = _parts(body)
    if amount is None or parts is None:
        return None
    return Cost(
        amount,
        fee or Decimal(0),
        parts,
        _word(body.get("isoCountryCode"), 2),
        str(body["carrierName"])[:60] if body.get("carrierName") else None,
    )


def dollars(value: object) -> Decimal | None:
    """A price as Amazon writes it: a number, never below nothing, with five digits."""
    try:
        found = Decimal(str(value))
    except InvalidOperation:
        return None
    if not found.is_finite() or not 0 <= found < 10_000:
        return None
    return found.quantize(Decimal("0.00001"))


def _parts(body: Mapping[str, object]) -> int | None:
    parts = body.get("totalMessageParts")
    return parts if type(parts) is int and 0 < parts <= MAX_PARTS else None


def _reply(body: Mapping[str, object], at: datetime) -> Reply | None:
    provider_id = _word(body.get("inboundMessageId"), 80)
    text = body.get("messageBody")
    number = body.get("originationNumber")
    if provider_id is None or not isinstance(text, str) or not isinstance(number, str):
        return None
    try:
        sender = parse_phone(number if number.startswith("+") else f"+{number}")
    except NotAPhone:
        return None
    reference = _word(body.get("previousPublishedMessageId"), 80)
    return Reply(provider_id, reference, sender, text[:4000], at)


# Values of strangers ------------------------------------------------------------------------------


def _word(value: object, length: int) -> str | None:
    fits = isinstance(value, str) and len(value) <= length and WORD.fullmatch(value)
    return fits[0] if fits else None


def _epoch(value: object, arrived: datetime) -> datetime:
    """Milliseconds since 1970; the arrival where they cannot be read or lie in the future."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return arrived
    try:
        return min(datetime.fromtimestamp(value / 1000, UTC), arrived)
    except (ValueError, OverflowError, OSError):
        return arrived


def _time(value: object, arrived: datetime) -> datetime:
    try:
        said = datetime.fromisoformat(value if isinstance(value, str) else "")
        return min(said.astimezone(UTC), arrived) if said.tzinfo else arrived
    except (ValueError, OverflowError):
        return arrived
