"""The tables of what a provider asked for messages, and of how far its logs were read."""

from tortoise import fields
from tortoise.models import Model

from core.foundation.database.sql_table import SqlTable
from core.foundation.database.tenancy import OwnedModel


class ProviderCost(OwnedModel, SqlTable):
    """What a provider asked for a message, beside what was charged for it.

    `at` is when the message was accepted: it counts in the period that it counts in everywhere. `parts` are the
    provider's, `segments` ours: they may differ by one.

    SQL alone: costs are written beside the messages of a batch of events, and added up.
    """

    message_id = fields.CharField(max_length=30, primary_key=True)
    provider = fields.CharField(max_length=20)
    route = fields.CharField(max_length=16, null=True)
    country = fields.CharField(max_length=2, null=True)
    carrier = fields.CharField(max_length=60, null=True)
    currency = fields.CharField(max_length=3)
    amount = fields.DecimalField(max_digits=12, decimal_places=5)
    fee = fields.DecimalField(max_digits=12, decimal_places=5)
    parts = fields.IntField()
    segments = fields.IntField(null=True)
    coins = fields.BigIntField()
    at = fields.DatetimeField()

    class Meta:
        table = "provider_costs"
        indexes = (("organization_id", "env", "at"),)


class ProviderCursor(Model):
    """How far something of a provider's was read. `position`: milliseconds since 1970."""

    id = fields.BigIntField(primary_key=True)
    provider = fields.CharField(max_length=20)
    name = fields.CharField(max_length=512)
    position = fields.BigIntField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "provider_cursors"
        unique_together = (("provider", "name"),)
