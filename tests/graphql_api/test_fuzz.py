"""Made-up queries over seeded records: whatever is asked, nobody sees more than the credential may."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import orjson
import pytest
from graphql import (
    GraphQLEnumType,
    GraphQLField,
    GraphQLInputObjectType,
    GraphQLList,
    GraphQLNonNull,
    parse,
    validate,
)
from graphql.execution import Executor

from core.foundation.database import db
from core.foundation.security.caller import KEY_SCOPES, Caller, Limits, Scope
from graphql_api import answer, cost, execute
from graphql_api.connections import NodeField
from graphql_api.executor import RecordExecutor
from graphql_api.lookahead import field_kind_of
from graphql_api.schema import graphql_schema
from tests.factories.organizations import a_caller
from tests.factories.seeding import a_seed
from tests.graphql_api.executor.made_up import FLAGS, Query

pytestmark = pytest.mark.slow

SEEDS = range(40)

READS = {Scope.CONTACTS_READ, Scope.CRM_READ, Scope.SMS_READ, Scope.WEBHOOKS_READ}
SCOPES = {
    "sees everything": KEY_SCOPES,
    "sees no personal data": frozenset(READS),
    "sees contacts": frozenset({Scope.CONTACTS_READ}),
    "sees the board and messages": frozenset({Scope.CRM_READ, Scope.SMS_READ}),
    "sees nothing": frozenset({Scope.SMS_SEND}),
}

ID = re.compile(r"\b[a-z]{3}_[0-9A-Za-z]{21}\b")
LONG_NUMBER = re.compile(r"[0-9]{10,}")
OURS_ALONE = (
    "contacts",
    "companies",
    "messages",
    "cards",
    "pipelines",
    "contact_lists",
    "segments",
    "customer_events",
)


class GraphQLCore(RecordExecutor):
    """graphql-core's executor without the compiled selection."""

    execute_fields = Executor.execute_fields


class RealQuery(Query):
    """A made-up query whose arguments may mean something: ids and phones that there are, filters,
    orders, cursors.
    """

    def __init__(self, random: Random, words: Mapping[str, Sequence[str]]) -> None:
        self._words = words
        super().__init__(graphql_schema, random)

    def _arguments(self, field: GraphQLField) -> str:
        given = {}
        for name, argument in field.args.items():
            if name in ("first", "last", "after", "before"):
                continue
            if isinstance(argument.type, GraphQLNonNull) or self._random.random() < 0.15:
                given[name] = self._literal(name, argument.type, 3)
        if isinstance(how := field_kind_of(field), NodeField) and self._random.random() < 0.9:
            given["id"] = self._quoted(
                [id for id in self._words["ID"] if id.startswith(how.entity.prefix)] or ["x_1"]
            )
        if "first" in field.args:
            given[self._random.choice(("first", "last"))] = str(
                self._random.choice((1, 2, 3, 3, 3, 0))
            )
            if self._random.random() < 0.05:
                given[self._random.choice(("after", "before"))] = self._quoted(
                    self._words["cursor"]
                )
        return (
            f"({', '.join(f'{name}: {value}' for name, value in given.items())})" if given else ""
        )

    def _selection(self, type: Any, depth: int) -> str:
        selection = super()._selection(type, depth)
        return f"{{ id {selection[2:]}" if "id" in type.fields else selection

    def _literal(self, name: str, type: Any, depth: int) -> str:
        if isinstance(type, GraphQLNonNull):
            return self._literal(name, type.of_type, depth)
        if isinstance(type, GraphQLList):
            return f"[{', '.join(self._literal(name, type.of_type, depth) for _ in range(self._random.randint(0, 2)))}]"
        if isinstance(type, GraphQLEnumType):
            names: list[str] = list(type.values)
            return self._random.choice(names)
        if isinstance(type, GraphQLInputObjectType):
            fields = {
                inner: self._literal(inner, field.type, depth - 1)
                for inner, field in type.fields.items()
                if isinstance(field.type, GraphQLNonNull)
                or (depth > 0 and self._random.random() < 0.25)
            }
            return "{" + ", ".join(f"{inner}: {value}" for inner, value in fields.items()) + "}"
        values = LITERALS.get(type.name)
        return (
            self._quoted(self._words[type.name]) if values is None else self._random.choice(values)
        )

    def _quoted(self, texts: Sequence[str]) -> str:
        return orjson.dumps(self._random.choice(texts)).decode()


