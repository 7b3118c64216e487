"""Segments as they are stored."""

from typing import Any

from tortoise import fields
from tortoise.migrations.constraints import UniqueConstraint

from core.foundation.database.tenancy import OwnedModel


class Segment(OwnedModel):
    """A named filter over contacts. `size` is what the last count found, at `size_at`."""

    id = fields.CharField(max_length=30, primary_key=True)
    name = fields.CharField(max_length=120)
    description = fields.CharField(max_length=500, null=True)
    filters: fields.Field[list[dict[str, Any]] | None] = fields.JSONField(null=True)
    filter_tree: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    size = fields.IntField(null=True)
    size_at = fields.DatetimeField(null=True)
    created_by_id = fields.CharField(max_length=30, null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "segments"
        indexes = (("organization_id", "env", "created_at", "id"),)
        constraints = (
            UniqueConstraint(fields=("organization_id", "env", "name"), name="segments_name_key"),
        )
