"""The list of cells and the directory. Their rows lie in the home; in other cells the tables are empty."""

from enum import StrEnum

from tortoise import fields
from tortoise.migrations.constraints import UniqueConstraint
from tortoise.models import Model


class CellState(StrEnum):
    OPEN = "open"
    DRAINING = "draining"


class KeyKind(StrEnum):
    """What names an organization without saying which: each is known by a hash."""

    API_KEY = "api_key"
    SESSION = "session"
    EMAIL = "email"
    LINK = "link"
    PLATFORM_ID = "platform_id"
    SMPP = "smpp"


OF_THE_HOME = (
    "cells",
    "directory_entries",
    "failed_log_ins",
    "organization_cells",
    "smpp_link_messages",
    "smpp_link_parts",
    "smpp_link_reports",
)
"""Tables that only the home has rows in, also where these name an organization: they move with nobody."""


class CellRow(Model):
    """A database of the installation besides the home. `state`: a `draining` one takes no new organizations."""

    name = fields.CharField(max_length=24, primary_key=True)
    url_cipher = fields.TextField()
    state = fields.CharEnumField(CellState, max_length=12, db_default="open")
    created_at = fields.DatetimeField()

    class Meta:
        table = "cells"


class OrganizationCell(Model):
    """In which cell an organization lives that does not live in the home."""

    organization_id = fields.CharField(max_length=30, primary_key=True)
    cell = fields.CharField(max_length=24)
    changed_at = fields.DatetimeField()

    class Meta:
        table = "organization_cells"
        indexes = (("cell",),)


class DirectoryEntry(Model):
    """Whose a credential, an address or an id is, where that lives in another cell than the home. `key_hash`: as the
    owner's own table has it, or a keyed hash.
    """

    id = fields.BigIntField(primary_key=True)
    kind = fields.CharEnumField(KeyKind, max_length=12)
    key_hash = fields.BinaryField()
    organization_id = fields.CharField(max_length=30)
    noted_at = fields.DatetimeField()

    class Meta:
        table = "directory_entries"
        indexes = (("organization_id",),)
        constraints = (
            UniqueConstraint(
                fields=("kind", "key_hash", "organization_id"), name="directory_entries_key"
            ),
        )
