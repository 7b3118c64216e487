"""The app at Meta by which live conversations are carried."""

from typing import Annotated

from pydantic import Field, ValidationInfo, field_validator
from pydantic_settings import NoDecode

from core.foundation.settings.group import (
    SettingsGroup,
    an_address_to_build_on,
    comma_separated,
    empty_is_unset,
)


class MetaSettings(SettingsGroup):
    """The app at Meta by which live conversations are carried."""

    meta_app_secrets: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        repr=False,
        validation_alias="SVC_META_APP_SECRETS",
        description="Secret of the Meta app, and those of others that post to us, "
        "comma-separated, the app's first; "
        "without it live conversations answer 503",
        json_schema_extra={"secret": True},
    )
    meta_verify_token: str | None = Field(
        default=None,
        min_length=16,
        repr=False,
        validate_default=True,
        validation_alias="SVC_META_VERIFY_TOKEN",
        description="Word that Meta repeats when our callback address is registered there",
        json_schema_extra={"secret": True},
    )
    meta_access_token: str | None = Field(
        default=None,
        repr=False,
        validation_alias="SVC_META_ACCESS_TOKEN",
        description="Access token of numbers that have none of their own",
        json_schema_extra={"secret": True},
    )
    meta_app_id: str | None = Field(
        default=None,
        pattern=r"^[0-9]{1,40}$",
        validation_alias="SVC_META_APP_ID",
        description="Id of the Meta app; needed for templates with a file in their header",
    )
    meta_graph_url: str = Field(
        default="https://graph.facebook.com",
        validation_alias="SVC_META_GRAPH_URL",
        description="Address of the Graph API",
    )
    meta_instagram_url: str = Field(
        default="https://graph.instagram.com",
        validation_alias="SVC_META_INSTAGRAM_URL",
        description="Address of the Graph API for Instagram accounts",
    )
    meta_graph_version: str = Field(
        default="v24.0",
        pattern=r"^v[0-9]{1,3}\.[0-9]{1,2}$",
        validation_alias="SVC_META_GRAPH_VERSION",
        description="Version of the Graph API",
    )
    meta_timeout_seconds: float = Field(
        default=10.0,
        ge=0.1,
        le=60,
        validation_alias="SVC_META_TIMEOUT_SECONDS",
        description="Seconds until a send without Meta's answer counts as an unknown outcome",
    )

    _lists_of_meta = field_validator("meta_app_secrets", mode="before")(comma_separated)

    _unset_of_meta = field_validator(
        "meta_verify_token", "meta_access_token", "meta_app_id", mode="before"
    )(empty_is_unset)

    _addresses_of_meta = field_validator("meta_graph_url", "meta_instagram_url")(
        an_address_to_build_on
    )

    @field_validator("meta_app_secrets")
    @classmethod
    def _long_enough(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if any(len(secret) < 16 for secret in value):
            raise ValueError("each secret has at least 16 characters")
        return value

    @field_validator("meta_verify_token")
    @classmethod
    def _with_the_app_secrets(cls, value: str | None, others: ValidationInfo) -> str | None:
        # Secrets that are themselves wrong are missing here, and already named.
        if "meta_app_secrets" in others.data and (value is None) == bool(
            others.data["meta_app_secrets"]
        ):
            raise ValueError("set it together with SVC_META_APP_SECRETS, or neither")
        return value
