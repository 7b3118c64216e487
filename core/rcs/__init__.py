"""Rich messages: a text or a card, priced per message, with an SMS that may stand in for them."""

from core.rcs.apply_receipts import apply_receipts
from core.rcs.inputs import NewRcs, NewRcsCard, NewRcsContent, RcsFallback, RcsFilter
from core.rcs.look_up import BATCH as FORGOTTEN_BATCH
from core.rcs.look_up import settle_forgotten
from core.rcs.queries import get_message, list_messages
from core.rcs.report import BATCH as REPORT_BATCH
from core.rcs.report import apply_due_reports
from core.rcs.send import send_message

__all__ = [
    "FORGOTTEN_BATCH",
    "REPORT_BATCH",
    "NewRcs",
    "NewRcsCard",
    "NewRcsContent",
    "RcsFallback",
    "RcsFilter",
    "apply_due_reports",
    "apply_receipts",
    "get_message",
    "list_messages",
    "send_message",
    "settle_forgotten",
]
