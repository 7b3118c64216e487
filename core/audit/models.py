"""The table of the audit trail."""

from typing import Any

from tortoise import fields

from core.foundation.database.indexes import WhereIndex
from core.foundation.database.tenancy import OwnedModel
from core.foundation.described_enum import DescribedEnum


class ActorKind(DescribedEnum):
    """Who did something."""

    ACCOUNT = "account", "A person logged in"
    KEY = "key", "An API key"
    SYSTEM = "system", "The service itself"
    JOURNEY = "journey", "A step of a journey"


class AuditEntry(OwnedModel):
    """A deed that somebody may ask about later. Append-only; it outlives what it speaks of."""

    id = fields.CharField(max_length=30, primary_key=True)
    at = fields.DatetimeField()
    actor_kind = fields.CharField(max_length=7)
    actor_id = fields.CharField(max_length=30, null=True)
    action = fields.CharField(max_length=60)
    subject_id = fields.CharField(max_length=40, null=True)
    facts: fields.Field[dict[str, Any]] = fields.JSONField()
    request_id = fields.CharField(max_length=64, null=True)

    class Meta:
        table = "audit_entries"
        indexes = (
            ("organization_id", "env", "at", "id"),
            ("organization_id", "env", "subject_id", "at"),
            ("organization_id", "env", "action", "at", "id"),
            WhereIndex(
                fields=("organization_id", "env", "actor_id", "at", "id"),
                name="audit_entries_by_actor",
                where="actor_id IS NOT NULL",
            ),
        )
