"""The table of orphaned files: stored, and held by no record."""

from tortoise import fields

from core.foundation.database.tenancy import OwnedModel


class OrphanedBlob(OwnedModel):
    """A file to be removed at `due_at` unless a record takes it before. Written before the bytes are, so that a crash
    leaves no file behind that nobody knows of; and again when the record is deleted.
    """

    key = fields.CharField(max_length=120, primary_key=True)
    due_at = fields.DatetimeField()

    class Meta:
        table = "unheld_blobs"
        indexes = (("due_at",),)
