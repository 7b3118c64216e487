"""The one table of every channel's messages, and what all channels do with it."""

from core.messages.announce import announce_messages, changed
from core.messages.counts import merge_counts
from core.messages.delivery_reports.apply import StatusUpdate, apply_status_updates, count_moved
from core.messages.delivery_reports.log import LoggedReport, log_reports
from core.messages.delivery_reports.receive import (
    MatchedReports,
    applies_reports,
    apply_reports,
    receive_reports,
    report_from_json,
)
from core.messages.delivery_reports.unmatched import (
    UnmatchedReport,
    keep_unmatched,
    requeue_unmatched,
    take_due_unmatched,
)
from core.messages.find import lock_matching, remember_references
from core.messages.hours import close_hours, merge_hours
from core.messages.insert import MessageRow, insert_messages
from core.messages.models import CONVERSATIONS, Channel, Direction, Message, Status
from core.messages.moves import may_become
from core.messages.sends import count_refused_send, count_send

__all__ = [
    "CONVERSATIONS",
    "Channel",
    "Direction",
    "LoggedReport",
    "MatchedReports",
    "Message",
    "MessageRow",
    "Status",
    "StatusUpdate",
    "UnmatchedReport",
    "announce_messages",
    "applies_reports",
    "apply_reports",
    "apply_status_updates",
    "changed",
    "close_hours",
    "count_moved",
    "count_refused_send",
    "count_send",
    "insert_messages",
    "keep_unmatched",
    "lock_matching",
    "log_reports",
    "may_become",
    "merge_counts",
    "merge_hours",
    "receive_reports",
    "remember_references",
    "report_from_json",
    "requeue_unmatched",
    "take_due_unmatched",
]
