"""Ranks: there is always one between two others, and they stay short."""

import random
from collections.abc import Callable

import pytest

from core.cards.rank import MAX_RANK_LENGTH, rank_between, ranks_behind, spread

Put = Callable[[list[str], int], tuple[str | None, str | None]]


def in_order(ranks: list[str]) -> bool:
    as_bytes = [rank.encode() for rank in ranks]
    return as_bytes == sorted(set(as_bytes))


@pytest.mark.parametrize("seed", range(20))
def test_whatever_is_put_anywhere_stands_where_it_was_put(seed: int) -> None:
    draw = random.Random(seed)
    ranks: list[str] = []

    for _ in range(300):
        place = draw.randrange(len(ranks) + 1)
        low, high = (
            (ranks[place - 1] if place else None),
            (ranks[place] if place < len(ranks) else None),
        )
        ranks.insert(place, rank_between(low, high))

    assert in_order(ranks)
    assert not [
        rank for rank in ranks if rank.endswith("0") or not (rank.isascii() and rank.isalnum())
    ]


@pytest.mark.parametrize("seed", range(20))
def test_between_any_two_fractions_lies_another(seed: int) -> None:
    draw = random.Random(seed)

    for _ in range(500):
        digits = [draw.choice("01Vyz") for _ in range(draw.randrange(1, 7))]
        low, high = (
            "".join(draw.choices("01Vyz", k=len(digits))) + draw.choice("1Vz") for _ in range(2)
        )
        low, high = sorted((low, high))
        if low != high:
            assert low < rank_between(low, high) < high
            assert rank_between(None, low) < low < rank_between(low, None)


def test_cards_put_last_or_first_keep_short_ranks() -> None:
    last = first = rank_between(None, None)
    for _ in range(10_000):
        last, first = rank_between(last, None), rank_between(None, first)

    assert len(last) <= 4
    assert len(first) <= 4


def test_halving_one_gap_costs_a_digit_each_six_times() -> None:
    low, high = spread(2)
    for _ in range(120):
        high = rank_between(low, high)

    assert low < high
    assert len(high) <= 4 + 120 // 5


def test_a_gap_takes_many_cards_before_the_stage_is_numbered_anew() -> None:
    low, high = spread(2)
    count = 0
    while len(high) <= MAX_RANK_LENGTH:
        high = rank_between(low, high)
        count += 1

    assert count > 150


@pytest.mark.parametrize("last", [None, "V", "VVVV", "V0001z"])
def test_many_behind_the_last_are_in_order_and_behind_it(last: str | None) -> None:
    ranks = ranks_behind(last, 5_000)

    assert len(ranks) == 5_000
    assert in_order([*([last] if last else []), *ranks])
    assert max(map(len, ranks)) <= 4
    assert ranks_behind(last, 0) == []


@pytest.mark.parametrize("last", ["zzzz", "zzzzV"])
def test_behind_the_last_place_there_is_still_room(last: str) -> None:
    assert in_order([last, *ranks_behind(last, 20)])


@pytest.mark.parametrize("first", ["0001", "00001", "0000000001"])
def test_before_the_first_place_there_is_still_room(first: str) -> None:
    before = rank_between(None, first)

    assert before < first
    assert rank_between(None, before) < before


@pytest.mark.parametrize("count", [0, 1, 2, 50_000])
def test_a_stage_numbered_anew_has_short_ranks_in_order(count: int) -> None:
    ranks = spread(count)

    assert len(ranks) == count
    assert in_order(ranks)
    assert all(len(rank) <= 4 for rank in ranks)
