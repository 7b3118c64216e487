"""Batches: one template for many recipients, and failed messages that are sent again."""

from core.conversations.batches.cancel import cancel_batch
from core.conversations.batches.inputs import NewBulk, Recipient, Resend, ResendFilter
from core.conversations.batches.queries import get_batch
from core.conversations.batches.resend import resend_messages
from core.conversations.batches.send_bulk import send_bulk

__all__ = [
    "NewBulk",
    "Recipient",
    "Resend",
    "ResendFilter",
    "cancel_batch",
    "get_batch",
    "resend_messages",
    "send_bulk",
]
