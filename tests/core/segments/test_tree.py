"""What a filter may look like, and how its faults are named."""

from typing import Any

import orjson
import pytest

from core.foundation.errors import ValidationFailed
from core.foundation.validation.inputs import read_body
from core.segments import Filter
from core.segments.leaves import FIELDS

VIP = {"field": "tag", "operator": "is", "value": "vip"}


def leaf(filter: Any = VIP) -> dict[str, Any]:
    return {"kind": "leaf", "filter": filter}


def nested(levels: int) -> dict[str, Any]:
    node = leaf()
    for _ in range(levels - 1):
        node = {"kind": "not", "child": node}
    return node


def read(body: dict[str, Any]) -> Filter:
    return read_body(Filter, orjson.dumps(body))


def faults(body: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(ValidationFailed) as refused:
        read(body)
    assert not any("never shown" in error.message for error in refused.value.errors)
    return {error.where: error.code for error in refused.value.errors}


@pytest.mark.parametrize(
    "filter",
    [
        VIP,
        {"field": "tag", "operator": "in", "value": ["a", "b"]},
        {"field": "tag", "operator": "exists"},
        {"field": "attribute.city", "operator": "is", "value": "Recife"},
        {"field": "attribute", "key": "city", "operator": "startsWith", "value": "Re"},
        {"field": "attribute.score", "operator": "between", "value": [1, 2.5]},
        {"field": "attribute.due", "operator": "lt", "value": "2026-12-01"},
        {"field": "optIn", "operator": "in", "value": ["granted", "unknown"]},
        {"field": "lastInteraction", "operator": "before", "value": "2026-11-21T12:00:00Z"},
        {"field": "lastInteraction", "operator": "withinDays", "value": 30},
        {"field": "channel", "operator": "is", "value": "sms"},
        {
            "field": "event",
            "operator": "is",
            "value": {"name": "purchase", "count": 2, "withinDays": 30},
        },
        {"field": "list", "operator": "is", "value": "lst_000000000000000000000"},
        {"field": "segment", "operator": "isNot", "value": "seg_000000000000000000000"},
        {"field": "company", "operator": "notExists"},
        {"field": "clicked", "operator": "withinDays", "value": 7},
    ],
)
def test_conditions_of_every_field_are_accepted(filter: dict[str, Any]) -> None:
    assert read({"filters": [filter]}).filters == [filter]
    assert read({"filterTree": leaf(filter)}).filter_tree == leaf(filter)


def test_the_tree_counts_when_both_are_there() -> None:
    other = {"field": "tag", "operator": "is", "value": "other"}

    assert (
        read({"filters": [VIP], "filterTree": leaf(other)}).node
        == read({"filterTree": leaf(other)}).node
    )


@pytest.mark.parametrize("body", [{}, {"filters": None}, {"filters": None, "filterTree": None}])
def test_a_filter_is_required(body: dict[str, Any]) -> None:
    assert "required" in faults(body).values() or "wrong_type" in faults(body).values()


@pytest.mark.parametrize(
    ("filters", "where", "code"),
    [
        ("never shown", "/filters", "wrong_type"),
        ([], "/filters", "too_few"),
        (["never shown"], "/filters/0", "wrong_type"),
        ([{"operator": "is"}], "/filters/0/field", "not_allowed"),
        ([{"field": "never shown", "operator": "is"}], "/filters/0/field", "not_allowed"),
        ([{"field": ["tag"], "operator": "is"}], "/filters/0/field", "not_allowed"),
        ([{"field": "tag", "value": "x"}], "/filters/0/operator", "not_allowed"),
        (
            [{"field": "tag", "operator": "never shown", "value": "x"}],
            "/filters/0/operator",
            "not_allowed",
        ),
        ([{"field": "tag", "operator": "gt", "value": "x"}], "/filters/0/operator", "not_allowed"),
        ([{**VIP, "never shown": 1}], "/filters/0/never shown", "unknown_field"),
        ([{**VIP, "key": "x"}], "/filters/0/key", "unknown_field"),
        ([{"field": "tag", "operator": "is"}], "/filters/0/value", "wrong_type"),
        ([{"field": "tag", "operator": "is", "value": 1}], "/filters/0/value", "wrong_type"),
        ([{"field": "tag", "operator": "is", "value": ""}], "/filters/0/value", "wrong_type"),
        ([{"field": "tag", "operator": "in", "value": []}], "/filters/0/value", "wrong_type"),
        (
            [{"field": "tag", "operator": "in", "value": ["x"] * 101}],
            "/filters/0/value",
            "wrong_type",
        ),
        ([{"field": "tag", "operator": "exists", "value": True}], "/filters/0/value", "wrong_type"),
        ([{"field": "attribute", "operator": "is", "value": "x"}], "/filters/0/field", "required"),
        ([{"field": "attribute.", "operator": "is", "value": "x"}], "/filters/0/field", "required"),
        (
            [{"field": "attribute.x", "operator": "is", "value": {"a": 1}}],
            "/filters/0/value",
            "wrong_type",
        ),
        (
            [{"field": "attribute.x", "operator": "gt", "value": True}],
            "/filters/0/value",
            "wrong_type",
        ),
        (
            [{"field": "attribute.x", "operator": "between", "value": [1]}],
            "/filters/0/value",
            "wrong_type",
        ),
        (
            [{"field": "attribute.x", "operator": "between", "value": [1, "2"]}],
            "/filters/0/value",
            "wrong_type",
        ),
        (
            [{"field": "optIn", "operator": "is", "value": "never shown"}],
            "/filters/0/value",
            "wrong_type",
        ),
        (
            [{"field": "lastInteraction", "operator": "before", "value": "yesterday"}],
            "/filters/0/value",
            "wrong_type",
        ),
        (
            [{"field": "lastInteraction", "operator": "before", "value": 2026}],
            "/filters/0/value",
            "wrong_type",
        ),
        (
            [{"field": "lastInteraction", "operator": "withinDays", "value": 0}],
            "/filters/0/value",
            "wrong_type",
        ),
        (
            [{"field": "lastInteraction", "operator": "withinDays", "value": 1.5}],
            "/filters/0/value",
            "wrong_type",
        ),
        (
            [{"field": "channel", "operator": "is", "value": "fax"}],
            "/filters/0/value",
            "wrong_type",
        ),
        (
            [{"field": "event", "operator": "is", "value": "purchase"}],
            "/filters/0/value",
            "wrong_type",
        ),
        (
            [{"field": "event", "operator": "is", "value": {"name": "x", "count": 0}}],
            "/filters/0/value",
            "wrong_type",
        ),
        (
            [{"field": "event", "operator": "is", "value": {"name": "x", "y": 0}}],
            "/filters/0/value",
            "wrong_type",
        ),
    ],
)
def test_a_faulty_condition_is_named_by_its_place(filters: Any, where: str, code: str) -> None:
    assert faults({"filters": filters}) == {where: code}


@pytest.mark.parametrize(
    ("tree", "where", "code"),
    [
        ("never shown", "/filterTree", "wrong_type"),
        ({}, "/filterTree/kind", "not_allowed"),
        ({"kind": "never shown"}, "/filterTree/kind", "not_allowed"),
        ({"kind": "leaf"}, "/filterTree/filter", "wrong_type"),
        ({"kind": "and", "children": []}, "/filterTree/children", "wrong_type"),
        ({"kind": "or", "children": [leaf()] * 51}, "/filterTree/children", "wrong_type"),
        ({"kind": "not"}, "/filterTree/child", "wrong_type"),
        (
            {"kind": "not", "children": [leaf()], "child": leaf()},
            "/filterTree/children",
            "unknown_field",
        ),
        (
            {
                "kind": "and",
                "children": [
                    leaf(),
                    {"kind": "not", "child": leaf({"field": "x", "operator": "is"})},
                ],
            },
            "/filterTree/children/1/child/filter/field",
            "not_allowed",
        ),
    ],
)
def test_a_faulty_node_is_named_by_its_place(tree: Any, where: str, code: str) -> None:
    assert faults({"filterTree": tree}) == {where: code}


def test_a_part_of_a_condition_by_another_word_is_told_with_ours() -> None:
    with pytest.raises(ValidationFailed) as refused:
        read({"filters": [{"field": "tag", "op": "is", "value": "vip"}]})

    told = {error.where: error.message for error in refused.value.errors}
    assert told["/filters/0/op"].endswith("did you mean operator?")


def test_every_fault_is_named_at_once() -> None:
    wrong = [
        {"field": "x", "operator": "is"},
        VIP,
        {"field": "tag", "operator": "near", "value": "x"},
    ]

    assert faults({"filters": wrong}).keys() == {"/filters/0/field", "/filters/2/operator"}


def test_five_levels_are_allowed_and_six_are_not() -> None:
    read({"filterTree": nested(5)})

    assert faults({"filterTree": nested(6)}) == {"/filterTree": "FILTRO_COMPLEXO"}


def test_fifty_conditions_are_allowed_and_fifty_one_are_not() -> None:
    half = {"kind": "and", "children": [leaf()] * 25}
    read({"filters": [VIP] * 50})
    read({"filterTree": {"kind": "or", "children": [half, half]}})

    assert faults({"filters": [VIP] * 51}) == {"/filters": "FILTRO_COMPLEXO"}
    assert faults({"filterTree": {"kind": "or", "children": [half, half, leaf()]}}) == {
        "/filterTree": "FILTRO_COMPLEXO"
    }


def test_a_refinement_code_is_in_the_facts_too() -> None:
    with pytest.raises(ValidationFailed) as refused:
        read({"filterTree": nested(6)})

    assert refused.value.meta == {"code": "FILTRO_COMPLEXO"}


def test_every_operator_of_the_documentation_belongs_to_a_field() -> None:
    assert {name: set(known) for name, known in FIELDS.items()} == {
        "tag": {"is", "isNot", "in", "notIn", "exists", "notExists"},
        "attribute": {
            *("is", "isNot", "contains", "startsWith", "in", "gt", "gte", "lt", "lte", "between"),
            *("exists", "notExists"),
        },
        "optIn": {"is", "isNot", "in"},
        "lastInteraction": {
            "before",
            "after",
            "withinDays",
            "notWithinDays",
            "exists",
            "notExists",
        },
        "channel": {"is", "isNot", "in"},
        "event": {"is", "isNot"},
        "list": {"is", "isNot", "in", "notIn"},
        "segment": {"is", "isNot"},
        "company": {"is", "isNot", "in", "notIn", "exists", "notExists"},
        "card": {"is", "isNot", "exists", "notExists"},
        "clicked": {"is", "isNot", "withinDays", "exists", "notExists"},
    }
