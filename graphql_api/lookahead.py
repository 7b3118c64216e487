"""From the selection under a field to what the reads of core are asked for."""

from collections.abc import Callable
from typing import Any, TypeVar

from graphql import FieldNode, GraphQLField, GraphQLObjectType, GraphQLResolveInfo, get_named_type
from graphql.execution import Executor
from graphql.execution.collect_fields import FieldDetails
from graphql.execution.values import get_argument_values
from graphql.type import GraphQLAbstractType, is_abstract_type

from core.dashboards.reading import Asked, Child, Parts, slot_of
from core.foundation.bounded_cache import BoundedCache
from graphql_api.connections import KEY, Hangs, How

Details = list[FieldDetails]


def how_of(field: GraphQLField) -> How | None:
    """How a field of the schema is read, if it is one of those that say so."""
    definition = field.extensions.get("strawberry-definition")
    how: How | None = definition.metadata.get(KEY) if definition is not None else None
    return how


def asked_under(info: GraphQLResolveInfo[Any], kind: str | None = None) -> Asked:
    """What a field of records is asked for; where it may show several types, of the one that is
    named.
    """
    of = get_named_type(info.return_type) if kind is None else info.schema.type_map[kind]

    def look() -> Asked:
        asked = _asked(_executor(info), of, _details(info))
        if kind is not None:
            asked.fields["__typename"] = None
        return asked

    return _seen(info, kind, look)


def page_under(info: GraphQLResolveInfo[Any]) -> tuple[Asked, Parts]:
    """What a connection is asked for: of its records, and besides them."""
    return _seen(
        info, None, lambda: _page(_executor(info), get_named_type(info.return_type), _details(info))
    )


Seen = TypeVar("Seen")

LONGEST_VARIABLES = 500
"""Characters of the variables up to which what was seen is remembered: they are a part of its name.
"""

SELECTED_BYTES = 300
"""What a field or an argument that was selected takes in what was seen."""


def _weigh(name: tuple[Any, ...], known: tuple[list[FieldNode], Any]) -> int:
    """The nodes are those of a remembered document, and are counted there."""
    seen = known[1]
    asked = seen if isinstance(seen, Asked) else seen[0]
    return 4 * LONGEST_VARIABLES + SELECTED_BYTES * (2 + len(name) + _size(asked))


def _size(asked: Asked) -> int:
    """Fields and children, and the texts that name the children."""
    return len(asked.fields) + sum(
        8 + len(slot) // 20 + _size(child.asked) for slot, child in asked.children.items()
    )


_known: BoundedCache[tuple[Any, ...], tuple[list[FieldNode], Any]] = BoundedCache(
    max_bytes=16_000_000, weigh=_weigh
)


def _seen(info: GraphQLResolveInfo[Any], kind: str | None, look: Callable[[], Seen]) -> Seen:
    """What was seen under these nodes with these variables, which dashboards ask with again and
    again.

    The nodes stay in the memory with it: they are known there by identity.
    """
    variables = repr(info.variable_values)
    if len(variables) > LONGEST_VARIABLES:
        return look()
    name = (kind, variables, *map(id, info.field_nodes))
    known = _known.get(name)
    if known is None:
        known = (info.field_nodes, look())
        _known.put(name, known)
    seen: Seen = known[1]
    return seen


def forget_seen() -> None:
    """Begin the memory anew."""
    _known.clear()


def _executor(info: GraphQLResolveInfo[Any]) -> Executor[Any]:
    executor: Executor[Any] = info.context.executor
    return executor


def _details(info: GraphQLResolveInfo[Any]) -> Details:
    return [FieldDetails(node, None) for node in info.field_nodes]


def _asked(executor: Executor[Any], of: Any, details: Details) -> Asked:
    asked = Asked()
    if is_abstract_type(of):
        asked.fields["__typename"] = None
    for type in _possible_types(executor, of):
        for fields in executor.collect_subfields(type, details).grouped_field_set.values():
            node = fields[0].node
            if (field := type.fields.get(node.name.value)) is None:  # __typename
                continue
            how = how_of(field)
            if not isinstance(how, Hangs):
                asked.fields[node.name.value] = None
                continue
            arguments = get_argument_values(field, node, executor.variable_values)
            named = get_named_type(field.type)
            if "pageInfo" in getattr(named, "fields", ()):
                below, parts = _page(executor, named, fields)
            else:
                below, parts = _asked(executor, named, fields), Parts()
            asked.want(slot_of(how.edge, arguments), Child(how.edge, arguments, below, parts))
    return asked


def _page(executor: Executor[Any], connection: Any, details: Details) -> tuple[Asked, Parts]:
    asked, parts = Asked(), Parts()
    for fields in executor.collect_subfields(connection, details).grouped_field_set.values():
        match fields[0].node.name.value:
            case "nodes":
                parts.nodes = True
                asked.add(_asked(executor, get_named_type(connection.fields["nodes"].type), fields))
            case "edges":
                parts.edges = True
                edge = get_named_type(connection.fields["edges"].type)
                for inner in executor.collect_subfields(edge, fields).grouped_field_set.values():
                    if inner[0].node.name.value == "node":
                        asked.add(_asked(executor, get_named_type(edge.fields["node"].type), inner))
                    else:
                        parts.cursors = True
            case "pageInfo":
                parts.cursors = True
            case "totalCount":
                parts.total = True
    return asked, parts


def _possible_types(
    executor: Executor[Any], of: GraphQLObjectType | GraphQLAbstractType
) -> list[GraphQLObjectType]:
    return list(executor.schema.get_possible_types(of)) if is_abstract_type(of) else [of]  # type: ignore[list-item]
