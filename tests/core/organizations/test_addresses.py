"""Where a request comes from."""

import pytest

from core.organizations.addresses import household_of, is_within, networks_of


def test_no_list_and_an_empty_list_are_told_apart() -> None:
    assert networks_of(None) is None
    assert networks_of([]) == ()
    assert not is_within("203.0.113.7", ())


@pytest.mark.parametrize(
    ("address", "within"),
    [
        ("10.0.0.0", True),
        ("10.255.255.255", True),
        ("11.0.0.0", False),
        ("::ffff:10.1.2.3", True),
        ("::ffff:a01:203", True),
        ("2001:db8::", True),
        ("2001:0DB8:0:0:0:0:0:1", True),
        ("2001:db9::", False),
        ("10.0.0", False),
        ("10.0.0.0/8", False),
        ("localhost", False),
        ("", False),
        (None, False),
    ],
)
def test_an_address_lies_in_a_network_however_it_is_spelt(
    address: str | None, within: bool
) -> None:
    networks = networks_of(["10.0.0.0/8", "2001:db8::/32"])
    assert networks is not None

    assert is_within(address, networks) is within


@pytest.mark.parametrize(
    ("address", "household"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:0:1::1", "2001:db8:0:1::/64"),
        ("2001:db8:0:1:ffff:ffff:ffff:ffff", "2001:db8:0:1::/64"),
        ("2001:db8:0:2::1", "2001:db8:0:2::/64"),
        ("a socket", "a socket"),
        ("", ""),
        (None, ""),
    ],
)
def test_a_place_is_an_ipv4_address_or_half_of_an_ipv6_one(
    address: str | None, household: str
) -> None:
    assert household_of(address) == household
