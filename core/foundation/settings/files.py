"""Where files are kept."""

import re
from pathlib import Path

from pydantic import Field, field_validator

from core.foundation.settings.group import SettingsGroup, an_address_to_build_on, empty_is_unset


class FileSettings(SettingsGroup):
    """Where files are kept."""

    data_dir: Path = Field(
        default=Path(".svc"), validation_alias="SVC_DATA_DIR", description="Folder of local data"
    )
    media_store: str = Field(
        default="folder",
        validation_alias="SVC_MEDIA_STORE",
        description=(
            "Where files are: folder (SVC_DATA_DIR/blobs), or s3://bucket, with the AWS "
            "tools' credentials"
        ),
    )
    s3_endpoint: str | None = Field(
        default=None,
        validation_alias="SVC_S3_ENDPOINT",
        description=(
            "Address of an S3-compatible service that our readers reach too; without it, AWS"
        ),
    )
    s3_region: str = Field(
        default="us-east-1",
        validation_alias="SVC_S3_REGION",
        description="Region of the bucket",
    )

    _unset_of_files = field_validator("s3_endpoint", mode="before")(empty_is_unset)

    _addresses_of_files = field_validator("s3_endpoint")(an_address_to_build_on)

    @field_validator("media_store", mode="before")
    @classmethod
    def _a_store(cls, value: object) -> object:
        if (
            value
            and value != "folder"
            and not re.fullmatch(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]", str(value))
        ):
            raise ValueError("write folder, or s3:// and the name of a bucket")
        return value or "folder"

    @property
    def s3_bucket(self) -> str | None:
        """The bucket that files are kept in; None: they are in a folder."""
        return self.media_store.removeprefix("s3://") if self.media_store != "folder" else None
