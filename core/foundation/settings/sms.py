"""Sandbox, gateway, SMPP, and who carries which route of live SMS."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationInfo, field_validator
from pydantic_settings import NoDecode

from core.foundation.settings.group import (
    SettingsGroup,
    Switch,
    an_address_to_build_on,
    empty_is_unset,
)


class SmsSettings(SettingsGroup):
    """Sandbox, gateway, SMPP, and who carries which route of live SMS."""

    sandbox_delay_seconds: float = Field(
        default=3.0,
        ge=0,
        le=3600,
        validation_alias="SVC_SANDBOX_DELAY_SECONDS",
        description="Seconds between a sandbox acceptance and its delivery report",
    )
    gateway_url: str | None = Field(
        default=None,
        validation_alias="SVC_GATEWAY_URL",
        description=(
            "Address of the gateway that takes live SMS and RCS; without it live sends answer 503"
        ),
    )
    gateway_secret: str | None = Field(
        default=None,
        min_length=16,
        repr=False,
        validate_default=True,
        validation_alias="SVC_GATEWAY_SECRET",
        description=(
            "Secret shared with the gateway: it signs our requests and the gateway's callbacks"
        ),
        json_schema_extra={"secret": True},
    )
    gateway_timeout_seconds: float = Field(
        default=10.0,
        ge=0.1,
        le=60,
        validation_alias="SVC_GATEWAY_TIMEOUT_SECONDS",
        description=(
            "Seconds until a send without the gateway's answer counts as an unknown outcome"
        ),
    )
    callbacks_v1_until: date = Field(
        default=date(2027, 11, 30),
        validation_alias="SVC_CALLBACKS_V1_UNTIL",
        description=(
            "Day (UTC) from which callbacks of the gateway and the relay must be signed "
            "by v2; v1 ends with it"
        ),
    )
    sms_providers: Annotated[Mapping[str, tuple[str, ...]], NoDecode] = Field(
        default={},
        validate_default=True,
        validation_alias="SVC_SMS_PROVIDERS",
        description="Who carries which route of live SMS, as "
        "otp=cloud-eum/gateway,premium=gateway; behind the / who is "
        "asked after a clear refusal; without it, all by the first that is set: "
        "gateway, cloud-eum, cloud-sns",
    )
    smpp_cert: Path | None = Field(
        default=None,
        validation_alias="SVC_SMPP_CERT",
        description="Certificate chain (PEM) by which svc smpp speaks TLS; read again at SIGHUP",
    )
    smpp_key: Path | None = Field(
        default=None,
        validation_alias="SVC_SMPP_KEY",
        description="Private key (PEM) of SVC_SMPP_CERT",
    )
    smpp_client_ca: Path | None = Field(
        default=None,
        validation_alias="SVC_SMPP_CLIENT_CA",
        description="Authorities (PEM) of the certificates that clients of svc smpp may show",
    )
    smpp_plain: Switch = Field(
        default="off",
        validation_alias="SVC_SMPP_PLAIN",
        description="on: svc smpp listens without TLS on other addresses than loopback too",
    )

    _unset_of_sms = field_validator(
        "gateway_url", "gateway_secret", "smpp_cert", "smpp_key", "smpp_client_ca", mode="before"
    )(empty_is_unset)

    _addresses_of_sms = field_validator("gateway_url")(an_address_to_build_on)

    @field_validator("gateway_secret")
    @classmethod
    def _with_the_address(cls, value: str | None, others: ValidationInfo) -> str | None:
        # An address that is itself wrong is missing here, and already named.
        if "gateway_url" in others.data and (value is None) != (others.data["gateway_url"] is None):
            raise ValueError("set it together with SVC_GATEWAY_URL, or neither")
        return value

    @field_validator("sms_providers", mode="before")
    @classmethod
    def _by_route(cls, value: object) -> object:
        return sms_providers_of(value) if isinstance(value, str) else value


SMS_ROUTES = ("premium", "otp", "la_dedicada")
SMS_PROVIDERS = ("gateway", "cloud-eum", "cloud-sns")
MAX_CARRIERS = 2
"""Who carries a route, and who is asked after a clear refusal."""


def sms_providers_of(text: str) -> dict[str, tuple[str, ...]]:
    """`otp=cloud-eum/gateway,premium=gateway`, read. Raises ValueError."""
    found: dict[str, tuple[str, ...]] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        route, _, names = part.partition("=")
        carriers = tuple(names.split("/"))
        if route not in SMS_ROUTES or route in found:
            raise ValueError(f"name each route once, of {', '.join(SMS_ROUTES)}: route=provider")
        if not set(carriers) <= set(SMS_PROVIDERS) or len({*carriers}) != len(carriers):
            raise ValueError(f"name providers of {', '.join(SMS_PROVIDERS)}, each once")
        if len(carriers) > MAX_CARRIERS:
            raise ValueError("name one provider of a route, and one behind a / at most")
        found[route] = carriers
    return found
