"""The table of flows: forms of several screens, filled in inside a conversation."""

from enum import StrEnum
from typing import Any

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField

from core.foundation.database.tenancy import OwnedModel


class FlowStatus(StrEnum):
    DRAFT = "draft"
    ACTIVE = "active"
    PAUSED = "paused"
    DEPRECATED = "deprecated"
    ARCHIVED = "archived"


class MetaStatus(StrEnum):
    """What the platform says of a flow."""

    DRAFT = "DRAFT"
    PUBLISHED = "PUBLISHED"
    DEPRECATED = "DEPRECATED"
    BLOCKED = "BLOCKED"
    THROTTLED = "THROTTLED"


class FlowCategory(StrEnum):
    SIGN_UP = "SIGN_UP"
    SIGN_IN = "SIGN_IN"
    APPOINTMENT_BOOKING = "APPOINTMENT_BOOKING"
    LEAD_GENERATION = "LEAD_GENERATION"
    CONTACT_US = "CONTACT_US"
    CUSTOMER_SUPPORT = "CUSTOMER_SUPPORT"
    SURVEY = "SURVEY"
    OTHER = "OTHER"


class Flow(OwnedModel):
    """A flow of one number. `version_of`: the id of the published record that this one is to replace."""

    id = fields.CharField(max_length=30, primary_key=True)
    number_id = fields.CharField(max_length=30)
    name = fields.CharField(max_length=200)
    description = fields.CharField(max_length=1000, null=True)
    status = fields.CharEnumField(FlowStatus, max_length=10)
    version = fields.IntField()
    version_of = fields.CharField(max_length=30, null=True)
    meta_flow_id = fields.CharField(max_length=40, null=True)
    meta_status = fields.CharEnumField(MetaStatus, max_length=10, null=True)
    meta_categories: fields.Field[list[str]] = ArrayField(element_type="text", db_default="{}")
    flow_json: fields.Field[dict[str, Any]] = fields.JSONField()
    published_at = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "flows"
        indexes = (("organization_id", "env", "created_at", "id"), ("meta_flow_id",))
