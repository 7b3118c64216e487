"""The questions of the GraphQL interface: every list and every statistic of its schema, with every
order and filter.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from graphql import (
    GraphQLEnumType,
    GraphQLField,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLList,
    GraphQLObjectType,
    build_schema,
    get_named_type,
    get_nullable_type,
    is_leaf_type,
    is_required_argument,
)

import graphql_api
from bench.questions.question import Question
from bench.questions.roots import PREFIX_OF
from bench.questions.samples import Samples, some_of

PAGING = ("first", "last", "after", "before")
PAGE = 100

ATTRIBUTES = (
    {"key": "uf", "operator": "IS", "value": "SP"},
    {"key": "ticketMedio", "operator": "GTE", "value": 300},
    {"key": "uf", "operator": "NOTEXISTS"},
)
TAGS = ({"all": ["cliente"]}, {"any": ["vip", "inadimplente"]}, {"none": ["cliente"]})
OBJECTS: dict[str, Sequence[Any]] = {"AttributeFilter": ATTRIBUTES, "TagsFilter": TAGS}
"""Inputs whose fields say nothing one by one."""


def _nothing(_: Samples) -> dict[str, Any]:
    return {}


BESIDE: dict[tuple[str, str], Callable[[Samples], dict[str, Any]]] = {
    ("MessageFilter", "q"): lambda samples: {"contactId": samples.of("contactId", "q")[0]}
}
"""What a field of a filter is refused without."""


def graphql_questions(samples: Samples) -> Iterator[Question]:
    """The plain question of each list and statistic, and one for each value of each argument.
    Raises NoSample.
    """
    schema = build_schema((Path(graphql_api.__file__).parent / "schema.graphql").read_text())
    assert schema.query_type is not None
    for name, field in schema.query_type.fields.items():
        answer = get_named_type(field.type)
        if isinstance(answer, GraphQLObjectType) and answer.name.endswith(("Connection", "Stats")):
            for arguments in _combinations(name, field, samples):
                yield _question(name, field, arguments)
        elif isinstance(answer, GraphQLObjectType) and name in PREFIX_OF:
            for below, inner in answer.fields.items():
                if get_named_type(inner.type).name.endswith("Connection"):
                    for arguments in _combinations(below, inner, samples):
                        id = samples.ids[PREFIX_OF[name]]
                        yield _question(below, inner, arguments, of=f'{name}(id: "{id}")')


def _combinations(name: str, field: GraphQLField, samples: Samples) -> Iterator[dict[str, Any]]:
    values = {
        argument: list(_values(argument, described.type, samples, name))
        for argument, described in field.args.items()
        if argument not in PAGING
    }
    base: dict[str, Any] = {"first": PAGE} if "first" in field.args else {}
    base |= {
        argument: values[argument][0]
        for argument, of in field.args.items()
        if is_required_argument(of)
    }
    # A statistic is asked of all there is: nothing is dearer.
    base |= {"from": values["from"][0]} if "from" in values else {}
    yield base
    for argument, several in values.items():
        for value in several:
            if base.get(argument) != value:
                # So many hours as three months have are refused.
                since = {"from": values["from"][-1]} if value == "HOUR" and "from" in base else {}
                yield {**base, **since, argument: value}


def _values(name: str, of: Any, samples: Samples, place: str) -> Iterator[Any]:
    kind = get_named_type(of)
    listed = isinstance(get_nullable_type(of), GraphQLList)
    if kind.name in OBJECTS:
        found: Sequence[Any] = OBJECTS[kind.name]
    elif kind.name in ("Period", "Days"):
        since = samples.of("from" if kind.name == "Period" else "previstoDe", place)
        found = [{"from": value} for value in since]
    elif isinstance(kind, GraphQLInputObjectType):
        found = [
            {field: value, **BESIDE.get((kind.name, field), _nothing)(samples)}
            for field, described in kind.fields.items()
            for value in _values(field, described.type, samples, kind.name)
        ]
    elif isinstance(kind, GraphQLEnumType):
        found = some_of(list(kind.values))
    elif kind.name == "Boolean":
        found = (True, False)
    else:
        found = samples.of(
            "recipient" if name == "to" and place.endswith("Filter") else name, place
        )
    for value in found:
        yield [value] if listed else value


def _question(
    name: str, field: GraphQLField, arguments: dict[str, Any], *, of: str = ""
) -> Question:
    """`of`: the field that it is below, with its argument."""
    declared = ", ".join(f"${argument}: {field.args[argument].type}" for argument in arguments)
    given = ", ".join(f"{argument}: ${argument}" for argument in arguments)
    asked = f"{name}{f'({given})' if given else ''} {_selection(field.type, depth=2)}"
    document = (
        f"query{f'({declared})' if declared else ''} {{ {f'{of} {{ {asked} }}' if of else asked} }}"
    )
    shown = {argument: value for argument, value in arguments.items() if argument != "first"}
    place = f"{of.partition('(')[0]} {{ {name} }}" if of else name
    return Question(
        f"{{ {place} }} {shown or ''}", "/graphql", {"query": document, "variables": arguments}
    )


def _selection(of: Any, *, depth: int) -> str:
    """All plain fields, and those of what is below it."""
    kind = get_named_type(of)
    if not isinstance(kind, GraphQLObjectType | GraphQLInterfaceType):
        return "{ __typename }"
    parts = []
    for name, field in kind.fields.items():
        if any(is_required_argument(argument) for argument in field.args.values()):
            continue
        below = get_named_type(field.type)
        if is_leaf_type(below):
            parts.append(name)
        elif depth and not below.name.endswith(("Connection", "Edge")) and not field.args:
            parts.append(f"{name} {_selection(below, depth=0)}")
    return f"{{ {' '.join(parts) or '__typename'} }}"
