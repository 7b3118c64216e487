"""The published prices, and the arithmetic at the edges of their bands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import wallet
from core.wallet.price_table import (
    CONVERSATION_TEMPLATE,
    EMAIL,
    PUSH,
    RCS,
    SMS,
    SMS_REPLY,
    Band,
    bands_of,
    defects_of,
    has_table_price,
    price_of_segments,
)


def coin_by_coin(route: str, accepted: int, segments: int) -> int:
    """The price, looked up for each segment by its own ordinal."""
    return sum(
        next(band.coins for band in reversed(SMS[route]) if band.from_segment <= ordinal)
        for ordinal in range(accepted + 1, accepted + segments + 1)
    )


@pytest.mark.parametrize(
    ("route", "accepted", "segments", "coins"),
    [
        ("premium", 0, 1, 800),
        ("premium", 0, 3, 2_400),
        ("premium", 9_997, 1, 800),
        ("premium", 9_998, 1, 800),  # the 9,999th
        ("premium", 9_999, 1, 720),  # the 10,000th
        ("premium", 9_998, 2, 800 + 720),  # one message across the edge
        ("premium", 9_997, 4, 2 * 800 + 2 * 720),
        ("premium", 10_000, 1, 720),
        ("premium", 99_998, 1, 720),
        ("premium", 99_999, 1, 650),
        ("premium", 99_998, 2, 720 + 650),
        ("premium", 5_000_000, 10, 6_500),
        ("premium", 0, 100_000, 9_999 * 800 + 90_000 * 720 + 650),
        ("otp", 0, 1, 950),
        ("otp", 9_998, 2, 950 + 870),
        ("otp", 9_999, 1, 870),
        ("otp", 99_998, 2, 870 + 800),
        ("otp", 99_999, 1, 800),
    ],
)
def test_a_segment_pays_the_band_of_its_own_ordinal(
    route: str, accepted: int, segments: int, coins: int
) -> None:
    assert price_of_segments(SMS[route], accepted=accepted, segments=segments) == coins


def test_no_segments_cost_nothing() -> None:
    assert price_of_segments(SMS["premium"], accepted=9_999, segments=0) == 0


@given(
    route=st.sampled_from(sorted(SMS)),
    accepted=st.one_of(
        st.integers(0, 20), st.integers(9_980, 10_010), st.integers(99_980, 100_010)
    ),
    segments=st.integers(0, 30),
)
def test_the_price_is_the_sum_of_its_segments(route: str, accepted: int, segments: int) -> None:
    assert price_of_segments(SMS[route], accepted=accepted, segments=segments) == coin_by_coin(
        route, accepted, segments
    )


@given(accepted=st.integers(0, 200_000), first=st.integers(0, 50), second=st.integers(0, 50))
def test_two_messages_cost_what_one_of_both_lengths_costs(
    accepted: int, first: int, second: int
) -> None:
    bands = SMS["premium"]
    apart = price_of_segments(bands, accepted=accepted, segments=first) + price_of_segments(
        bands, accepted=accepted + first, segments=second
    )

    assert apart == price_of_segments(bands, accepted=accepted, segments=first + second)


@pytest.mark.parametrize(
    ("route", "priced"), [("premium", True), ("otp", True), ("la_dedicada", False), ("", False)]
)
def test_only_the_dedicated_route_is_quoted(route: str, priced: bool) -> None:
    assert has_table_price(route) is priced
    assert wallet.has_table_price(route) is priced


def test_the_other_published_prices() -> None:
    assert RCS == {"easy_rcs": 1_200, "easy_otp_rcs": 1_400}
    assert PUSH == {"simple": 20, "rich": 40, "silent": 10}
    assert (SMS_REPLY, EMAIL, CONVERSATION_TEMPLATE) == (200, 10, 400)


@pytest.mark.parametrize("route", SMS)
def test_the_published_tables_have_no_defects(route: str) -> None:
    assert defects_of(SMS[route]) is None


@pytest.mark.parametrize(
    ("bands", "defect"),
    [
        ([], "begins at segment 1"),
        ([(2, 800)], "begins at segment 1"),
        ([(0, 800)], "begins at segment 1"),
        ([(1, 800), (1, 700)], "after the one before"),
        ([(1, 800), (100, 700), (50, 600)], "after the one before"),
        ([(1, 800), (100, 801)], "never rises"),
        ([(1, 800), (100, 700), (200, 750)], "never rises"),
        ([(1, -1)], "never negative"),
        ([(1, 800), (100, -1)], "never negative"),
    ],
)
def test_a_table_with_a_defect_is_told_so(bands: list[tuple[int, int]], defect: str) -> None:
    assert defect in str(defects_of(bands_of(bands)))


@pytest.mark.parametrize(
    "bands", [[(1, 0)], [(1, 800)], [(1, 800), (2, 800)], [(1, 800), (100, 700), (1_000, 0)]]
)
def test_a_sound_table_has_none(bands: list[tuple[int, int]]) -> None:
    assert defects_of(bands_of(bands)) is None
    assert bands_of(bands)[0] == Band(*bands[0])
