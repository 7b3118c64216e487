"""RCS: a text or a card, priced per message, with an SMS as fallback."""

from core.rcs.delivery_reports.apply import apply_delivery_reports
from core.rcs.delivery_reports.sandbox import apply_due_reports
from core.rcs.inputs import (
    NewRcs,
    NewRcsButton,
    NewRcsCard,
    NewRcsContent,
    RcsFallback,
    RcsFilter,
    RcsPath,
    RcsRoute,
    RcsStatus,
)
from core.rcs.package import PACKAGE
from core.rcs.queries import cancel_message, get_message, list_messages
from core.rcs.queue.accept import (
    QueuedRcs,
    queue_messages,
    queued_rcs,
)
from core.rcs.queue.dispatcher import RcsDispatcher
from core.rcs.reconcile import reconcile
from core.rcs.record import (
    RcsButtonKind,
    RcsCard,
    RcsContent,
    RcsFailureReason,
    RcsPage,
    RcsRecord,
)
from core.rcs.send import send_message

__all__ = [
    "PACKAGE",
    "NewRcs",
    "NewRcsButton",
    "NewRcsCard",
    "NewRcsContent",
    "QueuedRcs",
    "RcsButtonKind",
    "RcsCard",
    "RcsContent",
    "RcsDispatcher",
    "RcsFailureReason",
    "RcsFallback",
    "RcsFilter",
    "RcsPage",
    "RcsPath",
    "RcsRecord",
    "RcsRoute",
    "RcsStatus",
    "apply_delivery_reports",
    "apply_due_reports",
    "cancel_message",
    "get_message",
    "list_messages",
    "queue_messages",
    "queued_rcs",
    "reconcile",
    "send_message",
]
