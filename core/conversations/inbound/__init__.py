"""Inbound: platform notices, stored at once and applied later, and messages that people write."""

from core.conversations.inbound.apply import BATCH_SIZE as NOTICE_BATCH_SIZE
from core.conversations.inbound.apply import apply_due_notices
from core.conversations.inbound.fetch_media import BATCH_SIZE as FILE_BATCH_SIZE
from core.conversations.inbound.fetch_media import fetch_received
from core.conversations.inbound.inputs import NewInbound, ReceivedMessageType
from core.conversations.inbound.sandbox import receive_in_sandbox
from core.conversations.inbound.store import store_notices

__all__ = [
    "FILE_BATCH_SIZE",
    "NOTICE_BATCH_SIZE",
    "NewInbound",
    "ReceivedMessageType",
    "apply_due_notices",
    "fetch_received",
    "receive_in_sandbox",
    "store_notices",
]
