"""What `svc smpp-link` must not forget: ids that have left for operators, and what it has still to tell."""

from core.smpp.link.messages import (
    LinkMessage,
    LinkState,
    StoredLinkMessage,
    SubmittedPart,
    begin_message,
    drop_message,
    find_message,
    forget_messages,
    note_part,
    note_refused,
    note_unknown,
    recipient_of,
)
from core.smpp.link.questions import UntoldPart, claim_untold
from core.smpp.link.reports import (
    DueReport,
    ReportKind,
    ToldByOperator,
    claim_reports,
    drop_reports,
    keep_report,
    organization_of,
    put_off_reports,
    reference_of,
)

__all__ = [
    "DueReport",
    "LinkMessage",
    "LinkState",
    "ReportKind",
    "StoredLinkMessage",
    "SubmittedPart",
    "ToldByOperator",
    "UntoldPart",
    "begin_message",
    "claim_reports",
    "claim_untold",
    "drop_message",
    "drop_reports",
    "find_message",
    "forget_messages",
    "keep_report",
    "note_part",
    "note_refused",
    "note_unknown",
    "organization_of",
    "put_off_reports",
    "recipient_of",
    "reference_of",
]
