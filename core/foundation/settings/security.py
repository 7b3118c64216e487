"""Keys, log-ins, and whom the service may call."""

from ipaddress import IPv4Network, IPv6Network
from typing import Annotated, Literal

from pydantic import Field, field_validator
from pydantic_settings import NoDecode

from core.foundation.security.secrets import KeyRing
from core.foundation.settings.group import SettingsGroup, Switch, comma_separated

MAKE_KEY = 'python3 -c "import secrets; print(secrets.token_urlsafe(32))"'
"""A command that makes either of the two keys (32 bytes in base64url): shown wherever one is asked
for.
"""


class SecuritySettings(SettingsGroup):
    """Keys, log-ins, and whom the service may call."""

    hash_key: str = Field(
        min_length=16,
        repr=False,
        validation_alias="SVC_HASH_KEY",
        description="Secret behind the hashes of API keys and phones; it never rotates",
        json_schema_extra={"secret": True, "make": MAKE_KEY},
    )
    phone_hash: Literal["interface", "keyed"] = Field(
        default="interface",
        validation_alias="SVC_PHONE_HASH",
        description=(
            "keyed: without pii:full, phoneHash is of SVC_HASH_KEY too, and no guessing "
            "undoes its mask"
        ),
    )
    encryption_keys: Annotated[tuple[str, ...], NoDecode] = Field(
        min_length=1,
        repr=False,
        validation_alias="SVC_ENCRYPTION_KEYS",
        description="Base64 keys of 32 bytes, comma-separated, newest first",
        json_schema_extra={"secret": True, "make": MAKE_KEY},
    )
    log_in_failures_per_address: int = Field(
        default=100,
        ge=5,
        le=1_000_000,
        validation_alias="SVC_LOG_IN_FAILURES_PER_ADDRESS",
        description=(
            "Failed log-ins of one network address, whoever they name, in 15 minutes; "
            "more are refused"
        ),
    )
    webhook_allow_networks: Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode] = Field(
        default=(),
        validation_alias="SVC_WEBHOOK_ALLOW_NETWORKS",
        description="Private networks that outbound calls may reach, comma-separated CIDRs",
    )
    webhook_allow_http: Switch = Field(
        default="off",
        validation_alias="SVC_WEBHOOK_ALLOW_HTTP",
        description="on: http:// is accepted towards SVC_WEBHOOK_ALLOW_NETWORKS",
    )

    _lists_of_security = field_validator(
        "encryption_keys", "webhook_allow_networks", mode="before"
    )(comma_separated)

    @field_validator("encryption_keys")
    @classmethod
    def _readable(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        KeyRing.from_base64(value)
        return value
