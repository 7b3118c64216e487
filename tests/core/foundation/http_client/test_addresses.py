"""Which addresses a customer's URL may lead to."""
# ruff: noqa: SIM905 - tables read better than lists

from ipaddress import ip_network

import pytest

from core.foundation.http_client import OutboundPolicy, OutboundRefused
from core.foundation.http_client.addresses import check_address

NOTHING_PRIVATE = OutboundPolicy()
LOCAL = OutboundPolicy(allow_networks=(ip_network("127.0.0.0/8"), ip_network("fd00:1::/32")))
LOCAL_HTTP = OutboundPolicy(allow_http=True, allow_networks=LOCAL.allow_networks)

INSIDE_V4 = """
0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 127.0.0.1 127.255.255.254
172.16.0.1 172.31.255.255 192.168.0.1 192.168.255.255 100.64.0.1 100.127.255.255
""".split()

METADATA = """
169.254.0.1 169.254.169.254 169.254.170.2 100.100.100.200 168.63.129.16 192.0.0.192 fd00:ec2::254
""".split()

SPECIAL_V4 = """
192.0.0.1 192.0.2.1 198.51.100.1 203.0.113.1 198.18.0.1 198.19.255.255
192.31.196.1 192.52.193.1 192.88.99.1 192.175.48.1
224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.254 255.255.255.255
""".split()

# Compatible, mapped, translated, NAT64, 6to4 and Teredo.
V4_INSIDE_V6 = """
::127.0.0.1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1
64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b:1::7f00:1
2002:7f00:1:: 2002:808:808::1 2001::1 2001:0:53aa:64c:0:fffe:80ff:fffe
""".split()

SPECIAL_V6 = """
:: ::1 fc00::1 fdff::1 fe80::1 febf::1 fec0::1 ff02::1 ff0e::1 100::1 4000::1 5f00::1
2001:2::1 2001:10::1 2001:20::1 2001:db8::1 3fff::1 2620:4f:8000::1
""".split()

# A zone belongs to this machine, whatever the address.
ZONES = "fe80::1%eth0 fe80::1%1 ::1%lo 2606:4700:4700::1111%eth0".split()

# The neighbours of the networks above among them.
PUBLIC = """
1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
168.63.129.15 168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0
192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 203.0.112.255 203.0.114.0 223.255.255.255
2606:4700:4700::1111 2001:200::1 2001:4860:4860::8888 2003::1 2400::1 2a00:1450::1 3ffe::1
""".split()


def refusal(text: str, policy: OutboundPolicy, *, encrypted: bool = True) -> str | None:
    try:
        check_address(text, policy, encrypted=encrypted)
    except OutboundRefused as refused:
        return refused.reason
    return None


@pytest.mark.parametrize(
    "text", INSIDE_V4 + METADATA + SPECIAL_V4 + V4_INSIDE_V6 + SPECIAL_V6 + ZONES
)
@pytest.mark.parametrize("encrypted", [True, False])
def test_an_address_that_is_not_public_is_blocked(text: str, encrypted: bool) -> None:
    assert refusal(text, NOTHING_PRIVATE, encrypted=encrypted) == "ssrf_blocked"


@pytest.mark.parametrize("text", PUBLIC)
def test_a_public_address_takes_https_only(text: str) -> None:
    assert refusal(text, NOTHING_PRIVATE) is None
    assert refusal(text, NOTHING_PRIVATE, encrypted=False) == "insecure_scheme"
    assert refusal(text, LOCAL_HTTP, encrypted=False) == "insecure_scheme"


@pytest.mark.parametrize("text", ["127.0.0.1", "127.9.9.9", "fd00:1::5", "::1"])
def test_an_allowed_network_is_reachable_and_by_http_only_where_that_is_allowed_too(
    text: str,
) -> None:
    assert refusal(text, LOCAL) is None
    assert refusal(text, LOCAL, encrypted=False) == "insecure_scheme"
    assert refusal(text, LOCAL_HTTP, encrypted=False) is None


@pytest.mark.parametrize(
    "text", ["10.0.0.1", "169.254.169.254", "fd00:2::5", "::ffff:127.0.0.1", "::1%lo", "::2"]
)
@pytest.mark.parametrize("encrypted", [True, False])
def test_an_allowed_network_allows_nothing_else(text: str, encrypted: bool) -> None:
    assert refusal(text, LOCAL_HTTP, encrypted=encrypted) == "ssrf_blocked"


@pytest.mark.parametrize(
    "text", ["", "localhost", "127.1", "0177.0.0.1", "1.2.3.4.5", "256.0.0.1", "::g", "1.1.1.1 "]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    assert refusal(text, NOTHING_PRIVATE) == "invalid_url"


def test_only_who_allows_127_0_0_1_allows_the_ipv6_loopback() -> None:
    assert (
        refusal("::1", OutboundPolicy(allow_networks=(ip_network("127.0.0.2/32"),)))
        == "ssrf_blocked"
    )


def test_the_refusal_does_not_tell_where_a_name_led() -> None:
    with pytest.raises(OutboundRefused) as refused:
        check_address("10.1.2.3", NOTHING_PRIVATE, encrypted=True)
    assert "10.1.2.3" not in refused.value.message
