"""Writing entries of the audit trail, in the transaction of their cause."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from core.audit.models import AuditEntry
from core.foundation.database import db
from core.foundation.database.tenancy import owned_by
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller


async def write_entry(
    caller: Caller,
    action: str,
    subject_id: str | None = None,
    facts: dict[str, Any] | None = None,
    *,
    at: datetime,
) -> None:
    """Write one entry. `action` is `<noun>.<past verb>`; `facts` hold ids, counts and flags, never
    personal data.
    """
    kind, actor_id = _actor(caller)
    await AuditEntry.create(
        id=new_id("aud"),
        **owned_by(caller),
        at=at,
        actor_kind=kind,
        actor_id=actor_id,
        action=action,
        subject_id=subject_id,
        facts=facts or {},
        request_id=caller.request_id,
    )


async def write_entries(
    caller: Caller,
    action: str,
    entries: Sequence[tuple[str | None, dict[str, Any]]],
    *,
    at: datetime,
) -> None:
    """Write one entry of the action per (subject id, facts), in one statement."""
    kind, actor_id = _actor(caller)
    ids = [new_id("aud") for _ in entries]
    subjects = [subject for subject, _ in entries]
    facts = [fact for _, fact in entries]
    await db.execute(
        INSERT,
        caller.organization_id,
        caller.env,
        kind,
        actor_id,
        action,
        caller.request_id,
        at,
        ids,
        subjects,
        facts,
    )


def _actor(caller: Caller) -> tuple[str, str | None]:
    match caller.kind:
        case "session":
            return "account", caller.account_id
        case "key":
            return "key", caller.credential_id
        case "system":
            return "system", None
        case "journey":
            return "journey", caller.journey_id


INSERT = """
INSERT INTO audit_entries
    (organization_id, env, actor_kind, actor_id, action, request_id, at, id, subject_id, facts)
SELECT $1, $2, $3, $4, $5, $6, $7, e.* FROM unnest($8::text[], $9::text[], $10::jsonb[]) AS e
"""
