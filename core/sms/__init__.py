"""Text messages: accepted at once, delivered later, priced per segment."""

from core.messages import receive_receipts
from core.sms.apply_receipts import apply_receipts
from core.sms.encoding import Encoded, encode_sms
from core.sms.inputs import NewSms, SmsFilter
from core.sms.look_up import BATCH as FORGOTTEN_BATCH
from core.sms.look_up import settle_forgotten
from core.sms.parked import BATCH as PARKED_BATCH
from core.sms.parked import try_parked
from core.sms.preview import SmsDraft, preview_message
from core.sms.queries import get_message, list_messages, list_messages_json
from core.sms.replies import (
    ReplyFilter,
    SandboxReply,
    get_reply,
    list_replies,
    receive_replies,
    reply_in_sandbox,
)
from core.sms.report import BATCH as REPORT_BATCH
from core.sms.report import apply_due_reports
from core.sms.send import send_message

__all__ = [
    "FORGOTTEN_BATCH",
    "PARKED_BATCH",
    "REPORT_BATCH",
    "Encoded",
    "NewSms",
    "ReplyFilter",
    "SandboxReply",
    "SmsDraft",
    "SmsFilter",
    "apply_due_reports",
    "apply_receipts",
    "encode_sms",
    "get_message",
    "get_reply",
    "list_messages",
    "list_messages_json",
    "list_replies",
    "preview_message",
    "receive_receipts",
    "receive_replies",
    "reply_in_sandbox",
    "send_message",
    "settle_forgotten",
    "try_parked",
]
