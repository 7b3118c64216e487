"""The table of journeys."""

from enum import StrEnum
from typing import Any

from tortoise import fields

from core.foundation.database.tenancy import OwnedModel


class JourneyStatus(StrEnum):
    DRAFT = "rascunho"
    ACTIVE = "ativa"
    PAUSED = "pausada"
    ARCHIVED = "arquivada"


class Journey(OwnedModel):
    """A journey with its graph of steps. `trigger`, `steps`, `goal` and the like are the interface's objects."""

    id = fields.CharField(max_length=30, primary_key=True)
    name = fields.CharField(max_length=120)
    status = fields.CharEnumField(JourneyStatus, max_length=10)
    trigger: fields.Field[dict[str, Any]] = fields.JSONField()
    reentry = fields.CharField(max_length=16)
    reentry_hours = fields.IntField(null=True)
    quiet: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    frequency_cap: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    goal: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    steps: fields.Field[list[dict[str, Any]]] = fields.JSONField()
    entry_step_id = fields.CharField(max_length=64, null=True)
    paused_by: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    activated_at = fields.DatetimeField(null=True)
    version = fields.IntField(db_default=1)
    version_of = fields.CharField(max_length=30, null=True)
    replaced_by_id = fields.CharField(max_length=30, null=True)
    entries_ended = fields.BooleanField(null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "journeys"
        indexes = (("organization_id", "env", "created_at", "id"),)
