"""The conversational channel (WhatsApp, Instagram): sending, queue, delivery reports, inbound."""

from core.conversations.archive import archive_message, archive_old
from core.conversations.batches import (
    NewBulk,
    Recipient,
    Resend,
    ResendFilter,
    cancel_batch,
    get_batch,
    resend_messages,
    send_bulk,
)
from core.conversations.batches.record import BatchRecord, ResentMessages, TakenBulk
from core.conversations.campaigns import (
    NEXT_COMPLETION,
    complete_campaigns,
    complete_in_sandbox,
)
from core.conversations.delete_template import delete_template
from core.conversations.delivery_reports.unmatched import retry_unmatched
from core.conversations.inputs import ForcedMessage, MessageFilter, NewMessage
from core.conversations.models import (
    BatchKind,
    ConversationChannel,
    ConversationStatus,
    ConversationType,
    LinkSource,
    ResendRefusal,
)
from core.conversations.package import PACKAGE
from core.conversations.queries import get_message, list_messages
from core.conversations.queue.cancel import cancel_message
from core.conversations.queue.dispatcher import ConversationDispatcher
from core.conversations.queue.reconcile import reconcile
from core.conversations.record import (
    ConversationPage,
    ConversationRecord,
    LinkOrigin,
    SentMessage,
    message_record,
)
from core.conversations.sandbox import apply_due_reports
from core.conversations.sending.accept import accept_messages
from core.conversations.sending.send import force_message, send_message
from core.messaging import MessageNotCancelable

__all__ = [
    "NEXT_COMPLETION",
    "PACKAGE",
    "BatchKind",
    "BatchRecord",
    "ConversationChannel",
    "ConversationDispatcher",
    "ConversationPage",
    "ConversationRecord",
    "ConversationStatus",
    "ConversationType",
    "ForcedMessage",
    "LinkOrigin",
    "LinkSource",
    "MessageFilter",
    "MessageNotCancelable",
    "NewBulk",
    "NewMessage",
    "Recipient",
    "Resend",
    "ResendFilter",
    "ResendRefusal",
    "ResentMessages",
    "SentMessage",
    "TakenBulk",
    "accept_messages",
    "apply_due_reports",
    "archive_message",
    "archive_old",
    "cancel_batch",
    "cancel_message",
    "complete_campaigns",
    "complete_in_sandbox",
    "delete_template",
    "force_message",
    "get_batch",
    "get_message",
    "list_messages",
    "message_record",
    "reconcile",
    "resend_messages",
    "retry_unmatched",
    "send_bulk",
    "send_message",
]
