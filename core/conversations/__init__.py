"""The conversational channel: sending, receiving, and what is waiting in between."""

from core.conversations.archive import archive_message, archive_old
from core.conversations.batches import (
    NewBulk,
    Recipient,
    Resend,
    ResendFilter,
    cancel_batch,
    get_batch,
    send_bulk,
)
from core.conversations.campaigns import complete_campaigns
from core.conversations.cancel import cancel_message
from core.conversations.dispatcher import Dispatcher
from core.conversations.draft import Draft, TakenIn
from core.conversations.errors import NoLongerCancelable
from core.conversations.forget import drop_waiting
from core.conversations.inputs import ForcedMessage, MessageFilter, NewMessage
from core.conversations.intake import take_in
from core.conversations.queries import get_message, list_messages
from core.conversations.record import message_record
from core.conversations.resend import resend_messages
from core.conversations.sandbox import BATCH as REPORT_BATCH
from core.conversations.sandbox import apply_due_reports
from core.conversations.send import force_message, send_message
from core.conversations.settle_forgotten import BATCH as FORGOTTEN_BATCH
from core.conversations.settle_forgotten import settle_forgotten

__all__ = [
    "FORGOTTEN_BATCH",
    "REPORT_BATCH",
    "Dispatcher",
    "Draft",
    "ForcedMessage",
    "MessageFilter",
    "NewBulk",
    "NewMessage",
    "NoLongerCancelable",
    "Recipient",
    "Resend",
    "ResendFilter",
    "TakenIn",
    "apply_due_reports",
    "archive_message",
    "archive_old",
    "cancel_batch",
    "cancel_message",
    "complete_campaigns",
    "drop_waiting",
    "force_message",
    "get_batch",
    "get_message",
    "list_messages",
    "message_record",
    "resend_messages",
    "send_bulk",
    "send_message",
    "settle_forgotten",
    "take_in",
]
