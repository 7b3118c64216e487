"""Address rule (SSRF protection): a table of the networks that must not be connected to.

`ipaddress.is_global` is not that table: it says yes to NAT64 and 6to4 addresses that carry
127.0.0.1 inside, and its answers change between patch releases of Python. Source: the IANA
special-purpose address registries.
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from core.foundation.http_client.policy import OutboundPolicy, OutboundRefused

_NOT_PUBLIC_V4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network; Linux connects 0.0.0.0 to itself
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carrier-grade NAT; holds a cloud's metadata service too
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # public by number, but the host agent of one large cloud
        "169.254.0.0/16",  # link-local; holds most clouds' metadata service
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # AMT
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "192.175.48.0/24",  # AS112
        "198.18.0.0/15",  # benchmarking
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and the broadcast address
    )
)

# Everything outside is loopback, unspecified, v4-compatible, v4-mapped, NAT64, ULA, link-local,
# site-local, segment routing, multicast or not assigned.
_UNICAST_V6 = IPv6Network("2000::/3")

_NOT_PUBLIC_V6 = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments: Teredo, ORCHID, benchmarking
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: an IPv4 address in disguise
        "2620:4f:8000::/48",  # AS112
        "3fff::/20",  # documentation
    )
)


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """True for global unicast addresses that carry no other address inside."""
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _NOT_PUBLIC_V4)
    if address.scope_id is not None or address not in _UNICAST_V6:
        return False
    return not any(address in network for network in _NOT_PUBLIC_V6)


def _is_allowed(address: IPv4Address | IPv6Address, policy: OutboundPolicy) -> bool:
    # `localhost` has two addresses on most machines. Who allows 127.0.0.1 means this machine, and
    # one address left out would refuse the name.
    if address == IPv6Address("::1"):
        ipv4_loopback = IPv4Address("127.0.0.1")
        return any(
            address in network or ipv4_loopback in network for network in policy.allow_networks
        )
    return any(address in network for network in policy.allow_networks)


def check_address(text: str, policy: OutboundPolicy, *, encrypted: bool) -> None:
    """Refuse the textual IP address `text` unless a connection to it is allowed.

    `encrypted` is False for plain http, which needs more than a public address. Raises
    `OutboundRefused`: ssrf_blocked, insecure_scheme, or invalid_url when `text` is no address at
    all.
    """
    try:
        address = ip_address(text)
    except ValueError:
        raise OutboundRefused("invalid_url", "The host is not a valid IP address.") from None
    if _is_allowed(address, policy):
        if encrypted or policy.allow_http:
            return
    elif not is_public(address):
        raise OutboundRefused("ssrf_blocked", "The host must be reachable on the public internet.")
    elif encrypted:
        return
    raise OutboundRefused("insecure_scheme", "Use an https address.")
