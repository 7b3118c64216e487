"""Reading the audit trail."""

from core.audit.inputs import AuditFilter
from core.audit.record import AUDIT_ENTRY, AuditPage
from core.foundation.database.where import Where
from core.foundation.records import WrittenPage, newest_uncounted
from core.foundation.security.caller import Caller, Scope


async def list_entries(caller: Caller, filter: AuditFilter) -> WrittenPage[AuditPage]:
    """A page of what was done in the caller's environment, newest first."""
    caller.require(Scope.AUDIT_READ)
    where = Where.visible_to(caller)
    for condition, value in (
        ("action = {}", filter.action),
        ("subject_id = {}", filter.subject_id),
        ("actor_id = {}", filter.actor_id),
    ):
        if value is not None:
            where.narrow(condition, value)
    where.narrow_period("at", filter.from_, filter.to)
    return await newest_uncounted(caller, AUDIT_ENTRY, "audit_entries", where, filter, by="at")
