"""What a use case left behind for others to learn of it: events and audit entries."""

from typing import Any

from core.foundation.database import db


async def events(organization_id: str, kind: str) -> list[dict[str, Any]]:
    """The events of an organization whose name begins with `kind`, oldest first."""
    rows = await db.fetch(
        "SELECT id, env, type, data, request_id FROM webhook_events "
        "WHERE organization_id = $1 AND starts_with(type, $2) ORDER BY created_at, id",
        organization_id,
        kind,
    )
    return [dict(row) for row in rows]


async def audited(organization_id: str, kind: str = "") -> list[dict[str, Any]]:
    """The audit entries of an organization whose action begins with `kind`, oldest first."""
    rows = await db.fetch(
        "SELECT env, actor_kind, actor_id, action, subject_id, facts, request_id FROM audit_entries "
        "WHERE organization_id = $1 AND starts_with(action, $2) ORDER BY at, id",
        organization_id,
        kind,
    )
    return [dict(row) for row in rows]
