"""Connections as Relay knows them, and the fields whose records the look-ahead reads.

A field made here has no resolver of its own: `reading.py` gives it one once the schema stands.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import Parameter, Signature
from types import NoneType
from typing import Annotated, Any, Generic, TypeVar, get_args, get_origin

import strawberry
from strawberry import UNSET

from core.dashboards.reading import All, Entity

Node = TypeVar("Node")

KEY = "svc"
"""Where a field's metadata says how it is read."""

FIRST = "How many from the beginning, 1 to 100"
LAST = "How many from the end, 1 to 100"
AFTER = "Only what follows this cursor"
BEFORE = "Only what precedes this cursor"


@strawberry.type(description="Where a page lies in its connection.")
class PageInfo:
    has_next_page: bool
    has_previous_page: bool
    start_cursor: str | None
    end_cursor: str | None


@strawberry.type(description="A record and its place in the connection.")
class Edge(Generic[Node]):
    cursor: str
    node: Node


@strawberry.type(
    description="A page of records by keyset cursors: they stay right while records arrive."
)
class Connection(Generic[Node]):
    nodes: list[Node]
    edges: list[Edge[Node]]
    page_info: PageInfo
    total_count: int = strawberry.field(
        description="How many there are in all; counted only when selected"
    )
    warnings: list[str] = strawberry.field(
        description="Parts of the filter that were left out, as in REST"
    )


@dataclass(frozen=True, slots=True)
class Hangs:
    """The field shows what the look-ahead put under this edge of the record."""

    edge: str


@dataclass(frozen=True, slots=True)
class ReadsOne:
    """A field of the root: the record of an id."""

    entity: Entity


@dataclass(frozen=True, slots=True)
class ReadsNode:
    """A field of the root: the record of an id of any of these kinds, by the prefixes of their ids."""

    kinds: Mapping[str, Entity]


@dataclass(frozen=True, slots=True)
class ReadsPage:
    """A field of the root: a page of records."""

    entity: Entity


@dataclass(frozen=True, slots=True)
class ReadsAll:
    """A field of the root: every record there is, by what `edge` makes of the arguments."""

    edge: Callable[[dict[str, Any]], All]


How = Hangs | ReadsOne | ReadsNode | ReadsPage | ReadsAll


def hangs(edge: str, *, description: str | None = None, **arguments: Any) -> Any:
    """What hangs on a record under an edge of its entity."""
    return field_of(Hangs(edge), arguments, description)


def hangs_page(
    edge: str, *, filter: Any = None, order: Any = None, description: str | None = None
) -> Any:
    """A connection that hangs on a record."""
    return field_of(Hangs(edge), _page_arguments(filter, order), description)


def reads_one(entity: Entity, *, description: str | None = None) -> Any:
    """The record of an id, or null."""
    return field_of(ReadsOne(entity), {"id": strawberry.ID}, description)


def reads_node(kinds: Mapping[str, Entity], *, description: str | None = None) -> Any:
    """The record of an id of any kind, or null. A kind has the name of its type in the schema."""
    return field_of(ReadsNode(kinds), {"id": strawberry.ID}, description)


def reads_page(
    entity: Entity, *, filter: Any = None, order: Any = None, description: str | None = None
) -> Any:
    """A connection of the root."""
    return field_of(ReadsPage(entity), _page_arguments(filter, order), description)


def reads_all(
    edge: Callable[[dict[str, Any]], All], *, description: str | None = None, **arguments: Any
) -> Any:
    """A plain list of the root."""
    return field_of(ReadsAll(edge), arguments, description)


def _page_arguments(filter: Any, order: Any) -> dict[str, Any]:
    return {
        "first": _described(int, FIRST),
        "last": _described(int, LAST),
        "after": _described(str, AFTER),
        "before": _described(str, BEFORE),
        **({} if filter is None else {"filter": filter | None}),
        **({} if order is None else {"order_by": order | None}),
    }


def _described(type: Any, description: str) -> Any:
    return Annotated[type | None, strawberry.argument(description=description)]


def field_of(how: Any, arguments: dict[str, Any], description: str | None) -> Any:
    """A field with these arguments; those that are nullable may be left out."""

    def resolve(**_: Any) -> Any:
        raise AssertionError("the schema gives this field its resolver")

    resolve.__signature__ = Signature(  # type: ignore[attr-defined]
        [
            Parameter(
                name,
                Parameter.KEYWORD_ONLY,
                annotation=annotation,
                default=UNSET if NoneType in get_args(_bare(annotation)) else Parameter.empty,
            )
            for name, annotation in arguments.items()
        ]
    )
    resolve.__annotations__ = dict(arguments)
    return strawberry.field(resolver=resolve, description=description, metadata={KEY: how})


def _bare(annotation: Any) -> Any:
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation
