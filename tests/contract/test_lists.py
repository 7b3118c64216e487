"""Every list, asked for what it does not know: it is never silent about what it passes over."""

from collections.abc import Awaitable, Callable

import httpx
import pytest

from core.foundation.validation.inputs import closed_sets, query_names, repeatable_names
from rest_api.app import OPERATIONS
from rest_api.support.operations import Operation
from tests.contract.domains import BY_ADDRESS
from tests.contract.replay import SECRET, ask, ready
from tests.contract.table import Endpoint
from tests.contract.world import World

ITEMS = {"items", "defs"}
ONLY_A_FILE = {"GET /messages/{id}/media"}
"""Its answer has no place for a warning."""


def row_of(operation: Operation) -> Endpoint:
    return BY_ADDRESS[f"{operation.method} {operation.path}"]


READS = [one for one in OPERATIONS if one.method == "GET" and f"GET {one.path}" not in ONLY_A_FILE]
LISTS = [one for one in READS if one.query or (one.shape and ITEMS & set(one.shape.model_fields))]
EACH_LIST = pytest.mark.parametrize("operation", LISTS, ids=lambda operation: operation.path)


def names_of(operation: Operation) -> frozenset[str]:
    return query_names(operation.parameters)


Warnings = Callable[[dict[str, str | list[str]]], Awaitable[list[str]]]


async def warnings_of(rest: httpx.AsyncClient, operation: Operation) -> Warnings:
    """How to learn what the list warns of, when something is asked beside what it needs."""
    endpoint = row_of(operation)
    world = await World.open(endpoint.env)
    await ready(world, endpoint)
    credential = await world.credential(endpoint.by)
    needed = await world.fill(endpoint.query)

    async def asked(query: dict[str, str | list[str]]) -> list[str]:
        answer = await ask(rest, world, endpoint, credential, query={**needed, **query})
        assert answer.status_code == 200, answer.text
        assert SECRET not in answer.text
        warnings: list[str] = answer.json().get("warnings", [])
        return warnings

    return asked


@EACH_LIST
async def test_what_a_list_does_not_know_is_told(
    rest: httpx.AsyncClient, operation: Operation
) -> None:
    assert operation.warns
    warnings = await warnings_of(rest, operation)

    await an_unknown_parameter_is_named_and_its_value_is_not(warnings)
    await the_parameter_that_was_probably_meant_is_named(warnings, operation)
    await what_looks_like_no_name_is_not_repeated(warnings)
    await of_many_unknown_parameters_the_first_are_named(warnings)
    await a_parameter_that_is_repeated_in_vain_is_named(warnings, operation)


async def an_unknown_parameter_is_named_and_its_value_is_not(warnings: Warnings) -> None:
    assert await warnings({"nope": SECRET}) == ["parametro_desconhecido: nope"]


async def the_parameter_that_was_probably_meant_is_named(
    warnings: Warnings, operation: Operation
) -> None:
    for name in sorted(
        names_of(operation) - {"q", "to", "de", "ate"} - set(row_of(operation).query)
    ):
        misspelt = name[:1] + name[2:] + "s"
        if misspelt not in names_of(operation) and len(name) > 3:
            told = await warnings({misspelt: SECRET})
            assert told == [f"parametro_desconhecido: {misspelt}, existe {name}"]


async def what_looks_like_no_name_is_not_repeated(warnings: Warnings) -> None:
    for name in (
        "+5511987654321",
        "a@b.example",
        "x" * 41,
        "<b>",
        "\x1b[31m",
        "",
        "a\r\nb",
        "nome=é",
    ):
        assert await warnings({name: SECRET}) == ["parametro_desconhecido: ?"]


async def of_many_unknown_parameters_the_first_are_named(warnings: Warnings) -> None:
    told = await warnings({f"nope{n}": SECRET for n in range(30)})

    assert len(told) == 11
    assert told[-1] == "parametros_desconhecidos: mais 20"


async def a_parameter_that_is_repeated_in_vain_is_named(
    warnings: Warnings, operation: Operation
) -> None:
    single = names_of(operation) - repeatable_names(operation.parameters)
    for name, values in (("limit", ["2", "1"]), ("skip", ["1", "0"]), ("q", ["ana", "bia"])):
        if name in single:
            assert await warnings({name: values}) == [f"parametro_repetido: {name}, vale o ultimo"]


CLOSED = [one for one in LISTS if one.query and closed_sets(one.parameters)]


@pytest.mark.parametrize("operation", CLOSED, ids=lambda operation: operation.path)
async def test_a_value_outside_a_closed_set_is_told(
    rest: httpx.AsyncClient, operation: Operation
) -> None:
    assert operation.query is not None
    assert operation.lenient
    warnings = await warnings_of(rest, operation)
    for name, closed in closed_sets(operation.parameters).items():
        (told,) = await warnings({name: SECRET})
        assert told.startswith(f"valor_desconhecido: {name}")
        for value in closed.values:
            assert await warnings({name: value}) == []


def test_no_filter_of_a_lenient_list_has_values_that_nobody_told_it() -> None:
    """A closed set that is told in words only would be passed over in silence."""
    free = {
        f"{operation.path}?{name}"
        for operation in LISTS
        if operation.lenient and operation.query
        for name, field in operation.query.model_fields.items()
        if name
        in ("status", "source", "channel", "event", "opt_in_status", "quality_rating", "kind")
        and (field.alias or name) not in closed_sets(operation.parameters)
    }

    assert free == set()
