"""The sandbox provider: it reaches nobody and answers by the last digits of the recipient."""

from core.providers.sandbox.endings import PROVIDER, Ending, rcs_ending, reference_of, sms_ending
from core.providers.sandbox.receipt import sms_receipt
from core.providers.sandbox.reports import (
    REPORTS,
    ScheduledReport,
    are_due,
    delete_reports,
    forget_recipient,
    next_report,
    next_report_at,
    take_due_reports,
    tell_on,
    write_reports,
)

__all__ = [
    "PROVIDER",
    "REPORTS",
    "Ending",
    "ScheduledReport",
    "are_due",
    "delete_reports",
    "forget_recipient",
    "next_report",
    "next_report_at",
    "rcs_ending",
    "reference_of",
    "sms_ending",
    "sms_receipt",
    "take_due_reports",
    "tell_on",
    "write_reports",
]
