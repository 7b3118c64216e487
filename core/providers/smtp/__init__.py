"""The provider `smtp`: any mail relay that speaks SMTP, and the reports of mail servers."""

from core.providers.smtp.callbacks import SIGNATURE_HEADER, read_feedback
from core.providers.smtp.meanings import meaning_of_reply, reason_of
from core.providers.smtp.opening import greet, opened
from core.providers.smtp.relay import PROVIDER, RelaySettings, Smtp
from core.providers.smtp.reports import read_report

__all__ = [
    "PROVIDER",
    "SIGNATURE_HEADER",
    "RelaySettings",
    "Smtp",
    "greet",
    "meaning_of_reply",
    "opened",
    "read_feedback",
    "read_report",
    "reason_of",
]
