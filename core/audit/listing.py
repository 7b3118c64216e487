"""Reading the audit trail."""

from typing import Any

from core.audit.inputs import AuditFilter
from core.foundation.clock import wire_time
from core.foundation.database import db
from core.foundation.database.pages import cut, page_of, place_behind
from core.foundation.security.caller import Caller, Scope


async def list_entries(caller: Caller, filter: AuditFilter) -> dict[str, Any]:
    """A page of what was done in the caller's environment, newest first: `{items, nextCursor?}`."""
    caller.require(Scope.AUDIT_READ)
    limit = cut(filter.limit)
    rows = await db.fetch(
        LIST,
        caller.organization_id,
        caller.env,
        filter.action,
        filter.subject_id,
        filter.actor_id,
        filter.from_,
        filter.to,
        *(place_behind(filter.cursor) if filter.cursor is not None else (None, None)),
        limit + 1,
    )
    return page_of(rows, limit, _entry, by="at")


def _entry(row: db.Row) -> dict[str, Any]:
    entry = {
        "id": row["id"],
        "at": wire_time(row["at"]),
        "actor": {"kind": row["actor_kind"]} | ({"id": row["actor_id"]} if row["actor_id"] else {}),
        "action": row["action"],
        "subjectId": row["subject_id"],
        "facts": row["facts"],
        "requestId": row["request_id"],
    }
    return {name: value for name, value in entry.items() if value is not None}


# Planned for the values at hand: a filter that is not there costs nothing.
LIST = """
SELECT id, at, actor_kind, actor_id, action, subject_id, facts, request_id FROM audit_entries
WHERE organization_id = $1 AND env = $2
  AND ($3::text IS NULL OR action = $3)
  AND ($4::text IS NULL OR subject_id = $4)
  AND ($5::text IS NULL OR actor_id = $5)
  AND ($6::timestamptz IS NULL OR at >= $6)
  AND ($7::timestamptz IS NULL OR at <= $7)
  AND ($8::timestamptz IS NULL OR (at, id) < ($8, $9::text))
ORDER BY at DESC, id DESC
LIMIT $10
"""
