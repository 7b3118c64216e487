"""The table of the sandbox's scheduled reports."""

from tortoise import fields

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
        # One for all who look, since each send pays for each. The organization is no part of the order: whoever moves
        # the clock of one passes over the reports of others without reading them.
        indexes = (("channel", "due_at", "organization_id"),)
