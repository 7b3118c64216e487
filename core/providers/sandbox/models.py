"""The table of the sandbox's scheduled reports."""

from tortoise import fields

from core.foundation.database.indexes import WhereIndex
from core.foundation.database.sql_table import SqlTable
from core.foundation.database.tenancy import OwnedModel
from core.foundation.json_values import JsonObject


class SandboxReport(OwnedModel, SqlTable):
    """A delivery report on its way: due a few seconds after the sandbox accepted the message.

    SQL alone: a queue, written by the statement that accepts messages and taken in batches.
    """

    message_id = fields.CharField(max_length=30, primary_key=True)
    channel = fields.CharField(max_length=10)
    status = fields.CharField(max_length=12)
    reason = fields.CharField(max_length=32, null=True)
    due_at = fields.DatetimeField()
    receipt: fields.Field[JsonObject] = fields.JSONField()

    class Meta:
        table = "sandbox_reports"
        indexes = (
            ("due_at",),
            # Without SMS, of which there are most: each send would pay for it.
            WhereIndex(
                fields=("channel", "due_at"),
                name="sandbox_reports_by_channel",
                where="channel <> 'sms'",
            ),
        )
