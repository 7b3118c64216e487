"""Reading callbacks about e-mails: a mail server's report, or the same as JSON."""

from datetime import datetime
from typing import Annotated, Literal

import orjson
from pydantic import ConfigDict, Field, StringConstraints

from core.foundation.errors import BadRequest, FieldError, ValidationFailed
from core.foundation.validation.inputs import Input, UtcTime, read_body
from core.providers.email import Feedback
from core.providers.smtp.reports import read_report

MAX_ITEMS = 500
SIGNATURE_HEADER = "X-Smtp-Signature"
"""As the gateway's: `t=<unix>,v2=<hex>` over time, method and path, and raw body."""

JSON = "application/json"


class FeedbackItem(Input):
    """One e-mail and what became of it, for relays that call back in a format of their own."""

    model_config = ConfigDict(extra="ignore")

    id: Annotated[str, StringConstraints(pattern=r"^msg_[0-9A-Za-z]{21}$")]
    status: Literal["delivered", "bounced", "complained"]
    reason: (
        Literal["invalid_address", "mailbox_full", "content_rejected", "provider_error"] | None
    ) = None
    at: UtcTime | None = None


class FeedbackItems(Input):
    """Several at once."""

    model_config = ConfigDict(extra="ignore")

    items: Annotated[list[FeedbackItem], Field(min_length=1, max_length=MAX_ITEMS)]


def read_feedback(raw: bytes, media: str, *, at: datetime) -> list[Feedback]:
    """What a body reports of our e-mails. JSON where it says so, a mail server's report otherwise.

    Raises BadRequest for JSON that is none of ours; an e-mail that is no report says nothing.
    """
    if media.partition(";")[0].strip().lower() != JSON:
        return read_report(raw, at=at)
    try:
        items = _items(raw)
    except ValidationFailed as invalid:
        raise BadRequest(
            "Some items could not be read; none is stored.", errors=invalid.errors
        ) from None
    return [_feedback(item, at) for item in items]


def _items(raw: bytes) -> list[FeedbackItem]:
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError:
        raise BadRequest from None
    if not isinstance(value, dict):
        raise ValidationFailed(errors=[FieldError("pointer", "", "wrong_type", "Send an object")])
    return (
        read_body(FeedbackItems, raw).items if "items" in value else [read_body(FeedbackItem, raw)]
    )


def _feedback(item: FeedbackItem, at: datetime) -> Feedback:
    when = min(item.at or at, at)
    match item.status:
        case "bounced":
            return Feedback(item.id, "bounced", item.reason or "provider_error", when, "json")
        case "complained":
            return Feedback(item.id, "complained", "complaint", when, "json")
    return Feedback(item.id, "delivered", None, when, "json")
