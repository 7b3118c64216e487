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
    narrow_entries(
        where, action=filter.action, subject_id=filter.subject_id, actor_id=filter.actor_id
    )
    where.narrow_period("at", filter.from_, filter.to)
    return await newest_uncounted(caller, AUDIT_ENTRY, "audit_entries", where, filter, by="at")


def narrow_entries(
    where: Where,
    *,
    action: str | None = None,
    subject_id: str | None = None,
    actor_id: str | None = None,
) -> None:
    """Those of an action, about one subject, by one actor, as far as they are told."""
    where.narrow_given(
        ("action = {}", action),
        ("subject_id = {}", subject_id),
        ("actor_id = {}", actor_id),
    )
