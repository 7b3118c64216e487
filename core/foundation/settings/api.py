"""What the API answers: addresses, browsers, GraphQL, times, and how it stops."""

import re
from ipaddress import IPv4Network, IPv6Network
from typing import Annotated

from pydantic import Field, field_validator
from pydantic_settings import NoDecode

from core.foundation.settings.group import (
    SettingsGroup,
    Switch,
    an_address_to_build_on,
    comma_separated,
)


class ApiSettings(SettingsGroup):
    """What the API answers: addresses, browsers, GraphQL, times, and how it stops."""

    base_url: str = Field(
        default="http://127.0.0.1:8000",
        validation_alias="SVC_BASE_URL",
        description="Public address of the service, used in links and problem types",
    )
    trusted_proxies: Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode] = Field(
        default=(),
        validation_alias="SVC_TRUSTED_PROXIES",
        description=(
            "Networks of our own proxies, comma-separated CIDRs: their X-Forwarded-For "
            "names the client"
        ),
    )
    cors_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        validation_alias="SVC_CORS_ORIGINS",
        description=(
            "Origins whose pages may call the service from a browser, comma-separated: "
            "https://app.example.com"
        ),
    )
    asgi_middleware: str | None = Field(
        default=None,
        pattern=r"^[A-Za-z_][\w.]*:[A-Za-z_]\w*$",
        validation_alias="SVC_ASGI_MIDDLEWARE",
        description=(
            "package.module:name of a callable that wraps the API's ASGI application, as "
            "for Sentry or OpenTelemetry"
        ),
    )
    graphql_compiled: Switch = Field(
        default="on",
        validation_alias="SVC_GRAPHQL_COMPILED",
        description=(
            "off: graphql-core completes every answer of /graphql by itself, several times slower"
        ),
    )
    graphql_registered_only: Switch = Field(
        default="off",
        validation_alias="SVC_GRAPHQL_REGISTERED_ONLY",
        description="on: /graphql answers the operations of the console and no others",
    )
    request_seconds: float = Field(
        default=30.0,
        ge=0.1,
        le=3600,
        validation_alias="SVC_REQUEST_SECONDS",
        description=(
            "Seconds that the API takes for a request that came whole; then it is undone "
            "and answered 503"
        ),
    )
    keep_alive_seconds: int = Field(
        default=75,
        ge=1,
        le=3600,
        validation_alias="SVC_KEEP_ALIVE_SECONDS",
        description=(
            "Seconds that the API keeps a connection open between requests: longer than "
            "its balancer does"
        ),
    )
    drain_notice_seconds: float = Field(
        default=0.0,
        ge=0,
        le=120,
        validation_alias="SVC_DRAIN_NOTICE_SECONDS",
        description=(
            "Seconds between SIGTERM and the closing of the API's port; /readyz says 503 meanwhile"
        ),
    )
    drain_seconds: int = Field(
        default=15,
        ge=1,
        le=600,
        validation_alias="SVC_DRAIN_SECONDS",
        description="Seconds that open requests get to finish once the API's port is closed",
    )

    _lists_of_api = field_validator("trusted_proxies", "cors_origins", mode="before")(
        comma_separated
    )

    _addresses_of_api = field_validator("base_url")(an_address_to_build_on)

    @field_validator("cors_origins")
    @classmethod
    def _as_browsers_write_them(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not all(map(_is_origin, value)):
            raise ValueError(
                "write each origin as browsers do: https://app.example.com, in lower case, "
                "without a path, without the "
                "port where it is the usual one; there is no * for all"
            )
        return value


ORIGIN = re.compile(
    r"https?://(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::[1-9][0-9]{0,4})?", re.ASCII
)


def _is_origin(text: str) -> bool:
    """Whether a browser would write an origin so."""
    usual = {"http": ":80", "https": ":443"}
    return ORIGIN.fullmatch(text) is not None and not text.endswith(usual[text.partition(":")[0]])
