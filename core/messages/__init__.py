"""The one table of every channel's messages, and what all channels do with it."""

from core.messages.announce import announce_messages, changed
from core.messages.counts import merge_counts
from core.messages.find import lock_spoken_of, remember_references
from core.messages.hours import close_hours, merge_hours
from core.messages.insert import NewMessage, insert_messages
from core.messages.models import CONVERSATIONS, Channel, Direction, Message, Status
from core.messages.moves import may_become
from core.messages.receipt_log import (
    LoggedReceipt,
    Parked,
    log_receipts,
    park,
    park_again,
    take_parked,
)
from core.messages.receipts import Receipt, apply_receipts, count_moved
from core.messages.reports import (
    Told,
    applies_reports,
    apply_reports,
    parked_receipt,
    receive_receipts,
)
from core.messages.sends import count_refused_send, count_send

__all__ = [
    "CONVERSATIONS",
    "Channel",
    "Direction",
    "LoggedReceipt",
    "Message",
    "NewMessage",
    "Parked",
    "Receipt",
    "Status",
    "Told",
    "announce_messages",
    "applies_reports",
    "apply_receipts",
    "apply_reports",
    "changed",
    "close_hours",
    "count_moved",
    "count_refused_send",
    "count_send",
    "insert_messages",
    "lock_spoken_of",
    "log_receipts",
    "may_become",
    "merge_counts",
    "merge_hours",
    "park",
    "park_again",
    "parked_receipt",
    "receive_receipts",
    "remember_references",
    "take_parked",
]
