"""The shapes of the audit trail."""

from typing import Any, Literal

from rest_api.support.shapes import Listed, Out, Timestamp


class Actor(Out):
    """Who did it: a person logged in, an API key, or the service itself, which has no id."""

    kind: Literal["account", "key", "system"]
    id: str | None = None


class AuditEntry(Out):
    """One action. `facts` hold ids, counts and flags, never personal data."""

    id: str
    at: Timestamp
    actor: Actor
    action: str
    subject_id: str | None = None
    facts: dict[str, Any]
    request_id: str | None = None


class AuditPage(Listed):
    """A page of the audit trail, newest first."""

    items: list[AuditEntry]
    next_cursor: str | None = None
