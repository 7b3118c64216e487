"""The network address that a request comes from."""

from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Network = IPv4Network | IPv6Network

MAX_LENGTH = 64
"""Characters of an address, the name of a zone included; what is longer comes from a header and is
none.
"""

HOUSEHOLD_BITS = 64
"""Of an IPv6 address: whoever has one has all that begin like it, and may change it with each
request.
"""


def networks_of(cidrs: Sequence[str] | None) -> tuple[Network, ...] | None:
    """The networks of a key's list; None: the key may be used from anywhere."""
    return None if cidrs is None else tuple(ip_network(cidr, strict=False) for cidr in cidrs)


def is_within(address: str | None, networks: Sequence[Network]) -> bool:
    """Whether the address lies in one of the networks. What is no address (a socket file) lies in
    none.
    """
    parsed = None if address is None else _parsed(address)
    return parsed is not None and any(parsed in network for network in networks)


def household_of(address: str | None) -> str:
    """What stands for one place in the network: an IPv4 address, or the first half of an IPv6 one."""
    parsed = None if address is None else _parsed(address)
    if isinstance(parsed, IPv6Address):
        return str(ip_network((int(parsed), HOUSEHOLD_BITS), strict=False))
    return str(parsed or (address or "")[:MAX_LENGTH])


def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    return _read(text) if len(text) <= MAX_LENGTH else None


@lru_cache(maxsize=4096)
def _read(text: str) -> IPv4Address | IPv6Address | None:
    """The address, an IPv4 one also where a dual-stack socket spells it as IPv6; None for what is
    none.
    """
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
