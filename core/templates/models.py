"""The table of message templates, approved by the platform before use."""

from enum import StrEnum
from typing import Any

from tortoise import fields
from tortoise.migrations.constraints import UniqueConstraint

from core.foundation.database.indexes import WhereIndex
from core.foundation.database.tenancy import OwnedModel


class TemplateStatus(StrEnum):
    DRAFT = "draft"
    SUBMITTED = "submitted"
    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"
    PAUSED = "paused"
    DISABLED = "disabled"


class TemplateCategory(StrEnum):
    MARKETING = "marketing"
    UTILITY = "utility"
    AUTHENTICATION = "authentication"


class Template(OwnedModel):
    """A template of one number, in one language. `version_of`: the id of the record that this one is to replace.

    `due_at`: when the sandbox answers, or the platform is asked; null where nothing is awaited.
    """

    id = fields.CharField(max_length=30, primary_key=True)
    number_id = fields.CharField(max_length=30)
    name = fields.CharField(max_length=512)
    language = fields.CharField(max_length=8)
    category = fields.CharEnumField(TemplateCategory, max_length=16)
    status = fields.CharEnumField(TemplateStatus, max_length=10)
    components: fields.Field[list[dict[str, Any]]] = fields.JSONField()
    header_example_url = fields.CharField(max_length=2048, null=True)
    meta_template_id = fields.CharField(max_length=40, null=True)
    version = fields.IntField()
    version_of = fields.CharField(max_length=30, null=True)
    rejection_reason = fields.CharField(max_length=500, null=True)
    due_at = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "templates"
        indexes = (
            ("organization_id", "env", "created_at", "id"),
            WhereIndex(fields=("due_at",), name="templates_due", where="due_at IS NOT NULL"),
            WhereIndex(
                fields=("meta_template_id",),
                name="templates_upstream",
                where="meta_template_id IS NOT NULL",
            ),
        )
        constraints = (
            # Newer versions of one template stand beside the first.
            UniqueConstraint(
                fields=("organization_id", "env", "number_id", "name", "language", "version"),
                name="templates_once",
            ),
        )
