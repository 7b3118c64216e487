"""Text messages: accepted at once, delivered later, priced per segment."""

from core.sms.encoding import Encoded, encode_sms
from core.sms.inputs import NewSms, SmsFilter
from core.sms.queries import get_message, list_messages
from core.sms.report import BATCH as REPORT_BATCH
from core.sms.report import apply_due_reports
from core.sms.send import send_message

__all__ = [
    "REPORT_BATCH",
    "Encoded",
    "NewSms",
    "SmsFilter",
    "apply_due_reports",
    "encode_sms",
    "get_message",
    "list_messages",
    "send_message",
]
