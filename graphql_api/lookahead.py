"""Look-ahead: the selection under a GraphQL field, as the query compiler takes it."""

from collections.abc import Callable
from typing import Any, TypeVar

from graphql import FieldNode, GraphQLField, GraphQLObjectType, GraphQLResolveInfo, get_named_type
from graphql.execution import Executor
from graphql.execution.collect_fields import FieldDetails
from graphql.execution.values import get_argument_values
from graphql.type import GraphQLAbstractType, is_abstract_type

from core.foundation.bounded_cache import BoundedCache
from core.read_models.query_compiler import PageParts, SelectedRelation, Selection, slot_of
from graphql_api.connections import FIELD_KIND, FieldKind, RelationField

Details = list[FieldDetails]


def field_kind_of(field: GraphQLField) -> FieldKind | None:
    """How a field of the schema is read, if it is one of those that say so."""
    definition = field.extensions.get("strawberry-definition")
    kind: FieldKind | None = definition.metadata.get(FIELD_KIND) if definition is not None else None
    return kind


def selection_under(info: GraphQLResolveInfo[Any], kind: str | None = None) -> Selection:
    """What a field of records is asked for; where it may show several types, of the one that is
    named.
    """
    of = get_named_type(info.return_type) if kind is None else info.schema.type_map[kind]

    def look() -> Selection:
        selection = _asked(_executor(info), of, _details(info))
        if kind is not None:
            selection.fields["__typename"] = None
        return selection

    return _remembered(info, kind, look)


def page_under(info: GraphQLResolveInfo[Any]) -> tuple[Selection, PageParts]:
    """What a connection is asked for: of its records, and besides them."""
    return _remembered(
        info, None, lambda: _page(_executor(info), get_named_type(info.return_type), _details(info))
    )


Remembered = TypeVar("Remembered")

MAX_VARIABLES_LENGTH = 500
"""Characters of the variables up to which what was seen is remembered: they are a part of its name.
"""

BYTES_PER_SELECTED = 300
"""What a field or an argument that was selected takes in what was seen."""


def _weigh(name: tuple[Any, ...], known: tuple[list[FieldNode], Any]) -> int:
    """The nodes are those of a remembered document, and are counted there."""
    seen = known[1]
    selection = seen if isinstance(seen, Selection) else seen[0]
    return 4 * MAX_VARIABLES_LENGTH + BYTES_PER_SELECTED * (2 + len(name) + _size(selection))


def _size(selection: Selection) -> int:
    """Fields and children, and the texts that name the children."""
    return len(selection.fields) + sum(
        8 + len(slot) // 20 + _size(selected.selection)
        for slot, selected in selection.relations.items()
    )


_known: BoundedCache[tuple[Any, ...], tuple[list[FieldNode], Any]] = BoundedCache(
    max_bytes=16_000_000, weigh=_weigh
)


def _remembered(
    info: GraphQLResolveInfo[Any], kind: str | None, look: Callable[[], Remembered]
) -> Remembered:
    """What was seen under these nodes with these variables, which dashboards ask with again and
    again.

    The nodes stay in the memory with it: they are known there by identity.
    """
    variables = repr(info.variable_values)
    if len(variables) > MAX_VARIABLES_LENGTH:
        return look()
    name = (kind, variables, *map(id, info.field_nodes))
    known = _known.get(name)
    if known is None:
        known = (info.field_nodes, look())
        _known.put(name, known)
    seen: Remembered = known[1]
    return seen


def forget_selections() -> None:
    """Begin the memory anew."""
    _known.clear()


def _executor(info: GraphQLResolveInfo[Any]) -> Executor[Any]:
    executor: Executor[Any] = info.context.executor
    return executor


def _details(info: GraphQLResolveInfo[Any]) -> Details:
    return [FieldDetails(node, None) for node in info.field_nodes]


def _asked(executor: Executor[Any], of: Any, details: Details) -> Selection:
    selection = Selection()
    if is_abstract_type(of):
        selection.fields["__typename"] = None
    for type in _possible_types(executor, of):
        for fields in executor.collect_subfields(type, details).grouped_field_set.values():
            node = fields[0].node
            if (field := type.fields.get(node.name.value)) is None:  # __typename
                continue
            how = field_kind_of(field)
            if not isinstance(how, RelationField):
                selection.fields[node.name.value] = None
                continue
            arguments = get_argument_values(field, node, executor.variable_values)
            named = get_named_type(field.type)
            if "pageInfo" in getattr(named, "fields", ()):
                below, parts = _page(executor, named, fields)
            else:
                below, parts = _asked(executor, named, fields), PageParts()
            selection.want(
                slot_of(how.relation, arguments),
                SelectedRelation(how.relation, arguments, below, parts),
            )
    return selection


def _page(
    executor: Executor[Any], connection: Any, details: Details
) -> tuple[Selection, PageParts]:
    selection, parts = Selection(), PageParts()
    for fields in executor.collect_subfields(connection, details).grouped_field_set.values():
        match fields[0].node.name.value:
            case "nodes":
                parts.nodes = True
                selection.add(
                    _asked(executor, get_named_type(connection.fields["nodes"].type), fields)
                )
            case "edges":
                parts.edges = True
                edge = get_named_type(connection.fields["edges"].type)
                for inner in executor.collect_subfields(edge, fields).grouped_field_set.values():
                    if inner[0].node.name.value == "node":
                        selection.add(
                            _asked(executor, get_named_type(edge.fields["node"].type), inner)
                        )
                    else:
                        parts.cursors = True
            case "pageInfo":
                parts.cursors = True
            case "totalCount":
                parts.total = True
    return selection, parts


def _possible_types(
    executor: Executor[Any], of: GraphQLObjectType | GraphQLAbstractType
) -> list[GraphQLObjectType]:
    return list(executor.schema.get_possible_types(of)) if is_abstract_type(of) else [of]  # type: ignore[list-item]
