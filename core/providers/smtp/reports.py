"""Parsing reports of mail servers: delivery status notifications (RFC 3464) and complaints.

They are e-mails themselves, from anybody's software: a part that is missing or odd is passed over,
never an error. Our e-mail is named by the envelope id that we gave (RFC 3461), or by the Message-ID
in what is sent back of it.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from email import message_from_bytes, policy
from email.message import Message

from core.foundation.errors import BadRequest
from core.foundation.security.cpu_limit import CpuLimitExceeded, cpu_limit
from core.providers.email import Feedback
from core.providers.smtp.meanings import for_now, reason_of, status_in

_OURS = re.compile(r"\bmsg_[0-9A-Za-z]{21}\b")

COMPLAINTS = frozenset({"abuse", "fraud", "virus", "other"})
"""Of RFC 5965 and its registry; `not-spam` says the opposite, `opt-out` is answered by our own
unsubscribing.
"""
ARRIVED = frozenset({"delivered", "relayed", "expanded"})


class ReportTooIntricate(BadRequest):
    default_detail = (
        "The report repeats or nests its parts too often to be read; send it as JSON instead."
    )


def read_report(raw: bytes, *, at: datetime) -> list[Feedback]:
    """What a report tells of e-mails of ours; empty for an e-mail that is no report, or not about
    ours.

    Raises ReportTooIntricate.
    """
    try:
        with cpu_limit():
            return _told(raw, at=at)
    except (CpuLimitExceeded, RecursionError):
        raise ReportTooIntricate from None


def _told(raw: bytes, *, at: datetime) -> list[Feedback]:
    report = message_from_bytes(raw, policy=policy.compat32)
    id = _content_of(report)
    if id is None:
        return []
    status, complaint = (
        _part(report, "message/delivery-status"),
        _part(report, "message/feedback-report"),
    )
    if status is not None:
        return [_of_recipient(id, block, at) for block in _blocks(status) if "Action" in block]
    if complaint is not None:
        return [_of_complaint(id, block, at) for block in _blocks(complaint)[:1]]
    return []


def _of_recipient(id: str, block: Message, at: datetime) -> Feedback:
    action = _word(block, "Action")
    diagnostic = str(block.get("Diagnostic-Code", ""))
    status = status_in(str(block.get("Status", ""))) or status_in(diagnostic)
    if action in ARRIVED:
        return Feedback(id, "delivered", None, at, f"dsn {action}")
    if action != "failed":
        return Feedback(id, None, None, at, "dsn delayed" if action == "delayed" else "dsn")
    reason = reason_of(_most_precise(status, diagnostic), "provider_error")
    return Feedback(
        id, "bounced", for_now(reason) if _is_temporary(status) else reason, at, "dsn failed"
    )


def _most_precise(status: str | None, diagnostic: str) -> str | None:
    """Many servers write 5.0.0 and tell more in the text."""
    if status is None or status.endswith(".0.0"):
        return status_in(diagnostic) or status
    return status


def _is_temporary(status: str | None) -> bool:
    return status is not None and status.startswith("4")


def _of_complaint(id: str, block: Message, at: datetime) -> Feedback:
    kind = _word(block, "Feedback-Type")
    if kind in COMPLAINTS:
        return Feedback(id, "complained", "complaint", at, f"arf {kind}")
    return Feedback(id, None, None, at, "arf")


def _word(block: Message, name: str) -> str:
    return str(block.get(name, "")).partition("(")[0].strip().lower()


def _blocks(part: Message) -> list[Message]:
    """The groups of fields in a part of the kind message/*; without them, what stands in its text."""
    payload = part.get_payload()
    if isinstance(payload, list):
        return [block for block in payload if isinstance(block, Message)]
    return [
        message_from_bytes(str(payload).lstrip().encode("ascii", "replace"), policy=policy.compat32)
    ]


def _part(report: Message, kind: str) -> Message | None:
    return next((part for part in report.walk() if part.get_content_type() == kind), None)


def _content_of(report: Message) -> str | None:
    """Our id of the e-mail that the report is about."""
    for text in _mentions(report):
        if found := _OURS.search(text):
            return found[0]
    return None


def _mentions(report: Message) -> Iterator[str]:
    """Where our id may stand, the surest place first."""
    for kind, fields in (
        ("message/delivery-status", ("Original-Envelope-Id", "X-Original-Message-ID")),
        ("message/feedback-report", ("Original-Envelope-Id",)),
        ("message/rfc822", ("Message-ID",)),
        ("text/rfc822-headers", ("Message-ID",)),
    ):
        part = _part(report, kind)
        for block in _blocks(part) if part is not None else ():
            yield from (str(block[field]) for field in fields if field in block)
