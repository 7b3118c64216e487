"""The shapes of bodies, parameters and answers, as JSON Schema that reads well and makes good
clients.
"""

import json
from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from core.foundation.described_enum import DescribedEnum
from rest_api.openapi.enums import DESCRIBED, ENUMS

PREFIX = "#/components/schemas/"
TEMPLATE = PREFIX + "{model}"
MAX_INT32 = 2**31 - 1

BY_VALUES = {frozenset(values): name for name, values in ENUMS.items()}


class Schemas:
    """All schemas of a document: referred to while it is made, and complete when it is done.

    A schema inside a model that carries `x-name` becomes a shape of that name; `x-ref` refers to
    it.
    """

    def __init__(
        self,
        *,
        inputs: Iterable[type[BaseModel]],
        queries: Iterable[type[BaseModel]],
        outputs: Iterable[type[BaseModel]],
        closed: bool,
    ) -> None:
        self._queries = set(queries)
        kinds: tuple[tuple[JsonSchemaMode, Iterable[type[BaseModel]]], ...] = (
            ("validation", {*inputs, *self._queries}),
            ("serialization", outputs),
        )
        wanted = [
            (model, mode)
            for mode, models in kinds
            for model in sorted(models, key=lambda model: model.__name__)
        ]
        found, rest = models_json_schema(wanted, ref_template=TEMPLATE)
        self._references: dict[Any, dict[str, Any]] = dict(found)
        answers = {_name(found[key]) for key in wanted if key[1] == "serialization"}
        self._definitions: dict[str, Any] = deepcopy(rest["$defs"])
        self._named: set[str] = set()
        self._given: dict[str, Any] = {}
        open_ones = set() if closed else self._reachable(answers)
        for name, schema in self._definitions.items():
            self._tidy(schema, is_open=name in open_ones)
        self._drop_aliases()
        for schema in (self._shapes() | self._given).values():
            _tell_defaults(schema)

    def reference(
        self, model: type[BaseModel], mode: JsonSchemaMode = "serialization"
    ) -> dict[str, Any]:
        """The reference to a shape."""
        return self._references[(model, mode)]

    def parameters(self, model: type[BaseModel]) -> Iterator[tuple[str, bool, dict[str, Any]]]:
        """The fields of a query, spelt out: name, whether it is required, schema."""
        schema = self._definitions[_name(self.reference(model, "validation"))]
        for name, field in schema["properties"].items():
            yield name, name in schema.get("required", ()), field

    def components(self) -> dict[str, Any]:
        """Everything that is referred to by name."""
        return self._shapes() | self._given | {name: _closed_set(name) for name in self._named}

    def _drop_aliases(self) -> None:
        """Refer to a closed set by the one name that it has, not by that of its class."""
        aliases = {
            PREFIX + name: schema["$ref"]
            for name, schema in self._definitions.items()
            if "$ref" in schema and name not in self._named
        }
        for schema in self._definitions.values():
            for one in references(schema):
                one["$ref"] = aliases.get(one["$ref"], one["$ref"])
        for alias in aliases:
            del self._definitions[alias.removeprefix(PREFIX)]

    def _shapes(self) -> dict[str, Any]:
        """The definitions but for the queries, which are spelt out as parameters."""
        spelt_out = {_name(self.reference(model, "validation")) for model in self._queries}
        return {name: schema for name, schema in self._definitions.items() if name not in spelt_out}

    def _reachable(self, names: set[str]) -> set[str]:
        """These definitions and all that they refer to."""
        found: set[str] = set()
        left = set(names)
        while left:
            name = left.pop()
            found.add(name)
            left |= {_name(one) for one in references(self._definitions[name])} - found
        return found

    def _tidy(self, schema: Any, *, is_open: bool) -> None:
        """Without what only makes noise in clients, wherever it stands."""
        if not isinstance(schema, dict):
            return
        if isinstance(schema.get("title"), str):
            del schema["title"]  # it only repeats the name
        if is_open and schema.get("additionalProperties") is False:
            del schema["additionalProperties"]
        for field in schema.get("properties", {}).values():
            _left_out_instead_of_null(field)
            _say_what_its_type_says(field)
        for inside in _inside(schema):
            self._tidy(inside, is_open=is_open)
        _say_what_is_free(schema)
        if (given := schema.get("x-ref") or schema.pop("x-name", None)) is not None:
            # What a place says of itself stays there; `x-told` is what the shape says.
            own_words = schema.keys() & {"x-ref", "x-told"} and "description" in schema
            told = {"description": schema["description"]} if own_words else {}
            if "x-ref" not in schema:
                if (of_shape := schema.pop("x-told", None)) is not None:
                    schema["description"] = of_shape
                self._given.setdefault(given, dict(schema))
            schema.clear()
            schema.update({"$ref": PREFIX + given, **told})
        elif (name := BY_VALUES.get(frozenset(map(str, schema.get("enum", ()))))) is not None:
            del schema["enum"], schema["type"]
            schema["$ref"] = PREFIX + name
            self._named.add(name)


