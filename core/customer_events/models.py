"""Customer events as they are stored."""

from typing import Any

from tortoise import fields
from tortoise.migrations.constraints import UniqueConstraint

from core.foundation.channels import ChannelSet
from core.foundation.database.indexes import WhereIndex
from core.foundation.database.tenancy import OwnedModel


class AttributionChannel(
    ChannelSet, of=lambda facts: facts.attribution, first=["WHATSAPP"], last=["INSTAGRAM"]
):
    """The channel of a message that an event is attributed to."""


class CustomerEvent(OwnedModel):
    """Something a customer did: a purchase, a visit, a contract. `value` is in units of `currency`."""

    id = fields.CharField(max_length=30, primary_key=True)
    name = fields.CharField(max_length=120)
    event_id = fields.CharField(max_length=200)
    contact_id = fields.CharField(max_length=30, null=True)
    contact_external_id = fields.CharField(max_length=200, null=True)
    occurred_at = fields.DatetimeField()
    value = fields.DecimalField(max_digits=18, decimal_places=4, null=True)
    currency = fields.CharField(max_length=3, null=True)
    properties: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    attribution: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    campaign_id = fields.CharField(max_length=80, null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "customer_events"
        indexes = (
            ("organization_id", "env", "occurred_at", "id"),
            ("organization_id", "env", "name", "occurred_at"),
            WhereIndex(
                fields=("organization_id", "env", "contact_id", "occurred_at"),
                name="customer_events_by_contact",
                where="contact_id IS NOT NULL",
            ),
            WhereIndex(
                fields=("organization_id", "env", "campaign_id", "occurred_at"),
                name="customer_events_by_campaign",
                where="campaign_id IS NOT NULL",
            ),
            # Those that came before their contact did; erasure and export find them by what the sender called it.
            WhereIndex(
                fields=("organization_id", "env", "contact_external_id"),
                name="customer_events_of_nobody_yet",
                where="contact_id IS NULL AND contact_external_id IS NOT NULL",
            ),
        )
        constraints = (
            UniqueConstraint(
                fields=("organization_id", "env", "event_id"), name="customer_events_once"
            ),
        )
