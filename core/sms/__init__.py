"""SMS: accepted at once, delivered later, priced per segment."""

from core.messaging import receive_reports
from core.sms.amazon import (
    AmazonEvents,
    AmazonLogs,
    CostFilter,
    GroupBy,
    apply_told,
    provider_costs,
)
from core.sms.delivery_reports.apply import apply_delivery_reports
from core.sms.delivery_reports.sandbox import apply_due_reports
from core.sms.delivery_reports.unmatched import retry_unmatched
from core.sms.encoding import Encoded, SmsEncoding, encode_sms, gsm_alphabet
from core.sms.inputs import NewSms, SmsFilter, SmsRegion, SmsRoute, SmsStatus
from core.sms.package import PACKAGE
from core.sms.preview import SmsDraft, preview_message
from core.sms.queries import cancel_message, get_message, list_messages
from core.sms.queue.accept import (
    QueuedSms,
    queue_messages,
    queued_sms,
)
from core.sms.queue.dispatcher import SmsDispatcher
from core.sms.queue.replace import SmsReplacement, replace_message
from core.sms.reconcile import reconcile
from core.sms.record import (
    CarrierChannel,
    ProviderName,
    ProviderReceipt,
    ReceiptType,
    SentSms,
    SmsFailureReason,
    SmsPage,
    SmsPreview,
    SmsRecord,
    SmsReplyPage,
    SmsReplyRecord,
)
from core.sms.renew_texts import renew_texts
from core.sms.replies import (
    ReplyFilter,
    SandboxReply,
    get_reply,
    list_replies,
    receive_replies,
    reply_in_sandbox,
)
from core.sms.send import send_message

__all__ = [
    "PACKAGE",
    "AmazonEvents",
    "AmazonLogs",
    "CarrierChannel",
    "CostFilter",
    "Encoded",
    "GroupBy",
    "NewSms",
    "ProviderName",
    "ProviderReceipt",
    "QueuedSms",
    "ReceiptType",
    "ReplyFilter",
    "SandboxReply",
    "SentSms",
    "SmsDispatcher",
    "SmsDraft",
    "SmsEncoding",
    "SmsFailureReason",
    "SmsFilter",
    "SmsPage",
    "SmsPreview",
    "SmsRecord",
    "SmsRegion",
    "SmsReplacement",
    "SmsReplyPage",
    "SmsReplyRecord",
    "SmsRoute",
    "SmsStatus",
    "apply_delivery_reports",
    "apply_due_reports",
    "apply_told",
    "cancel_message",
    "encode_sms",
    "get_message",
    "get_reply",
    "gsm_alphabet",
    "list_messages",
    "list_replies",
    "preview_message",
    "provider_costs",
    "queue_messages",
    "queued_sms",
    "receive_replies",
    "receive_reports",
    "reconcile",
    "renew_texts",
    "replace_message",
    "reply_in_sandbox",
    "retry_unmatched",
    "send_message",
]
