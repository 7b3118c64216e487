"""Who did what, and when: facts and counts, never personal data."""

from core.audit.models import AuditEntry
from core.audit.record import record, record_many

__all__ = ["AuditEntry", "record", "record_many"]
