"""E-mail: letters, their senders, and what became of them."""

from core.email.feedback import receive_feedback
from core.email.hand_over import BATCH as LETTER_BATCH
from core.email.hand_over import hand_over_letters
from core.email.inputs import EmailFilter, NewEmail, NewSender
from core.email.opened import note_opening
from core.email.queries import get_message, list_messages
from core.email.sandbox import BATCH as REPORT_BATCH
from core.email.sandbox import apply_due_reports
from core.email.send import send_message
from core.email.senders import list_senders, verify_sender
from core.email.suppressions import (
    SuppressedAddress,
    SuppressionFilter,
    lift_suppression,
    list_suppressions,
)
from core.email.unsubscribe import find_letter, unsubscribe

__all__ = [
    "LETTER_BATCH",
    "REPORT_BATCH",
    "EmailFilter",
    "NewEmail",
    "NewSender",
    "SuppressedAddress",
    "SuppressionFilter",
    "apply_due_reports",
    "find_letter",
    "get_message",
    "hand_over_letters",
    "lift_suppression",
    "list_messages",
    "list_senders",
    "list_suppressions",
    "note_opening",
    "receive_feedback",
    "send_message",
    "unsubscribe",
    "verify_sender",
]
