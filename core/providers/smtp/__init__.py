"""The provider `smtp`: any mail relay that speaks SMTP, and the reports that mail servers send
back.
"""

from core.providers.smtp.callbacks import SIGNATURE_HEADER, read_feedback
from core.providers.smtp.greet import greet
from core.providers.smtp.meanings import meaning_of_reply, reason_of
from core.providers.smtp.opening import opened
from core.providers.smtp.relay import PROVIDER, Line, Smtp
from core.providers.smtp.reports import read_report

__all__ = [
    "PROVIDER",
    "SIGNATURE_HEADER",
    "Line",
    "Smtp",
    "greet",
    "meaning_of_reply",
    "opened",
    "read_feedback",
    "read_report",
    "reason_of",
]
