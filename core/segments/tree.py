"""Parsing a filter: a tree of conditions joined by and, or, not, with every error by its place."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic_core import InitErrorDetails, PydanticCustomError, ValidationError

from core.segments.leaves import FilterDefect, Leaf, Place, read_leaf

MAX_DEPTH = 5
"""Nodes on the longest way from the root to a leaf."""
MAX_LEAVES = 50
MAX_CHILDREN = 50


@dataclass(frozen=True, slots=True)
class Joined:
    """Contacts that match all children, or any of them."""

    kind: Literal["and", "or"]
    children: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Not:
    """Contacts that do not match the child."""

    child: "Node"


Node = Leaf | Joined | Not


@dataclass(slots=True)
class _Reading:
    """What was found on the way through a tree."""

    wrong: list[FilterDefect] = field(default_factory=list)
    leaves: int = 0
    too_deep: bool = False


def read_filters(value: object) -> Joined:
    """An AND-joined array of leaves. Raises pydantic's ValidationError with every wrong place."""
    reading = _Reading()
    leaves: list[Node] = []
    if not isinstance(value, list):
        reading.wrong.append(FilterDefect((), "wrong_type", "Send an array of conditions"))
    elif not value:
        reading.wrong.append(FilterDefect((), "too_few", "Send at least one condition"))
    else:
        reading.leaves = len(value)
        leaves = [
            leaf
            for place, one in enumerate(value[:MAX_LEAVES])
            if (leaf := _leaf(one, (place,), reading))
        ]
    _refuse(reading)
    return Joined("and", tuple(leaves))


def read_tree(value: object) -> Node:
    """A tree of nodes. Raises pydantic's ValidationError with every wrong place."""
    reading = _Reading()
    node = _node(value, (), 1, reading)
    _refuse(reading)
    assert node is not None
    return node


def leaves_of(node: Node) -> Iterator[Leaf]:
    """Every leaf of a tree."""
    match node:
        case Leaf():
            yield node
        case Not(child):
            yield from leaves_of(child)
        case Joined(children=children):
            for child in children:
                yield from leaves_of(child)


def _node(value: object, place: Place, depth: int, reading: _Reading) -> Node | None:
    if depth > MAX_DEPTH:
        reading.too_deep = True
        return None
    if not isinstance(value, dict):
        reading.wrong.append(FilterDefect(place, "wrong_type", "A node is an object with a kind"))
        return None
    match value.get("kind"):
        case "leaf":
            _only(value, ("kind", "filter"), place, reading)
            reading.leaves += 1
            return _leaf(value.get("filter"), (*place, "filter"), reading)
        case "and" | "or" as kind:
            _only(value, ("kind", "children"), place, reading)
            return _joined(kind, value.get("children"), (*place, "children"), depth, reading)
        case "not":
            _only(value, ("kind", "child"), place, reading)
            child = _node(value.get("child"), (*place, "child"), depth + 1, reading)
            return None if child is None else Not(child)
    reading.wrong.append(
        FilterDefect((*place, "kind"), "not_allowed", "The kind is leaf, and, or, not")
    )
    return None


def _joined(
    kind: Literal["and", "or"], children: object, place: Place, depth: int, reading: _Reading
) -> Joined | None:
    if not isinstance(children, list) or not 1 <= len(children) <= MAX_CHILDREN:
        reading.wrong.append(
            FilterDefect(place, "wrong_type", f"Send an array of 1 to {MAX_CHILDREN} nodes")
        )
        return None
    nodes = [
        _node(child, (*place, number), depth + 1, reading) for number, child in enumerate(children)
    ]
    return Joined(kind, tuple(node for node in nodes if node is not None))


def _leaf(value: object, place: Place, reading: _Reading) -> Leaf | None:
    if not isinstance(value, dict):
        reading.wrong.append(
            FilterDefect(
                place, "wrong_type", "A condition is an object with field, operator and value"
            )
        )
        return None
    leaf, wrong = read_leaf(value, place)
    reading.wrong += wrong
    return leaf


def _only(value: dict[str, object], names: Sequence[str], place: Place, reading: _Reading) -> None:
    for name in value.keys() - set(names):
        reading.wrong.append(
            FilterDefect((*place, name), "unknown_field", "This kind of node knows no such field")
        )


def _refuse(reading: _Reading) -> None:
    wrong = list(reading.wrong)
    if reading.too_deep or reading.leaves > MAX_LEAVES:
        message = f"The filter is too large: at most {MAX_DEPTH} levels and {MAX_LEAVES} conditions"
        wrong.append(FilterDefect((), "FILTRO_COMPLEXO", message))
    if wrong:
        raise ValidationError.from_exception_data(
            "filter",
            [
                InitErrorDetails(
                    type=PydanticCustomError(one.code, "{message}", {"message": one.message}),
                    loc=one.place,
                    input=None,
                )
                for one in wrong
            ],
        )
