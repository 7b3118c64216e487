"""Made-up queries over the whole schema, and made-up records to answer them with, some of them
broken.
"""

from collections.abc import Callable
from random import Random
from typing import Any

from graphql import (
    GraphQLEnumType,
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLSchema,
    get_named_type,
    is_abstract_type,
    is_leaf_type,
    is_required_argument,
)

from core.read_models.query_compiler import PageParts, SelectedRelation, Selection
from graphql_api.connections import RelationField
from graphql_api.lookahead import field_kind_of

FLAGS = {"yes": True, "no": False}
"""The Boolean variables of every query."""


class Query:
    """A query: selections with aliases, fragments with and without names, directives, and
    everything below.
    """

    def __init__(self, schema: GraphQLSchema, random: Random, *, depth: int = 4) -> None:
        self._schema = schema
        self._random = random
        self._fragments: list[str] = []
        self._aliases = 0
        assert schema.query_type is not None
        fields = schema.query_type.fields
        roots = [name for name, field in fields.items() if field_kind_of(field) is not None]
        chosen = random.sample(roots, k=min(3, len(roots)))
        selection = [self._field(name, fields[name], depth) for name in chosen]
        variables = ", ".join(f"${name}: Boolean!" for name in FLAGS)
        self.text = "\n".join([f"query({variables}) {{ {' '.join(selection)} }}", *self._fragments])

    def _field(self, name: str, field: GraphQLField, depth: int) -> str:
        alias = ""
        if self._random.random() < 0.1 and self._aliases < 15:
            self._aliases += 1
            alias = f"other{self._aliases}: "
        type = get_named_type(field.type)
        below = "" if is_leaf_type(type) else f" {self._selection(type, depth - 1)}"
        return f"{alias}{name}{self._arguments(field)}{self._directive()}{below}"

    def _arguments(self, field: GraphQLField) -> str:
        given = [
            f'{name}: "x_1"'
            for name, argument in field.args.items()
            if is_required_argument(argument)
        ]
        if "first" in field.args:
            given.append(f"{self._random.choice(('first', 'last'))}: {self._random.randint(1, 3)}")
        return f"({', '.join(given)})" if given else ""

    def _directive(self) -> str:
        if self._random.random() < 0.9:
            return ""
        return self._random.choice(
            [" @include(if: $yes)", " @include(if: $no)", " @skip(if: $no)", " @skip(if: true)"]
        )

    def _selection(self, type: Any, depth: int) -> str:
        fields = list(type.fields.items())
        self._random.shuffle(fields)
        leaves = [
            (name, field) for name, field in fields if is_leaf_type(get_named_type(field.type))
        ]
        below = [
            (name, field) for name, field in fields if not is_leaf_type(get_named_type(field.type))
        ]
        chosen = leaves[: self._random.randint(1, 5)] + (
            below[: self._random.randint(1, 2)] if depth > 0 else []
        )
        parts = [self._field(name, field, depth) for name, field in chosen]
        parts.append("__typename")
        if is_abstract_type(type):
            possible_types = sorted(self._schema.get_possible_types(type), key=lambda one: one.name)
            for possible in self._random.sample(possible_types, k=min(3, len(possible_types))):
                parts += [f"... on {possible.name} {self._selection(possible, depth - 1)}"]
        if self._random.random() < 0.2:
            parts[0] = f"... on {type.name} {{ {parts[0]} }}"
        if self._random.random() < 0.2:
            name = f"Part{len(self._fragments)}"
            self._fragments.append(
                ""
            )  # its place is taken before what it holds makes fragments of its own
            self._fragments[int(name[4:])] = f"fragment {name} on {type.name} {{ {parts[-1]} }}"
            parts[-1] = f"...{name}{self._directive()}"
        return f"{{ {' '.join(parts)} }}"


class Records:
    """What the reads of core could answer: values of every kind, and now and then something that
    cannot be.
    """

    def __init__(self, schema: GraphQLSchema, random: Random, *, broken: float) -> None:
        self._schema = schema
        self._random = random
        self._broken = broken

    def record(self, type: Any, selection: Selection) -> Any:
        """The record of an object type with all that is asked of it."""
        if is_abstract_type(type):
            type = self._random.choice(self._schema.get_possible_types(type))
        made: dict[str, Any] = {"__typename": type.name}
        for name in selection.fields:
            if name in type.fields:
                made[name] = self._value(type.fields[name].type)
        hanging = {
            how.relation: field
            for field in type.fields.values()
            if isinstance(how := field_kind_of(field), RelationField)
        }
        for slot, selected in selection.relations.items():
            if selected.name in hanging:
                made[slot] = self._maybe_broken(self._relation(hanging[selected.name], selected))
        return made

    def page(self, type: Any, selection: Selection, parts: PageParts) -> dict[str, Any]:
        """A connection."""
        nodes = [self.record(type, selection) for _ in range(self._random.randint(0, 3))]
        return {
            "nodes": self._maybe_broken(nodes),
            "edges": [{"cursor": "c", "node": self._maybe_broken(node)} for node in nodes],
            "pageInfo": {
                "hasNextPage": True,
                "hasPreviousPage": False,
                "startCursor": None,
                "endCursor": "c",
            },
            "totalCount": self._random.randint(0, 9) if parts.total else None,
            "warnings": [],
        }

    def _relation(self, field: GraphQLField, selected: SelectedRelation) -> Any:
        type: Any = get_named_type(field.type)
        if not hasattr(type, "fields"):
            return self._value(field.type)
        if "pageInfo" in type.fields:
            return self.page(
                get_named_type(type.fields["nodes"].type), selected.selection, selected.parts
            )
        if _is_list(field.type):
            return [
                self.record(type, selected.selection) for _ in range(self._random.randint(0, 3))
            ]
        return self.record(type, selected.selection)

    def _value(self, type: Any) -> Any:
        if isinstance(type, GraphQLNonNull):
            return self._maybe_broken(self._present(type.of_type))
        return None if self._random.random() < 0.2 else self._maybe_broken(self._present(type))

    def _present(self, type: Any) -> Any:
        if isinstance(type, GraphQLList):
            return [self._value(type.of_type) for _ in range(self._random.randint(0, 3))]
        if isinstance(type, GraphQLEnumType):
            choices = [value.value for value in type.values.values()]
            chosen = self._random.choice(choices)
            return str(getattr(chosen, "value", chosen))
        if isinstance(type, GraphQLObjectType | GraphQLInterfaceType):
            if is_abstract_type(type):
                type = self._random.choice(self._schema.get_possible_types(type))
            return {"__typename": type.name} | {
                name: self._value(field.type)
                for name, field in type.fields.items()
                if field_kind_of(field) is None
            }
        return VALUES[type.name](self._random)

    def _maybe_broken(self, value: Any) -> Any:
        if self._random.random() >= self._broken:
            return value
        return self._random.choice(
            [None, ValueError("refused"), {"odd": 1}, 12, "text", [], [None], True, 1e30, value]
        )


def _is_list(type: Any) -> bool:
    return isinstance(type.of_type if isinstance(type, GraphQLNonNull) else type, GraphQLList)


VALUES: dict[str, Callable[[Random], Any]] = {
    "String": lambda random: random.choice(["", "a text", "São Paulo"]),
    "ID": lambda random: random.choice(["x_1", "x_2"]),
    "Int": lambda random: random.choice([0, -5, 2**31 - 1]),
    "Float": lambda random: random.choice([0.5, 3, -1.25]),
    "Boolean": lambda random: random.random() < 0.5,
    "BigInt": lambda random: random.choice([0, 2**40]),
    "DateTime": lambda _: "2026-11-21T12:00:00.000Z",
    "Date": lambda _: "2026-11-21",
    "JSON": lambda random: random.choice([{"a": [1]}, [], "text", 1]),
}