LITERALS = {
    "Int": ["0", "1", "-1", "2147483647"],
    "Float": ["0", "-0.0", "1.5", "1e308"],
    "Boolean": ["true", "false", "null"],
    "BigInt": ["0", "9007199254740991"],
    "DateTime": [
        '"2025-06-01T00:00:00Z"',
        '"0001-01-01T00:00:00Z"',
        '"9999-12-31T23:59:59.999999Z"',
        "null",
    ],
    "Date": ['"2025-06-30"', '"0001-01-01"', '"9999-12-31"'],
    "JSON": [
        "null",
        "1",
        '"a"',
        "[1, 2]",
        '["a", "b"]',
        "{a: {b: [1]}}",
        "true",
        '"\\u0000"',
        "1e308",
    ],
}


def query_of(seed: int, words: Mapping[str, Sequence[str]]) -> str:
    """The first query of a seed that is valid."""
    random = Random(seed)
    texts = (RealQuery(random, words).text for _ in range(100))
    return next(text for text in texts if not validate(graphql_schema, parse(text)))


async def answered(caller: Caller, query: str) -> str:
    """The answer as JSON; errors without an order, because fields of a list are completed side by
    side.
    """
    given = await answer(caller, orjson.dumps({"query": query, "variables": FLAGS}))
    content = {name: value for name, value in given.content.items() if name != "extensions"}
    if "errors" in content:
        content["errors"] = sorted(content["errors"], key=repr)
    return orjson.dumps(content).decode()


async def ids_of(caller: Caller) -> set[str]:
    rows = [
        row["id"]
        for table in OURS_ALONE
        for row in await db.fetch(
            f"SELECT id FROM {table} WHERE organization_id = $1 AND env = $2 ORDER BY id",
            caller.organization_id,
            caller.env,
        )
    ]
    return set(rows)


async def phones_of(caller: Caller) -> set[str]:
    rows = await db.fetch(
        "SELECT phone FROM contacts WHERE organization_id = $1 UNION "
        "SELECT recipient FROM messages WHERE organization_id = $1",
        caller.organization_id,
    )
    return {row["phone"].removeprefix("+") for row in rows}


async def a_full_house(caller: Caller) -> None:
    await a_seed(caller, contacts=40, companies=8, messages=150, deals=30)


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    cost.forget_costs()
    return replace(await a_caller("test"), limits=Limits(graphql_cost=10**9))


async def test_no_query_shows_more_than_the_credential_may(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    other_env = replace(caller, env="live")
    stranger = replace(await a_caller("test"), limits=caller.limits)
    for owner in (caller, other_env, stranger):
        await a_full_house(owner)
    own, foreign = await ids_of(caller), await ids_of(other_env) | await ids_of(stranger)
    phones = await phones_of(caller) | await phones_of(stranger)
    draw = Random(0)
    words = {
        "ID": [
            *draw.sample(sorted(own), 60),
            *draw.sample(sorted(foreign), 10),
            "x_1",
            "\x00",
            "cnt_",
        ],
        "String": [
            *(f"+{phone}" for phone in draw.sample(sorted(phones), 10)),
            "vip",
            "a",
            "%",
            "",
            "\x00",
            "São",
        ],
        "cursor": ["", "x", "WyJuZXdlc3QiLCIyMDI1LTA2LTAxIDAwOjAwOjAwKzAwIiwiYSJd", "W10", "\x00"],
    }
    shown = dict.fromkeys(SCOPES, 0)
    for seed in SEEDS:
        query = query_of(seed, words)
        for name, scopes in SCOPES.items():
            asking = replace(caller, scopes=scopes)
            text = await answered(asking, query)
            with monkeypatch.context() as patched:
                patched.setattr(execute, "RecordExecutor", GraphQLCore)
                assert await answered(asking, query) == text, query
            assert '"INTERNAL"' not in text, query
            assert not foreign & set(ID.findall(text)), query
            if not asking.sees_personal_data:
                # smsPreview says the text that it is given
                assert not phones & (
                    set(LONG_NUMBER.findall(text)) - set(LONG_NUMBER.findall(query))
                ), query
            shown[name] += len(own & set(ID.findall(text)))
    assert shown["sees everything"] > len(SEEDS)
    assert min(shown[name] for name in SCOPES if name != "sees nothing") > 10
    assert shown["sees nothing"] == 0


async def test_the_scan_finds_what_it_looks_for(caller: Caller) -> None:
    await a_full_house(caller)
    text = await answered(
        caller, "{ contacts(first: 5) { nodes { id phone } } messages(first: 5) { nodes { to } } }"
    )
    assert len(await phones_of(caller) & set(LONG_NUMBER.findall(text))) >= 5
    assert len(await ids_of(caller) & set(ID.findall(text))) == 5
