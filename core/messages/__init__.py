"""The one table of every channel's messages, and what all channels do with it."""

from core.messages.insert import NewMessage, insert_messages
from core.messages.models import Channel, Direction, Message, Status
from core.messages.moves import may_become
from core.messages.receipts import Receipt, apply_receipts

__all__ = [
    "Channel",
    "Direction",
    "Message",
    "NewMessage",
    "Receipt",
    "Status",
    "apply_receipts",
    "insert_messages",
    "may_become",
]
