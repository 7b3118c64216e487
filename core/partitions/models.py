"""Months that were taken out of their table and are on their way out of the database."""

from tortoise import fields
from tortoise.models import Model


class DetachedPartition(Model):
    """A partition that was detached by retention: a table of its own, until it is exported, cleaned up and dropped.

    `exported_pages` and `cleaned_pages` say how far that has come, in pages of the table; `files` counts the files of
    its export. `row_count` is exact, from the moment of detaching.
    """

    name = fields.CharField(max_length=63, primary_key=True)
    table_name = fields.CharField(max_length=63)
    since = fields.DateField(null=True)
    until = fields.DateField()
    row_count = fields.BigIntField()
    exported = fields.BooleanField(db_default=False)
    exported_pages = fields.BigIntField(db_default=0)
    files = fields.IntField(db_default=0)
    cleaned_pages = fields.BigIntField(db_default=0)
    detached_at = fields.DatetimeField()
    dropped_at = fields.DatetimeField(null=True)

    class Meta:
        table = "detached_partitions"
