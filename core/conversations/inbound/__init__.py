"""What the platform tells: kept at once, applied by a worker. And what people write to us."""

from core.conversations.inbound.apply import BATCH as NOTICE_BATCH
from core.conversations.inbound.apply import apply_due_notices
from core.conversations.inbound.fetch_media import BATCH as FILE_BATCH
from core.conversations.inbound.fetch_media import fetch_received
from core.conversations.inbound.inputs import NewInbound
from core.conversations.inbound.parked import BATCH as PARKED_BATCH
from core.conversations.inbound.parked import try_parked
from core.conversations.inbound.sandbox import receive_in_sandbox
from core.conversations.inbound.store import store_notices

__all__ = [
    "FILE_BATCH",
    "NOTICE_BATCH",
    "PARKED_BATCH",
    "NewInbound",
    "apply_due_notices",
    "fetch_received",
    "receive_in_sandbox",
    "store_notices",
    "try_parked",
]
