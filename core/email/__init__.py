"""E-mail: the outbox, verified senders, suppressions and delivery reports."""

from core.email.delivery_reports.receive import receive_feedback
from core.email.delivery_reports.sandbox import apply_due_reports
from core.email.discard_outgoing import delete_outgoing, discard_outgoing
from core.email.inputs import EmailFilter, NewEmail, NewSender, SenderProof, SenderRequest
from core.email.models import (
    EmailCategory,
    EmailFailureReason,
    EmailStatus,
    RecordCheck,
    SenderMethod,
    SenderStatus,
)
from core.email.outbox import hand_over_due
from core.email.package import PACKAGE
from core.email.queries import cancel_message, get_message, list_messages
from core.email.queue.accept import (
    QueuedEmail,
    queue_messages,
    queued_email,
)
from core.email.queue.release import QueueRelease
from core.email.record import EmailPage, EmailRecord, SentEmail
from core.email.record_opens import note_opening
from core.email.renew_letters import renew_letters
from core.email.send import send_message
from core.email.senders.confirm import verify_sender
from core.email.senders.prove import prove_sender
from core.email.senders.queries import SenderFilter, get_sender, list_senders
from core.email.senders.record import RequestedSender, SenderPage, SenderRecord
from core.email.senders.remove import remove_sender
from core.email.senders.request import request_sender
from core.email.senders.sweep import check_senders
from core.email.suppression_list import (
    SuppressedAddress,
    SuppressionFilter,
    SuppressionPage,
    SuppressionRecord,
    lift_suppression,
    list_suppressions,
)
from core.email.unsubscribe import find_unsubscribe_ticket, unsubscribe

__all__ = [
    "PACKAGE",
    "EmailCategory",
    "EmailFailureReason",
    "EmailFilter",
    "EmailPage",
    "EmailRecord",
    "EmailStatus",
    "NewEmail",
    "NewSender",
    "QueueRelease",
    "QueuedEmail",
    "RecordCheck",
    "RequestedSender",
    "SenderFilter",
    "SenderMethod",
    "SenderPage",
    "SenderProof",
    "SenderRecord",
    "SenderRequest",
    "SenderStatus",
    "SentEmail",
    "SuppressedAddress",
    "SuppressionFilter",
    "SuppressionPage",
    "SuppressionRecord",
    "apply_due_reports",
    "cancel_message",
    "check_senders",
    "delete_outgoing",
    "discard_outgoing",
    "find_unsubscribe_ticket",
    "get_message",
    "get_sender",
    "hand_over_due",
    "lift_suppression",
    "list_messages",
    "list_senders",
    "list_suppressions",
    "note_opening",
    "prove_sender",
    "queue_messages",
    "queued_email",
    "receive_feedback",
    "remove_sender",
    "renew_letters",
    "request_sender",
    "send_message",
    "unsubscribe",
    "verify_sender",
]