def references(value: Any) -> Iterator[dict[str, Any]]:
    """Every reference inside."""
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value
        for inside in value.values():
            yield from references(inside)
    elif isinstance(value, list):
        for inside in value:
            yield from references(inside)


def _tell_defaults(schema: Any) -> None:
    """Say in words what a field is when it is left out: generators take a `default` to mean that it
    is always there, and then nobody could leave it out.
    """
    if not isinstance(schema, dict):
        return
    for field in schema.get("properties", {}).values():
        default = field.pop("default", None)
        if not _says_nothing(default):
            told = f"Default: `{default if isinstance(default, str) else json.dumps(default)}`."
            field["description"] = (
                f"{as_sentence(field['description'])} {told}" if "description" in field else told
            )
    for inside in _inside(schema):
        _tell_defaults(inside)


def _says_nothing(default: Any) -> bool:
    """Whether a default is what a reader expects of a field that is left out: an object without
    values.
    """
    return (
        all(value is None for value in default.values())
        if isinstance(default, dict)
        else default is None
    )


def as_sentence(told: str) -> str:
    """It with a full stop, where nothing else ends it."""
    return told if told.endswith((".", "!", "?")) else f"{told}."


def _closed_set(name: str) -> dict[str, Any]:
    return _described(next(one for one in DESCRIBED if one.rest_name == name))


def _described(closed: type[DescribedEnum]) -> dict[str, Any]:
    """A set whose values say what they mean: for people in the description, for generators beside
    the values.
    """
    told = " ".join(f"`{one.value}`: {as_sentence(one.description)}" for one in closed)
    return {
        "type": "string",
        "description": f"{' '.join((closed.__doc__ or '').split())} {told}",
        "enum": [one.value for one in closed],
        "x-enum-descriptions": [one.description for one in closed],
    }


def _left_out_instead_of_null(field: dict[str, Any]) -> None:
    """A field whose default is null is left out where it has no value; nobody has to send or expect
    a null.
    """
    if field.get("default", "") is not None:
        return
    del field["default"]
    kinds = [kind for kind in field.get("anyOf", ()) if kind != {"type": "null"}]
    if len(kinds) == 1:
        del field["anyOf"]
        field.update({**kinds[0], **field})
    elif kinds:
        field["anyOf"] = kinds


def _say_what_its_type_says(field: dict[str, Any]) -> None:
    """A type that says what it is wherever it is used says it of the field, null or not."""
    kinds = [kind for kind in field.get("anyOf", ()) if kind != {"type": "null"}]
    if "description" not in field and len(kinds) == 1 and "description" in kinds[0]:
        field["description"] = kinds[0].pop("description")


def _say_what_is_free(schema: dict[str, Any]) -> None:
    """Some clients make integers too small, or objects that are always empty, of what is left
    unsaid.
    """
    if schema.get("type") == "integer" and schema.get("maximum", MAX_INT32 + 1) > MAX_INT32:
        schema["format"] = "int64"
    if schema.get("type") == "object" and not schema.keys() & {
        "properties",
        "additionalProperties",
    }:
        schema["additionalProperties"] = True


def _inside(schema: dict[str, Any]) -> Iterator[Any]:
    for name in ("properties", "patternProperties", "$defs"):
        yield from schema.get(name, {}).values()
    for name in ("anyOf", "oneOf", "allOf", "prefixItems"):
        yield from schema.get(name, ())
    for name in ("items", "additionalProperties", "propertyNames", "not"):
        yield schema.get(name)


def _name(reference: dict[str, Any]) -> str:
    return str(reference["$ref"]).removeprefix(PREFIX)
