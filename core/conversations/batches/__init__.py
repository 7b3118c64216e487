"""Messages that are taken in together, and what becomes of them."""

from core.conversations.batches.bulk import send_bulk
from core.conversations.batches.cancel import cancel_batch
from core.conversations.batches.inputs import NewBulk, Recipient, Resend, ResendFilter
from core.conversations.batches.queries import get_batch

__all__ = [
    "NewBulk",
    "Recipient",
    "Resend",
    "ResendFilter",
    "cancel_batch",
    "get_batch",
    "send_bulk",
]
