"""Relay connections, and the kinds of fields whose records the query compiler reads.

A field made here has no resolver of its own: `resolvers.py` gives it one once the schema stands.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import Parameter, Signature
from types import NoneType
from typing import Annotated, Any, Generic, TypeVar, get_args, get_origin

import strawberry
from strawberry import UNSET

from core.read_models.query_compiler import Entity, ToList

Node = TypeVar("Node")

FIELD_KIND = "svc"
"""Where a field's metadata says how it is read."""

FIRST = "How many from the beginning, 1 to 100"
LAST = "How many from the end, 1 to 100"
AFTER = "Only what follows this cursor"
BEFORE = "Only what precedes this cursor"
FILTER = "Only records that meet all of these conditions"
ORDER = "The order of the records"
RECORD = "The record of this id; null where there is none"
ID = Annotated[strawberry.ID, strawberry.argument(description="The record's id")]


@strawberry.type(description="Where a page lies in its connection.")
class PageInfo:
    has_next_page: bool = strawberry.field(description="Whether more records follow")
    has_previous_page: bool = strawberry.field(description="Whether records precede this page")
    start_cursor: str | None = strawberry.field(description="The cursor of the first record")
    end_cursor: str | None = strawberry.field(description="The cursor of the last record")


@strawberry.type(description="A record and its place in the connection.")
class Edge(Generic[Node]):
    cursor: str = strawberry.field(description="The record's place, for `after` and `before`")
    node: Node = strawberry.field(description="The record")


@strawberry.type(
    description="A page of records by keyset cursors: they stay right while records arrive."
)
class Connection(Generic[Node]):
    nodes: list[Node] = strawberry.field(description="The records of the page")
    edges: list[Edge[Node]] = strawberry.field(description="The same records with their cursors")
    page_info: PageInfo = strawberry.field(description="Where the page lies")
    total_count: int = strawberry.field(
        description="How many there are in all; counted only when selected"
    )
    warnings: list[str] = strawberry.field(
        description="Parts of the filter that were left out, as in REST"
    )


@dataclass(frozen=True, slots=True)
class RelationField:
    """The field shows what the look-ahead put under this relation of the record."""

    relation: str


@dataclass(frozen=True, slots=True)
class NodeField:
    """A field of the root: the record of an id."""

    entity: Entity


@dataclass(frozen=True, slots=True)
class AnyNodeField:
    """A field of the root: the record of an id of any of these kinds, by the prefixes of their ids."""

    kinds: Mapping[str, Entity]


@dataclass(frozen=True, slots=True)
class ConnectionField:
    """A field of the root: a page of records."""

    entity: Entity


@dataclass(frozen=True, slots=True)
class ListField:
    """A field of the root: every record there is, by what `relation` makes of the arguments."""

    relation: Callable[[dict[str, Any]], ToList]


FieldKind = RelationField | NodeField | AnyNodeField | ConnectionField | ListField


def relation_field(relation: str, *, description: str | None = None, **arguments: Any) -> Any:
    """A field for a relation of the record's entity."""
    return field_of(RelationField(relation), arguments, description)


def relation_connection(
    relation: str, *, filter: Any = None, order: Any = None, description: str | None = None
) -> Any:
    """A connection field for a relation of the record's entity."""
    return field_of(RelationField(relation), _page_arguments(filter, order), description)


def node_field(entity: Entity, *, description: str | None = None) -> Any:
    """The record of an id, or null."""
    return field_of(NodeField(entity), {"id": ID}, description=description or RECORD)


def any_node_field(kinds: Mapping[str, Entity], *, description: str | None = None) -> Any:
    """The record of an id of any kind, or null. A kind has the name of its type in the schema."""
    return field_of(AnyNodeField(kinds), {"id": ID}, description=description or RECORD)


def connection_field(
    entity: Entity, *, filter: Any = None, order: Any = None, description: str | None = None
) -> Any:
    """A connection of the root."""
    return field_of(ConnectionField(entity), _page_arguments(filter, order), description)


def list_field(
    relation: Callable[[dict[str, Any]], ToList],
    *,
    description: str | None = None,
    **arguments: Any,
) -> Any:
    """A plain list of the root."""
    return field_of(ListField(relation), arguments, description)


def _page_arguments(filter: Any, order: Any) -> dict[str, Any]:
    return {
        "first": _described(int, description=FIRST),
        "last": _described(int, description=LAST),
        "after": _described(str, description=AFTER),
        "before": _described(str, description=BEFORE),
        **({} if filter is None else {"filter": _described(filter, description=FILTER)}),
        **({} if order is None else {"order_by": _described(order, description=ORDER)}),
    }


def _described(type: Any, *, description: str) -> Any:
    return Annotated[type | None, strawberry.argument(description=description)]


def field_of(kind: Any, arguments: dict[str, Any], description: str | None) -> Any:
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
    return strawberry.field(resolver=resolve, description=description, metadata={FIELD_KIND: kind})


def _bare(annotation: Any) -> Any:
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation
