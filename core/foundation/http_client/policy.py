"""Outbound policy: what an operator may loosen, and the refusal that everything else ends in."""

from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network
from typing import Literal

Refusal = Literal["invalid_url", "insecure_scheme", "ssrf_blocked"]


@dataclass(frozen=True, slots=True)
class OutboundPolicy:
    """The two exceptions an operator may make; without arguments nothing private is reachable.

    `allow_networks` (SVC_WEBHOOK_ALLOW_NETWORKS) are reachable although they are not public.
    `allow_http` (SVC_WEBHOOK_ALLOW_HTTP) permits plain http, and only to addresses inside
    `allow_networks`.
    """

    allow_http: bool = False
    allow_networks: tuple[IPv4Network | IPv6Network, ...] = ()


class OutboundRefused(Exception):
    """We will not call this address.

    `reason` is the word of POST /webhooks/validate. `message` says what to do; it repeats neither
    the URL nor an address it resolved to, because a customer must not learn our network from it.
    """

    def __init__(self, reason: Refusal, message: str) -> None:
        super().__init__(message)
        self.reason: Refusal = reason
        self.message = message
