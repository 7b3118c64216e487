"""The meaning of SMTP replies, by code and enhanced status (RFC 5321, RFC 3463)."""

import re
from typing import Literal

from core.providers.email import EmailDeferred, EmailFailureReason, EmailRefused

Stage = Literal["sender", "recipient", "content"]

_ENHANCED = re.compile(r"\b([245])\.(\d{1,3})\.(\d{1,3})\b")

BY_STAGE: dict[Stage, EmailFailureReason] = {
    "sender": "provider_error",
    "recipient": "invalid_address",
    "content": "content_rejected",
}
"""What a reply without an enhanced status means, by the command that it answers."""


def meaning_of_reply(code: int, text: str, stage: Stage) -> EmailRefused | EmailDeferred:
    """5xx is for good, everything else for now: a reply that makes no sense must not lose an e-mail."""
    reason = reason_of(status_in(text), BY_STAGE[stage])
    return EmailRefused(reason) if 500 <= code < 600 else EmailDeferred(for_now(reason))


def for_now(reason: EmailFailureReason) -> EmailFailureReason:
    """Of an address that could not be reached in time nobody knows that it does not exist."""
    return "provider_error" if reason == "invalid_address" else reason


def status_in(text: str) -> str | None:
    """The enhanced status (`5.1.1`) in a reply or a diagnostic."""
    found = _ENHANCED.search(text)
    return found[0] if found else None


def reason_of(status: str | None, otherwise: EmailFailureReason) -> EmailFailureReason:
    """The interface's reason for an enhanced status.

    X.1.7 and X.1.8 speak of the sender's address, the rest of X.1 and X.2.1 of the recipient's;
    X.2.2 and X.2.3 of its room; X.6 and X.7 of what was said and by whom; X.3, X.4 and X.5 of
    machines and lines.
    """
    if status is None:
        return otherwise
    _, subject, detail = status.split(".")
    match subject, detail:
        case ("1", "7" | "8"):
            return "provider_error"
        case ("1", _) | ("2", "0" | "1" | "4"):
            return "invalid_address"
        case ("2", "2" | "3"):
            return "mailbox_full"
        case ("6", _) | ("7", _):
            return "content_rejected"
    return "provider_error"
