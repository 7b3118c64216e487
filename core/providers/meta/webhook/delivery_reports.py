"""Reading delivery reports (statuses) of sent messages."""

from datetime import datetime
from typing import Literal

from core.foundation.ids import is_id
from core.foundation.json_values import JsonObject, objects_of, text_of
from core.providers.meta.errors import code_of, sentence_of
from core.providers.meta.untrusted_json import moment_of, phone_of, reference_of
from core.providers.platform import StatusReport

Step = Literal["sent", "delivered", "read", "failed"]

# A voice message that was played was read. `deleted` and `warning` move nothing.
STEPS: dict[str, Step] = {
    "sent": "sent",
    "delivered": "delivered",
    "read": "read",
    "played": "read",
    "failed": "failed",
}


def report_of(platform_id: str, status: JsonObject, arrived: datetime) -> StatusReport | None:
    """One of `statuses`; None for what is no step, or of no message."""
    step = STEPS.get(text_of(status, "status") or "")
    reference = reference_of(status, "id")
    if step is None or reference is None:
        return None
    ours = text_of(status, "biz_opaque_callback_data") or ""
    code = _first_code(status) if step == "failed" else None
    return StatusReport(
        platform_id=platform_id,
        message_id=ours if is_id("msg", ours) else None,
        reference=reference,
        status=step,
        at=moment_of(status.get("timestamp"), arrived),
        address=(phone_of(status, "recipient_id") or "").removeprefix("+") or None,
        code=code,
        error=None if step != "failed" else sentence_of(code or ""),
    )


def _first_code(status: JsonObject) -> str | None:
    return next(
        (code for error in objects_of(status, "errors") if (code := code_of(error.get("code")))),
        None,
    )
