"""How long rows are kept."""

from typing import Literal

from pydantic import Field

from core.foundation.settings.group import SettingsGroup


class RetentionSettings(SettingsGroup):
    """How long rows are kept."""

    archive_after_days: int | None = Field(
        default=None,
        ge=1,
        le=36_500,
        validation_alias="SVC_ARCHIVE_AFTER_DAYS",
        description=(
            "Age in days at which finished conversational messages become archived; "
            "without it, never"
        ),
    )
    keep_messages_months: int | None = Field(
        default=None,
        ge=1,
        le=600,
        validation_alias="SVC_KEEP_MESSAGES_MONTHS",
        description="Whole months for which messages and their receipts are kept, once the "
        "tables are partitioned "
        "(`svc partitions enable`); without it, for ever",
    )
    keep_audit_months: int | None = Field(
        default=None,
        ge=1,
        le=600,
        validation_alias="SVC_KEEP_AUDIT_MONTHS",
        description="The same for the audit trail; without it, for ever",
    )
    keep_events_days: int = Field(
        default=30,
        ge=30,
        le=3_660,
        validation_alias="SVC_KEEP_EVENTS_DAYS",
        description="Days for which events and their deliveries are kept and can be sent again; "
        "the interface promises "
        "30, and they hold personal data",
    )
    keep_attempts_days: int = Field(
        default=30,
        ge=1,
        le=3_660,
        validation_alias="SVC_KEEP_ATTEMPTS_DAYS",
        description="Days for which each attempt at a delivery, with the beginning of its "
        "answer, is kept; no longer "
        "than its event",
    )
    retention_export: Literal["off", "parquet"] = Field(
        default="off",
        validation_alias="SVC_RETENTION_EXPORT",
        description="`parquet`: a month that is over is written to the store of files before it "
        "is dropped (needs the "
        "extra `parquet`)",
    )
