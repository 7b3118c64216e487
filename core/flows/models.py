"""The table of flows: forms of several screens, filled in inside a conversation."""

from datetime import datetime, timedelta
from typing import Any

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField

from core.foundation.database.tenancy import OwnedModel
from core.foundation.described_enum import DescribedEnum


class FlowStatus(DescribedEnum):
    """How far a flow has come here."""

    DRAFT = "draft", "It is being written"
    ACTIVE = "active", "It is published, and may be sent"
    PAUSED = "paused", "It is published, and is not sent for a while"
    DEPRECATED = "deprecated", "It was taken out of use for good"
    ARCHIVED = "archived", "It was put away for good"


class MetaStatus(DescribedEnum, rest="FlowMetaStatus", graphql="FlowMetaStatus"):
    """How the platform sees a flow."""

    DRAFT = "DRAFT", "It is being published"
    PUBLISHED = "PUBLISHED", "It can be opened"
    DEPRECATED = "DEPRECATED", "It was taken out of use"
    BLOCKED = "BLOCKED", "The platform opens it for nobody"
    THROTTLED = "THROTTLED", "The platform opens it less often"


class FlowCategory(DescribedEnum):
    """What a flow is for."""

    SIGN_UP = "SIGN_UP", "Opening an account"
    SIGN_IN = "SIGN_IN", "Logging in"
    APPOINTMENT_BOOKING = "APPOINTMENT_BOOKING", "Booking an appointment"
    LEAD_GENERATION = "LEAD_GENERATION", "Getting to know who is interested"
    CONTACT_US = "CONTACT_US", "Being written to"
    CUSTOMER_SUPPORT = "CUSTOMER_SUPPORT", "Helping customers"
    SURVEY = "SURVEY", "Asking for opinions"
    OTHER = "OTHER", "Anything else"


PUBLICATION_TIMEOUT = timedelta(minutes=2)
"""How long a publication that was begun keeps others away, should it never end."""


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
    meta_categories: fields.Field[list[str]] = ArrayField(element_type="text", db_default=[])
    flow_json: fields.Field[dict[str, Any]] = fields.JSONField()
    published_at = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "flows"
        indexes = (("organization_id", "env", "created_at", "id"), ("meta_flow_id",))

    def is_being_published(self, at: datetime) -> bool:
        """Whether the platform is being given it: such a draft has the platform's word for one."""
        begun = self.status is FlowStatus.DRAFT and self.meta_status is MetaStatus.DRAFT
        return begun and self.updated_at > at - PUBLICATION_TIMEOUT
