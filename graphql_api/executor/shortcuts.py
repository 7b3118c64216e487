"""Functions from a record to the response of a selection, written once for each selection and
remembered.

A function of Python source per object type and selection: a dict display with one checked
expression for each field costs a tenth of what graphql-core does for the same leaves. Arguments of
fields are not in the source: they decide only in which slot of a record the children are, and the
slots are a parameter.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from graphql import (
    FieldNode,
    GraphQLEnumType,
    GraphQLField,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    Node,
    is_abstract_type,
    is_leaf_type,
)
from graphql.execution import Executor
from graphql.execution.collect_fields import FieldDetails, GroupedFieldSet
from graphql.execution.values import get_argument_values

from core.dashboards.reading import slot_of
from core.foundation.bounded_cache import BoundedCache
from graphql_api.connections import Hangs
from graphql_api.lookahead import how_of

Response = dict[str, Any]
Shortcut = Callable[[dict[str, Any]], Response]


class Odd(Exception):
    """Something that only graphql-core may answer."""


class NoShortcut(Exception):
    """A field of the selection has a resolver of its own."""


@dataclass(frozen=True, slots=True)
class _Written:
    """The function of a selection, and the fields whose arguments name a slot of their record each.

    `nodes` keeps alive what the memory knows by identity.
    """

    function: Callable[[dict[str, Any], tuple[str, ...]], Response] | None
    slots: tuple[tuple[str, GraphQLField, FieldNode], ...]
    nodes: tuple[Node, ...]
    characters: int
    """Of its source."""


BYTES_PER_CHARACTER = 12
"""What a function takes at most for each character of its source."""


def _weigh(key: tuple[Any, ...], written: _Written) -> int:
    """The nodes are those of a remembered document, and are counted there."""
    kept = len(key[1]) + len(key[2]) + len(written.slots)
    return 2_000 + 200 * kept + BYTES_PER_CHARACTER * written.characters


_written: BoundedCache[tuple[Any, ...], _Written] = BoundedCache(max_bytes=24_000_000, weigh=_weigh)


def shortcut_of(
    executor: Executor[Any], type: GraphQLObjectType, fields: GroupedFieldSet
) -> Shortcut | None:
    """The function for a selection of an object type, or None where a field needs graphql-core."""
    nodes = tuple(details.node for group in fields.values() for details in group)
    # What @skip and @include decide below is the only thing that variables change in a selection.
    key = (type.name, tuple(map(id, nodes)), _switches(executor))
    written = _written.get(key)
    if written is None:
        written = _write(executor, type, fields, nodes)
        _written.put(key, written)
    if written.function is None:
        return None
    if not written.slots:
        return partial(written.function, slots=())  # type: ignore[call-arg]
    variables = executor.variable_values
    slots = tuple(
        slot_of(edge, get_argument_values(field, node, variables))
        for edge, field, node in written.slots
    )
    return partial(written.function, slots=slots)  # type: ignore[call-arg]


def forget_shortcuts() -> None:
    """Begin the memory anew."""
    _written.clear()


def remembered() -> int:
    """How many selections are remembered."""
    return len(_written)


def _switches(executor: Executor[Any]) -> tuple[Any, ...]:
    """The values of the operation's Boolean variables."""
    values = executor.variable_values.coerced
    return tuple(name for name, value in values.items() if value is True) if values else ()


def _write(
    executor: Executor[Any],
    type: GraphQLObjectType,
    fields: GroupedFieldSet,
    nodes: tuple[Node, ...],
) -> _Written:
    writer = _Writer(executor)
    try:
        name = writer.object(type, fields)
    except NoShortcut:
        return _Written(None, (), nodes, 0)
    source = "\n".join(writer.lines)
    exec(compile(source, "<selection>", "exec"), writer.names)  # noqa: S102 - names of the schema only
    return _Written(writer.names[name], tuple(writer.slots), nodes, len(source))


