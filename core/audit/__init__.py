"""The audit trail: who did what, and when; facts and counts, never personal data."""

from core.audit.inputs import AuditFilter
from core.audit.listing import list_entries
from core.audit.models import AuditEntry
from core.audit.write_entry import write_entries, write_entry

__all__ = ["AuditEntry", "AuditFilter", "list_entries", "write_entries", "write_entry"]
