"""The audit trail: who did what, and when; facts and counts, never personal data."""

from core.audit.inputs import AuditFilter
from core.audit.listing import list_entries
from core.audit.models import ActorKind, AuditEntry
from core.audit.record import AuditPage, AuditRecord
from core.audit.write_entry import write_entries, write_entry

__all__ = [
    "ActorKind",
    "AuditEntry",
    "AuditFilter",
    "AuditPage",
    "AuditRecord",
    "list_entries",
    "write_entries",
    "write_entry",
]
