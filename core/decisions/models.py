"""The tables of sends that were refused."""

from typing import Any

from tortoise import fields
from tortoise.migrations.constraints import UniqueConstraint

from core.foundation.database.indexes import WhereIndex
from core.foundation.database.sql_table import SqlTable
from core.foundation.database.tenancy import OwnedModel


class RefusedSend(OwnedModel):
    """A send that was refused, and by what: nothing of it was stored but this.

    `identity`: the keyed hash of its recipient, `facts`: what the refusal told besides, such as what was missing; both
    without personal data. Kept for 90 days.
    """

    id = fields.CharField(max_length=30, primary_key=True)
    channel = fields.CharField(max_length=10)
    rule = fields.CharField(max_length=24)
    code = fields.CharField(max_length=40)
    facts: fields.Field[dict[str, Any]] = fields.JSONField()
    identity = fields.BinaryField(null=True)
    contact_id = fields.CharField(max_length=30, null=True)
    request_id = fields.CharField(max_length=64, null=True)
    part_of = fields.CharField(max_length=30, null=True)
    at = fields.DatetimeField()

    class Meta:
        table = "refused_sends"
        indexes = (
            ("organization_id", "env", "at", "id"),
            ("organization_id", "env", "rule", "at", "id"),
            ("organization_id", "env", "channel", "at", "id"),
            ("organization_id", "env", "request_id"),
            WhereIndex(
                fields=("organization_id", "env", "contact_id", "at"),
                name="refused_sends_by_contact",
                where="contact_id IS NOT NULL",
            ),
            WhereIndex(
                fields=("organization_id", "env", "identity", "at"),
                name="refused_sends_by_identity",
                where="identity IS NOT NULL",
            ),
            WhereIndex(
                fields=("organization_id", "env", "part_of", "at"),
                name="refused_sends_by_whole",
                where="part_of IS NOT NULL",
            ),
            ("at",),
        )


class RefusalCount(OwnedModel, SqlTable):
    """How many sends a rule stopped within a minute on a channel, those included of which no row is kept.

    SQL alone: the statement that keeps the refusals of a batch adds to it.
    """

    id = fields.BigIntField(primary_key=True)
    minute = fields.DatetimeField()
    channel = fields.CharField(max_length=10)
    rule = fields.CharField(max_length=24)
    refusals = fields.BigIntField()

    class Meta:
        table = "refusal_counts"
        indexes = (("minute",),)
        constraints = (
            UniqueConstraint(
                fields=("organization_id", "env", "minute", "channel", "rule"),
                name="refusal_counts_key",
            ),
        )
