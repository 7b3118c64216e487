"""The table of uploaded files."""

from datetime import UTC, datetime

from tortoise import fields

from core.foundation.database.indexes import WhereIndex
from core.foundation.database.tenancy import OwnedModel
from core.foundation.described_enum import DescribedEnum

NEVER_EXPIRES = datetime(9999, 1, 1, tzinfo=UTC)
"""`expires_at` of a file that a message holds."""


class MediaKind(DescribedEnum):
    """What a file is shown as."""

    IMAGE = "image", "A picture"
    AUDIO = "audio", "Sound"
    VIDEO = "video", "A film"
    DOCUMENT = "document", "A file to be opened, of any type"
    STICKER = "sticker", "A sticker"


class MediaFile(OwnedModel):
    """A file that was uploaded for a number. Its id is ours; `platform_id` is the one that the platform gave it.

    `blob_key`: where our copy lies; null once it was removed. `voice`: mono Ogg/Opus. `expires_at`: when our copy
    goes, NEVER_EXPIRES once a message was made of it; new messages can use the file for 30 days after `created_at`.
    """

    id = fields.CharField(max_length=30, primary_key=True)
    number_id = fields.CharField(max_length=30)
    kind = fields.CharEnumField(MediaKind, max_length=8)
    mime_type = fields.CharField(max_length=120)
    filename = fields.CharField(max_length=255)
    size = fields.BigIntField()
    sha256 = fields.CharField(max_length=64)
    voice = fields.BooleanField()
    blob_key = fields.CharField(max_length=200, null=True)
    platform_id = fields.CharField(max_length=200, null=True)
    created_at = fields.DatetimeField()
    expires_at = fields.DatetimeField()

    class Meta:
        table = "media_files"
        indexes = (
            WhereIndex(
                fields=("expires_at",), name="media_files_to_remove", where="blob_key IS NOT NULL"
            ),
        )
