"""What a caller may say about a key."""

from datetime import datetime, timedelta
from ipaddress import ip_network
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from core.foundation.clock import real_now
from core.foundation.security.caller import Env
from core.foundation.validation.inputs import (
    Changes,
    Input,
    KeptWhenLeftOut,
    QueryInput,
    SkipPage,
    UtcTime,
)
from core.foundation.validation.names import NameText
from core.organizations.keys.scopes import KeyScope
from core.organizations.keys.status import KeyStatus

MAX_LIFETIME = timedelta(days=400)
MAX_NETWORK_LENGTH = 49
"""Characters of the longest IPv6 network that anybody writes."""


def _network(text: str) -> str:
    """In CIDR form, a single address as itself: `203.0.113.0/24`, `2001:db8::1`."""
    try:
        found = ip_network(text)
    except ValueError:
        found = None
    # A zone (`%eth0`) names an interface of one machine; a mapped IPv4 address is compared as an
    # IPv4 one.
    if found is None or "%" in text or getattr(found.network_address, "ipv4_mapped", None):
        raise PydanticCustomError(
            "wrong_format",
            "Write an IPv4 or IPv6 address, or a network by its first address, such as "
            "203.0.113.0/24; IPv4 without "
            "::ffff: before it",
        )
    return str(found.network_address) if found.num_addresses == 1 else str(found)


def _once_each(values: list[str]) -> list[str]:
    return list(dict.fromkeys(values))


def _ahead(at: datetime) -> datetime:
    present = real_now()
    if at <= present:
        raise PydanticCustomError("too_small", "The key has to end in the future")
    if at > present + MAX_LIFETIME:
        raise PydanticCustomError(
            "too_large", "A key lives 400 days at most; leave this out for one without an end"
        )
    return at


Name = Annotated[str, NameText(120), Field(description="What the key is called")]
KeyScopes = Annotated[list[KeyScope], Field(min_length=1, max_length=100)]
Network = Annotated[str, StringConstraints(max_length=MAX_NETWORK_LENGTH), AfterValidator(_network)]
Networks = Annotated[
    list[Network],
    Field(min_length=1, max_length=50, description="Addresses or CIDR networks, IPv4 and IPv6"),
    AfterValidator(_once_each),
]


class NewKey(Input):
    """A key to issue. It can be used from anywhere unless `ips` names networks, and has no end
    unless one is given.
    """

    name: Name = Field(alias="nome")
    env: Env = Field(description="The environment that it works in")
    scopes: KeyScopes = Field(description="What it may do")
    expires_at: Annotated[UtcTime, AfterValidator(_ahead)] | None = Field(
        default=None,
        alias="expiraEm",
        description="When it stops opening, at most 400 days ahead; left out: never",
    )
    ips: Networks | None = None


class KeyChanges(Changes):
    """What changes about a key; what is left out stays. Scopes may only become fewer; `ips` null:
    from anywhere.
    """

    name: KeptWhenLeftOut[Name] = Field(default=None, alias="nome")
    scopes: KeptWhenLeftOut[KeyScopes] = Field(
        default=None, description="What it may do from now on: nothing that it may not do now"
    )
    ips: Networks | None = None


class KeyRotation(Input):
    """For how many hours the key so far still opens beside the new one; 0: not at all."""

    overlap_hours: Annotated[int, Field(ge=0, le=168)] = Field(
        default=24, alias="sobreposicaoHoras", description="Hours for which both keys open"
    )


class KeyRevocation(QueryInput):
    """What becomes of the webhook subscriptions of a key that is revoked."""

    close_webhooks: bool = Field(
        default=False,
        alias="encerrarWebhooks",
        description="true: the webhook subscriptions that were created with the key are paused",
    )


class KeyFilter(SkipPage):
    """Which keys to list."""

    env: Env | None = Field(
        default=None, description="Keys that open this environment; both unless told"
    )
    status: KeyStatus | None = Field(
        default=None, description="Keys that open now (`ativa`), ran out, or were revoked"
    )
