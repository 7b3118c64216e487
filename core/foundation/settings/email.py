"""The relay of live e-mail, and the service's own e-mails."""

import re
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import Field, ValidationInfo, field_validator

from core.foundation.settings.group import SettingsGroup, Switch, empty_is_unset


class EmailSettings(SettingsGroup):
    """The relay of live e-mail, and the service's own e-mails."""

    account_letters_from: str | None = Field(
        default=None,
        validation_alias="SVC_ACCOUNT_LETTERS_FROM",
        description=(
            "Sender of invitations and password e-mails: no-reply@example.com; unless "
            "set, the organization's first"
        ),
    )
    account_page: str | None = Field(
        default=None,
        validation_alias="SVC_ACCOUNT_PAGE",
        description=(
            "Address of the page behind the links of those e-mails; unless set, /account "
            "of the service"
        ),
    )
    smtp_url: str | None = Field(
        default=None,
        validation_alias="SVC_SMTP_URL",
        description=(
            "Relay of live e-mail: smtp://host:587, or smtps://host:465; without it live "
            "e-mail answers 503"
        ),
    )
    smtp_user: str | None = Field(
        default=None,
        validation_alias="SVC_SMTP_USER",
        description="Name to log in to the relay with; without it, no log-in",
    )
    smtp_password: str | None = Field(
        default=None,
        repr=False,
        validate_default=True,
        validation_alias="SVC_SMTP_PASSWORD",
        description="Password to log in to the relay with",
        json_schema_extra={"secret": True},
    )
    smtp_starttls: Switch = Field(
        default="on",
        validation_alias="SVC_SMTP_STARTTLS",
        description=(
            "on: smtp:// is encrypted before anything is sent, or nothing is; off: only "
            "for a relay next door"
        ),
    )
    smtp_ca_file: Path | None = Field(
        default=None,
        validation_alias="SVC_SMTP_CA_FILE",
        description=(
            "Certificates (PEM) that the relay's is checked with; without it, those of the machine"
        ),
    )
    smtp_timeout_seconds: float = Field(
        default=30.0,
        ge=0.1,
        le=600,
        validation_alias="SVC_SMTP_TIMEOUT_SECONDS",
        description="Seconds to wait for each answer of the relay",
    )
    smtp_connections: int = Field(
        default=4,
        ge=1,
        le=100,
        validation_alias="SVC_SMTP_CONNECTIONS",
        description="Connections to the relay that a worker has at most",
    )
    smtp_feedback_secret: str | None = Field(
        default=None,
        min_length=16,
        repr=False,
        validation_alias="SVC_SMTP_FEEDBACK_SECRET",
        description=(
            "Secret that signs what is posted about bounces and complaints; without it, "
            "no such address"
        ),
        json_schema_extra={"secret": True},
    )

    _unset_of_email = field_validator(
        "smtp_url",
        "smtp_user",
        "smtp_password",
        "smtp_ca_file",
        "smtp_feedback_secret",
        mode="before",
    )(empty_is_unset)

    @field_validator("account_letters_from")
    @classmethod
    def _an_address(cls, value: str | None) -> str | None:
        if value is not None and not re.fullmatch(r"[^\s@<>]{1,64}@[A-Za-z0-9.-]{1,255}", value):
            raise ValueError("write an address: no-reply@example.com")
        return value

    @field_validator("smtp_url")
    @classmethod
    def _a_relay(cls, value: str | None) -> str | None:
        if value is None:
            return None
        try:
            parts = urlsplit(value)
            sound = parts.scheme in ("smtp", "smtps") and bool(parts.hostname) and parts.port != 0
        except ValueError:  # its message repeats the value
            sound = False
        if (
            not sound
            or "@" in parts.netloc
            or parts.path.strip("/")
            or parts.query
            or parts.fragment
        ):
            raise ValueError("write smtp://host:port or smtps://host:port, without credentials")
        return value

    @field_validator("smtp_password")
    @classmethod
    def _with_the_user(cls, value: str | None, others: ValidationInfo) -> str | None:
        if "smtp_user" in others.data and (value is None) != (others.data["smtp_user"] is None):
            raise ValueError("set it together with SVC_SMTP_USER, or neither")
        return value