class _Writer:
    """Writes a function for every object type of a selection."""

    def __init__(self, executor: Executor[Any]) -> None:
        self.lines: list[str] = []
        self.names: dict[str, Any] = {"odd": _odd, "listed": _listed, "present": _present}
        self.slots: list[tuple[str, GraphQLField, FieldNode]] = []
        self._executor = executor
        self._count: Iterator[int] = iter(range(1_000_000))

    def object(self, type: GraphQLObjectType, fields: GroupedFieldSet) -> str:
        """Write the function of a selection; its name."""
        entries = []
        for key, group in fields.items():
            node = group[0].node
            if node.name.value == "__typename":
                entries.append(f"{key!r}: {type.name!r}")
                continue
            field = type.fields.get(node.name.value)
            if field is None:
                raise NoShortcut
            entries.append(f"{key!r}: {self._value(field.type, self._source(field, node), group)}")
        name = self._name("object")
        self.lines += [
            f"def {name}(record, slots):",
            "    if type(record) is not dict: odd()",
            "    get = record.get",
            f"    return {{{', '.join(entries)}}}",
        ]
        return name

    def _source(self, field: GraphQLField, node: FieldNode) -> str:
        how = how_of(field)
        if isinstance(how, Hangs):
            if not field.args:
                return f"record[{how.edge!r}]"
            self.slots.append((how.edge, field, node))
            return f"record[slots[{len(self.slots) - 1}]]"
        definition = field.extensions.get("strawberry-definition")
        if how is not None or definition is None or not definition.is_basic_field:
            raise NoShortcut
        return f"get({node.name.value!r})"

    def _value(self, type: Any, source: str, group: list[FieldDetails]) -> str:
        """An expression for the completed value of the expression `source`."""
        if isinstance(type, GraphQLNonNull):
            return self._present(type.of_type, source, group)
        name = self._name("value")
        return f"(None if ({name} := {source}) is None else {self._present(type, name, group)})"

    def _present(self, type: Any, source: str, group: list[FieldDetails]) -> str:
        """The same for a value that is not null."""
        if isinstance(type, GraphQLList):
            item = self._name("item")
            return f"[{self._value(type.of_type, item, group)} for {item} in listed({source})]"
        if not is_leaf_type(type):
            return f"{self._below(type, group)}({source}, slots)"
        if (exact := EXACT.get(type.name)) is not None:
            name = self._name("leaf")
            return f"({name} if type({name} := {source}) is {exact} else odd())"
        convert = self._name("convert")
        self.names[convert] = (
            _by_value(type) if isinstance(type, GraphQLEnumType) else type.coerce_output_value
        )
        return f"{convert}(present({source}))"

    def _below(self, type: Any, group: list[FieldDetails]) -> str:
        """Write the function of what is selected under a field; its name."""
        if not is_abstract_type(type):
            return self.object(
                type, self._executor.collect_subfields(type, group).grouped_field_set
            )
        possible = self._executor.schema.get_possible_types(type)
        functions = [f"{one.name!r}: {self._below(one, group)}" for one in possible]
        name = self._name("abstract")
        self.lines += [
            f"{name}_types = {{{', '.join(functions)}}}",
            f"def {name}(record, slots):",
            f"    return {name}_types[record['__typename']](record, slots)",
        ]
        return name

    def _name(self, word: str) -> str:
        return f"{word}{next(self._count)}"


EXACT = {"String": "str", "ID": "str", "DateTime": "str", "Date": "str", "Boolean": "bool"}
"""Scalars whose values leave as they are, when they are of this type."""


def _by_value(type: GraphQLEnumType) -> Callable[[Any], str]:
    """From the value that records hold to the name in the schema; KeyError for any other."""
    return {
        str(getattr(value.value, "value", value.value)): name for name, value in type.values.items()
    }.__getitem__


def _odd() -> Any:
    raise Odd


def _listed(value: Any) -> list[Any]:
    if type(value) is not list:
        raise Odd
    return value


def _present(value: Any) -> Any:
    if value is None or isinstance(value, Exception):  # a refusal stands where the value would
        raise Odd
    return value
