"""Reading the gateway's callbacks: delivery reports and replies, one or up to 500 in a body.

One unreadable item must not keep the others from their messages, so a batch is read as far as it
goes.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Generic, TypeVar

import orjson

from core.foundation.clock import wire_time
from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.ids import is_id
from core.foundation.validation.inputs import read_body
from core.foundation.validation.json_field import is_deeper
from core.foundation.validation.json_syntax import not_json
from core.providers.contracts import FALLBACK, DeliveryReport, InboundReply
from core.providers.gateway.callback_inputs import CallbackItem, ReceiptItem, ReplyItem
from core.providers.gateway.states import meaning_of

MAX_ITEMS = 500

Item = TypeVar("Item", bound=CallbackItem)
Word = TypeVar("Word", DeliveryReport, InboundReply)


@dataclass(frozen=True, slots=True)
class Callback(Generic[Word]):
    """The readable items in their order, and what is wrong with the others.

    Store `items` first and answer with `errors` afterwards: the gateway may then send the whole
    body again.
    """

    items: tuple[Word, ...]
    errors: tuple[FieldError, ...]


def read_receipts(raw: bytes, *, at: datetime) -> Callback[DeliveryReport]:
    """The receipts in a verified body that arrived at `at`.

    Raises BadRequest when it is not JSON, and ValidationFailed when it is neither an object nor a
    batch.
    """
    return _read(ReceiptItem, raw, lambda item: _receipt(item, at))


def read_replies(raw: bytes, *, at: datetime) -> Callback[InboundReply]:
    """The replies in a verified body that arrived at `at`; raises as `read_receipts` does."""
    return _read(ReplyItem, raw, lambda item: _reply(item, at))


def _read(model: type[Item], raw: bytes, word_of: Callable[[Item], Word]) -> Callback[Word]:
    words: list[Word] = []
    errors: list[FieldError] = []
    for place, value in _items(raw):
        try:
            words.append(word_of(_item(model, value)))
        except ValidationFailed as invalid:
            errors += [replace(error, where=place + error.where) for error in invalid.errors]
    return Callback(tuple(words), tuple(errors))


def _item(model: type[Item], value: object) -> Item:
    if is_deeper(value):
        raise ValidationFailed(
            errors=[FieldError("pointer", "", "not_allowed", "The item is nested too deep")]
        )
    return read_body(model, orjson.dumps(value))


def _items(raw: bytes) -> list[tuple[str, object]]:
    """Every item with the JSON pointer to it."""
    try:
        body = orjson.loads(raw)
    except orjson.JSONDecodeError:
        raise not_json(raw) from None
    if not isinstance(body, dict) or "items" not in body:
        return [("", body)]
    items = body["items"]
    if not isinstance(items, list):
        raise _wrong("wrong_type", "Send the items as a list")
    if len(items) > MAX_ITEMS:
        raise _wrong("too_many", f"Send at most {MAX_ITEMS} items at once")
    return [(f"/items/{place}", item) for place, item in enumerate(items)]


def _wrong(code: str, message: str) -> ValidationFailed:
    return ValidationFailed(errors=[FieldError("pointer", "/items", code, message)])


def _receipt(item: ReceiptItem, arrived: datetime) -> DeliveryReport:
    status, reason = meaning_of(item.status, item.reason)
    message_id, reference = _ids(item.reference, item.id)
    of_fallback = message_id is not None and message_id.endswith(FALLBACK)
    shown = item.model_dump(by_alias=True, exclude_unset=True, exclude={"reason"})
    # Only `channel` may be null in the interface; elsewhere null is how some systems write absent.
    receipt = {
        name: value for name, value in shown.items() if value is not None or name == "channel"
    }
    receipt.setdefault("received", wire_time(arrived))
    return DeliveryReport(
        message_id and message_id.removesuffix(FALLBACK),
        reference,
        status,
        reason,
        _moment(item.received, arrived),
        receipt,
        of_fallback,
    )


def _reply(item: ReplyItem, arrived: datetime) -> InboundReply:
    message_id, reference = _ids(item.in_reply_to, item.reference)
    message_id = message_id and message_id.removesuffix(FALLBACK)
    return InboundReply(
        item.id, message_id, reference, item.from_, item.body, _moment(item.received_at, arrived)
    )


def _ids(*given: str | None) -> tuple[str | None, str | None]:
    """Our id and the gateway's among those given, told apart by their form; the first of each kind.

    A receipt has `id` and `reference`, and carriers disagree on which of them is whose.
    """
    present = [id for id in given if id is not None]
    ours = next((id for id in present if _is_ours(id)), None)
    return ours, next((id for id in present if not _is_ours(id)), None)


def _is_ours(id: str) -> bool:
    return is_id("msg", id.removesuffix(FALLBACK))


def _moment(text: str | None, arrived: datetime) -> datetime:
    """The gateway's time in UTC (also when it names no zone); its arrival if unreadable or in the
    future.
    """
    try:
        said = datetime.fromisoformat(text or "")
        said = said.replace(tzinfo=UTC) if said.tzinfo is None else said.astimezone(UTC)
    except (ValueError, OverflowError):
        return arrived
    return min(said, arrived)
