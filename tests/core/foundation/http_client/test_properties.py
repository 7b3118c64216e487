"""The address rule against two judges that know nothing of it: Python's `ipaddress` and the C
library's parser.
"""

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.foundation.http_client import OutboundPolicy, OutboundRefused, check_url
from core.foundation.http_client.addresses import is_public
from core.foundation.http_client.urls import parse_url

STRICT = OutboundPolicy()

V4 = st.one_of(st.integers(0, 2**32 - 1).map(IPv4Address), st.ip_addresses(v=4))
# Half of all random addresses of the whole space lie outside what was ever given out.
V6 = st.one_of(st.integers(2**125, 2**126 - 1).map(IPv6Address), st.ip_addresses(v=6))

EMBEDDING = (
    "::",
    "::ffff:0:0",
    "::ffff:0:0:0",
    "64:ff9b::",
    "64:ff9b:1::",
    "fe80::5efe:0:0",
    "fd00::",
)


def refused(url: str) -> bool:
    try:
        check_url(url, STRICT)
    except OutboundRefused:
        return True
    return False


def is_global_unicast(address: IPv4Address | IPv6Address) -> bool:
    """What Python's own tables say."""
    return (
        address.is_global
        and not address.is_multicast
        and not address.is_reserved
        and not address.is_unspecified
        and not address.is_loopback
        and not address.is_link_local
        and not address.is_private
    )


@given(V4 | V6)
def test_only_global_unicast_addresses_are_public(address: IPv4Address | IPv6Address) -> None:
    if is_public(address):
        assert is_global_unicast(address)
    else:
        host = f"[{address}]" if address.version == 6 else str(address)
        assert refused(f"https://{host}/")


@given(V4)
def test_no_ipv6_address_that_carries_an_ipv4_address_is_public(inside: IPv4Address) -> None:
    carriers = [IPv6Address(int(IPv6Address(prefix)) + int(inside)) for prefix in EMBEDDING]
    carriers.append(IPv6Address((0x2002 << 112) + (int(inside) << 80) + 1))  # 6to4
    carriers.append(
        IPv6Address((0x20010000 << 96) + (0x08080808 << 64) + (int(inside) ^ 0xFFFFFFFF))
    )  # Teredo
    assert not any(map(is_public, carriers))
    assert all(refused(f"https://[{carrier}]/") for carrier in carriers)


@given(V4)
def test_only_the_usual_spelling_of_an_address_is_taken(address: IPv4Address) -> None:
    number = int(address)
    first, second, third, fourth = address.packed
    spellings = [
        str(number), f"0{number:o}", hex(number), f"0X{number:X}",
        f"{first}.{number & 0xFFFFFF}", f"{first}.{second}.{number & 0xFFFF}",
        f"0x{first:x}.0x{second:x}.0x{third:x}.0x{fourth:x}", f"0{first:o}.0{second:o}.0{third:o}.0{fourth:o}",
        f"{first:03}.{second:03}.{third:03}.0{fourth:03}", f"[{address}]", f"[::ffff:{address}]",
    ]  # fmt: skip
    assert all(refused(f"https://{spelling}{dot}/") for spelling in spellings for dot in ("", "."))
    assert refused(f"https://{address}/") is not is_public(address)


HOSTS = st.one_of(
    st.from_regex(r"[0-9a-fxX.]{1,20}", fullmatch=True),
    st.lists(
        st.sampled_from(
            [
                "0",
                "1",
                "127",
                "0177",
                "0x7f",
                "00",
                "0x",
                "255",
                "256",
                "010",
                "8",
                "a",
                "0xg",
                "1e1",
            ]
        ),
        min_size=1,
        max_size=5,
    ).map(".".join),
    st.text("0123456789０１２７٠١२।。．｡.①②⑦xX", min_size=1, max_size=12),  # noqa: RUF001 - an attacker's letters
    st.from_regex(r"\[[0-9a-f:.%]{2,24}\]", fullmatch=True),
)


@given(HOSTS)
@example("127.0.0.1")
@example("0x7f.1")
@example("8.8.8.8")
@example("[::ffff:127.0.0.1]")
@example("[2606:4700::1%1]")
def test_what_the_system_reads_as_an_address_is_a_public_one_or_refused(host: str) -> None:
    try:
        taken = parse_url(f"https://{host}/", STRICT).raw_host or ""
    except OutboundRefused:
        return
    try:
        found = socket.getaddrinfo(taken, 443, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    except OSError:
        return  # a name, which is judged by what it leads to
    assert all(is_global_unicast(ip_address(str(sockaddr[0]))) for *_, sockaddr in found)


@given(
    st.text(max_size=40),
    st.sampled_from(["https://", "https://127.0.0.1", "https://example.com", ""]),
)
def test_any_text_is_judged_without_another_error_and_once_is_enough(
    text: str, before: str
) -> None:
    try:
        taken = check_url(before + text, STRICT)
    except OutboundRefused:
        return
    assert check_url(taken, STRICT) == taken
    assert taken.isascii()


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "200.147.3.157", "2001:4860:4860::8888", "2804:14c::1"]
)
def test_ordinary_addresses_are_public(address: str) -> None:
    # The other direction: a rule that refuses everything would keep to all of the above.
    assert is_public(ip_address(address))
