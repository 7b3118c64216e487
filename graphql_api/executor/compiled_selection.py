"""Compiled selections: a Python function from a record to the response of one GraphQL selection.

The source of the function is written once per object type and selection and remembered: a dict
display with one checked expression for each field costs a tenth of what graphql-core does for the
same leaves. Arguments of fields are not in the source: they decide only in which slot of a record
a relation is, and the slots are a parameter.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn

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

from core.foundation.bounded_cache import BoundedCache
from core.read_models.query_compiler import slot_of
from graphql_api.connections import RelationField
from graphql_api.lookahead import field_kind_of

Response = dict[str, Any]
RecordFunction = Callable[[dict[str, Any]], Response]


class FallBack(Exception):
    """Something that only graphql-core may answer.

    `reason`: `resolver` (a field has a resolver of its own), `null` (no value where there must be
    one), `refusal` (a refusal in the place of a value), `value` (one of another type).
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class CompiledSelection:
    """The function of a selection, and the fields whose arguments name a slot of their record each.

    `nodes` keeps alive what the cache knows by identity.
    """

    function: Callable[[dict[str, Any], tuple[str, ...]], Response] | None
    slots: tuple[tuple[str, GraphQLField, FieldNode], ...]
    nodes: tuple[Node, ...]
    source_length: int


BYTES_PER_CHARACTER = 12
"""What a function takes at most for each character of its source."""


def _weigh(key: tuple[Any, ...], compiled: CompiledSelection) -> int:
    """The nodes are those of a remembered document, and are counted there."""
    kept = len(key[1]) + len(key[2]) + len(compiled.slots)
    return 2_000 + 200 * kept + BYTES_PER_CHARACTER * compiled.source_length


_compiled: BoundedCache[tuple[Any, ...], CompiledSelection] = BoundedCache(
    max_bytes=24_000_000, weigh=_weigh
)


def compiled_selection_of(
    executor: Executor[Any], type: GraphQLObjectType, fields: GroupedFieldSet
) -> RecordFunction:
    """The function for a selection of an object type. Raises FallBack where a field needs
    graphql-core.
    """
    nodes = tuple(details.node for group in fields.values() for details in group)
    # What @skip and @include decide below is the only thing that variables change in a selection.
    key = (type.name, tuple(map(id, nodes)), _switches(executor))
    compiled = _compiled.get(key)
    if compiled is None:
        compiled = _compile(executor, type, fields, nodes)
        _compiled.put(key, compiled)
    if compiled.function is None:
        raise FallBack("resolver")
    slots: tuple[str, ...] = ()
    if compiled.slots:
        slots = _slots(compiled, executor)
    return partial(compiled.function, slots=slots)  # type: ignore[call-arg]


def forget_compiled_selections() -> None:
    """Begin the cache anew."""
    _compiled.clear()


def compiled_selections_held() -> int:
    """How many selections are remembered."""
    return len(_compiled)


def _slots(compiled: CompiledSelection, executor: Executor[Any]) -> tuple[str, ...]:
    """Where the record has the relations that are selected with these arguments."""
    variables = executor.variable_values
    return tuple(
        slot_of(relation, get_argument_values(field, node, variables))
        for relation, field, node in compiled.slots
    )


def _switches(executor: Executor[Any]) -> tuple[Any, ...]:
    """The names of the operation's Boolean variables that are true."""
    values = executor.variable_values.coerced
    return tuple(name for name, value in values.items() if value is True) if values else ()


def _compile(
    executor: Executor[Any],
    type: GraphQLObjectType,
    fields: GroupedFieldSet,
    nodes: tuple[Node, ...],
) -> CompiledSelection:
    compiler = _SelectionCompiler(executor)
    try:
        name = compiler.object(type, fields)
    except FallBack:
        return CompiledSelection(None, (), nodes, 0)
    source = "\n".join(compiler.lines)
    exec(compile(source, "<selection>", "exec"), compiler.names)  # noqa: S102 - names of the schema only
    return CompiledSelection(compiler.names[name], tuple(compiler.slots), nodes, len(source))


class _SelectionCompiler:
    """Writes a function for every object type of a selection."""

    def __init__(self, executor: Executor[Any]) -> None:
        self.lines: list[str] = []
        self.names: dict[str, Any] = {
            "fall_back": _fall_back,
            "listed": _listed,
            "present": _present,
        }
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
                raise FallBack("resolver")
            entries.append(f"{key!r}: {self._value(field.type, self._source(field, node), group)}")
        name = self._name("object")
        self.lines += [
            f"def {name}(record, slots):",
            "    if type(record) is not dict: fall_back(record)",
            "    get = record.get",
            f"    return {{{', '.join(entries)}}}",
        ]
        return name

    def _source(self, field: GraphQLField, node: FieldNode) -> str:
        kind = field_kind_of(field)
        if isinstance(kind, RelationField):
            if not field.args:
                return f"record[{kind.relation!r}]"
            self.slots.append((kind.relation, field, node))
            return f"record[slots[{len(self.slots) - 1}]]"
        definition = field.extensions.get("strawberry-definition")
        if kind is not None or definition is None or not definition.is_basic_field:
            raise FallBack("resolver")
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
        return self._leaf(type, source)

    def _leaf(self, type: Any, source: str) -> str:
        if (exact := EXACT.get(type.name)) is not None:
            name = self._name("leaf")
            return f"({name} if type({name} := {source}) is {exact} else fall_back({name}))"
        convert = self._name("convert")
        is_enum = isinstance(type, GraphQLEnumType)
        self.names[convert] = _by_value(type) if is_enum else type.coerce_output_value
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
            "    if type(record) is not dict: fall_back(record)",
            f"    return {name}_types[record['__typename']](record, slots)",
        ]
        return name

    def _name(self, word: str) -> str:
        return f"{word}{next(self._count)}"


EXACT = {"String": "str", "ID": "str", "DateTime": "str", "Date": "str", "Boolean": "bool"}
"""Scalars whose values leave as they are, when they are of this type."""


def _by_value(type: GraphQLEnumType) -> Callable[[Any], str]:
    """From the value that records hold to the name in the schema, the first of them; KeyError for
    any other.
    """
    names: dict[str, str] = {}
    for name, value in type.values.items():
        names.setdefault(str(getattr(value.value, "value", value.value)), name)
    return names.__getitem__


def _fall_back(value: Any) -> NoReturn:
    """Raise FallBack for a value that the schema does not allow in its place."""
    if value is None:
        raise FallBack("null")
    raise FallBack("refusal" if isinstance(value, Exception) else "value")


def _listed(value: Any) -> list[Any]:
    if type(value) is not list:
        _fall_back(value)
    return value


def _present(value: Any) -> Any:
    if value is None or isinstance(value, Exception):
        _fall_back(value)
    return value
