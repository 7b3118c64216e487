from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.journeys.graph import defects, in_order, ways_of


def straight(*ids: str) -> list[dict[str, Any]]:
    """Steps in a row."""
    return [
        {"id": id, "tipo": "espera", "config": {}, "proximo": following}
        for id, following in zip(ids, [*ids[1:], None], strict=True)
    ]


def found(steps: list[dict[str, Any]], entry: str | None) -> list[tuple[str, str]]:
    return [("/".join(map(str, defect.place)), defect.code) for defect in defects(steps, entry)]


def test_steps_in_a_row_are_sound() -> None:
    assert found(straight("a", "b", "c"), "a") == []
    assert in_order(straight("a", "b", "c"), "a") == ["a", "b", "c"]


def test_a_journey_may_have_no_steps_yet() -> None:
    assert found([], None) == []
    assert in_order([], None) == []


def test_a_journey_without_steps_begins_with_none() -> None:
    assert found([], "a") == [("entradaPasso", "PASSO_DESCONHECIDO")]


@pytest.mark.parametrize(
    ("step", "ways"),
    [
        ({"proximo": "b"}, {("proximo",): "b"}),
        (
            {"config": {"seSim": "b", "seNao": "c"}},
            {("config", "seSim"): "b", ("config", "seNao"): "c"},
        ),
        ({"config": {"seOcorrer": "b", "seExpirar": None}}, {("config", "seOcorrer"): "b"}),
        (
            {"config": {"ramos": [{"percentual": 1}, {"percentual": 99, "proximo": "b"}]}},
            {("config", "ramos", 1, "proximo"): "b"},
        ),
        ({}, {}),
    ],
)
def test_a_step_names_those_that_may_come_next(
    step: dict[str, Any], ways: dict[tuple[str | int, ...], str]
) -> None:
    assert ways_of({"id": "a", **step}) == ways


def test_every_fault_is_named_by_its_place() -> None:
    steps = straight("a", "b", "c")

    assert found(steps, None) == [("entradaPasso", "required")]
    assert found(steps, "z") == [("entradaPasso", "PASSO_DESCONHECIDO")]
    assert found([*steps, *straight("b")], "a") == [("passos/3/id", "repeated")]
    assert found([*steps[:2], {"id": "c", "proximo": "z"}, {"id": "a"}], "a") == [
        ("passos/3/id", "repeated"),
        ("passos/2/proximo", "PASSO_DESCONHECIDO"),
    ]


def test_a_way_back_is_a_circle_at_the_way_that_closes_it() -> None:
    steps = [*straight("a", "b"), {"id": "c", "config": {"seSim": "b", "seNao": "a"}}]
    steps[1]["proximo"] = "c"

    assert found(steps, "a") == [
        ("passos/2/config/seSim", "CICLO"),
        ("passos/2/config/seNao", "CICLO"),
    ]
    assert found([{"id": "a", "proximo": "a"}], "a") == [("passos/0/proximo", "CICLO")]


def test_ways_may_meet_again() -> None:
    steps: list[dict[str, Any]] = [
        {"id": "a", "config": {"seSim": "b", "seNao": "c"}},
        {"id": "b", "proximo": "c"},
        {"id": "c"},
    ]

    assert found(steps, "a") == []
    assert in_order(steps, "a") == ["a", "b", "c"]


def test_a_step_that_nobody_reaches_is_named() -> None:
    assert found([*straight("a", "b"), *straight("x", "y")], "a") == [
        ("passos/2/id", "PASSO_INALCANCAVEL"),
        ("passos/3/id", "PASSO_INALCANCAVEL"),
    ]


graphs = st.integers(1, 8).flatmap(
    lambda count: st.lists(
        st.lists(st.integers(0, count), max_size=3), min_size=count, max_size=count
    )
)


@given(graphs)
def test_a_graph_without_faults_ends_on_every_way(ways: list[list[int]]) -> None:
    """And whatever else it is, judging it ends."""
    steps: list[dict[str, Any]] = [
        {"id": str(place), "config": {"ramos": [{"proximo": str(way)} for way in names]}}
        for place, names in enumerate(ways)
    ]

    if not defects(steps, "0"):
        assert max(_lengths(ways, 0)) <= len(ways)
        assert sorted(in_order(steps, "0")) == sorted(step["id"] for step in steps)


def _lengths(ways: list[list[int]], place: int) -> Iterator[int]:
    yield 1
    for following in set(ways[place]):
        yield from (1 + length for length in _lengths(ways, following))
