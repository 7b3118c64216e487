"""Who did what, and when: facts and counts, never personal data."""

from core.audit.inputs import AuditFilter
from core.audit.listing import list_entries
from core.audit.models import AuditEntry
from core.audit.record import record, record_many

__all__ = ["AuditEntry", "AuditFilter", "list_entries", "record", "record_many"]
