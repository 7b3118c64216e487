"""Every limit row, replayed over REST: the last value that is taken, and the first one that is
not.
"""

from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from copy import deepcopy
from typing import Any

import httpx
import pytest

from core.foundation.validation.inputs import MAX_INTEGER, closed_sets
from rest_api.app import OPERATIONS
from tests.contract.domains import BY_ADDRESS, ENDPOINTS, LIMITS, PAGES
from tests.contract.replay import ask, nothing_written, ready, texts_in, undone
from tests.contract.table import Endpoint, Limit, Page
from tests.contract.world import MAKERS, World
from tests.rest_api.contract import resolved, the_closed_document
from tests.rest_api.problem_answers import the_problem, wrong_fields


def by_operation(limits: Iterable[Limit]) -> pytest.MarkDecorator:
    """The limits of each operation together, for one world is enough for all of them; those before
    which something has to happen are replayed alone.
    """
    together: dict[tuple[str, str], list[Limit]] = defaultdict(list)
    for limit in limits:
        together[limit.address, limit.field if limit.before else ""].append(limit)
    return pytest.mark.parametrize(
        "limits", together.values(), ids=[" ".join(key).strip() for key in together]
    )


async def a_world_of(limits: Sequence[Limit]) -> tuple[World, Endpoint]:
    """Where the limits of an operation are replayed."""
    endpoint = BY_ADDRESS[limits[0].address]
    world = await World.open(endpoint.env)
    await ready(world, endpoint)
    if (before := limits[0].before) is not None:
        await before(world)
    return world, endpoint


@asynccontextmanager
async def tried(world: World) -> AsyncIterator[None]:
    """What happens inside is taken back, the records that it made too."""
    records = dict(world.records)
    async with undone():
        yield
    world.records = records


EACH_PAGE = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.address)


async def a_call(world: World, endpoint: Endpoint, limit: Limit, value: Any) -> dict[str, Any]:
    """The happy call with this value in its place."""
    name = limit.field[1:]
    if isinstance(value, str) and value[1:-1] in MAKERS:
        value = await world.fill(value)
    match limit.field[0]:
        case "?":
            return {"query": {**await world.fill(endpoint.query), name: value}}
        case "#":
            return {"headers": {name: value}}
    if not name:
        return {"body": value}
    body = deepcopy({**await world.fill(endpoint.body), **limit.change})
    *way, last = name.split("/")
    place: Any = body
    for step in way:
        place = place[step]
    place[int(last) if isinstance(place, list) else last] = value
    return {"body": body}


def where_of(limit: Limit, wrong: tuple[Any, ...]) -> tuple[str, str]:
    """Where a problem names the refused value: the kind of place and its name."""
    kind = {"?": "parameter", "#": "header"}.get(limit.field[0], "pointer")
    field = limit.field[1:] if kind != "pointer" else limit.field.rstrip("/")
    inside = wrong[2] if len(wrong) == 3 else ""
    return kind, "" if inside == "^" else field + inside


def is_a_word(text: str) -> bool:
    """Whether it may be one of ours, such as the name of a field or one of a closed set."""
    return text.replace("_", "").isalpha()


@by_operation(LIMITS)
async def test_what_lies_within_a_limit_is_taken(
    rest: httpx.AsyncClient, limits: Sequence[Limit]
) -> None:
    world, endpoint = await a_world_of(limits)
    credential = await world.credential(endpoint.by)

    for limit, value in [(one, value) for one in limits for value in one.takes]:
        async with tried(world):
            answer = await ask(
                rest, world, endpoint, credential, **await a_call(world, endpoint, limit, value)
            )
            assert answer.status_code == (limit.status or endpoint.status), (
                limit.field,
                str(value)[:60],
                answer.text[:500],
            )


@by_operation(LIMITS)
async def test_what_lies_beyond_a_limit_is_named_and_changes_nothing(
    rest: httpx.AsyncClient, limits: Sequence[Limit]
) -> None:
    world, endpoint = await a_world_of(limits)
    credential = await world.credential(endpoint.by)

    for limit, wrong in [(one, wrong) for one in limits for wrong in one.refuses]:
        wrong_is = 400 if limit.field[0] == "#" or 422 not in endpoint.statuses else 422
        value, code = wrong[0], wrong[1]
        call = await a_call(world, endpoint, limit, value)
        async with nothing_written():
            problem = the_problem(await ask(rest, world, endpoint, credential, **call), wrong_is)
        assert (*where_of(limit, wrong), code) in wrong_fields(problem), (
            str(value)[:60],
            problem,
        )
        told = str(problem["errors"]) + problem["detail"]
        said = {text for text in texts_in(value) if len(text) > 5 and text in told}
        assert {text for text in said if text == value or not is_a_word(text)} == set()


# Lists --------------------------------------------------------------------------------------------


def test_every_list_has_a_row() -> None:
    lists = {endpoint.address for endpoint in ENDPOINTS if "limit" in endpoint.parameter_names}

    assert lists == {page.address for page in PAGES}, (
        "add a row to PAGES in a file of tests/contract/rows"
    )


@EACH_PAGE
async def test_a_list_answers_as_many_as_asked_up_to_its_ceiling(
    rest: httpx.AsyncClient, page: Page
) -> None:
    endpoint = BY_ADDRESS[page.address]
    world = await World.open(endpoint.env)
    credential = await world.credential(endpoint.by)
    await page.fill(world, page.ceiling + 1)
    query = {**await world.fill(endpoint.query), **page.query}

    async def items(**more: int) -> int:
        answer = await ask(
            rest,
            world,
            endpoint,
            credential,
            query={**query, **{k: str(v) for k, v in more.items()}},
        )
        assert answer.status_code == 200, answer.text
        return len(answer.json()["items"])

    assert await items() == page.default
    assert await items(limit=1) == 1
    assert await items(limit=page.ceiling) == page.ceiling
    if page.above == "cut":
        assert await items(limit=page.ceiling + 1) == page.ceiling
        assert await items(limit=MAX_INTEGER) == page.ceiling
    if page.skips:
        assert await items(skip=MAX_INTEGER) == 0


def unsigned(item: dict[str, Any]) -> dict[str, Any]:
    """The record without the address of its file, which is signed anew each second."""
    return {name: value for name, value in item.items() if name != "url"}


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if "cursor" in BY_ADDRESS[page.address].parameter_names],
    ids=lambda page: page.address,
)
async def test_pages_follow_each_other_by_their_cursor(rest: httpx.AsyncClient, page: Page) -> None:
    endpoint = BY_ADDRESS[page.address]
    world = await World.open(endpoint.env)
    credential = await world.credential(endpoint.by)
    await page.fill(world, 5)
    query = {**await world.fill(endpoint.query), **page.query}

    async def read(**more: str) -> dict[str, Any]:
        answer = await ask(rest, world, endpoint, credential, query={**query, **more})
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    whole, pages = await read(), [await read(limit="2")]
    while pages[-1].get("hasMore", pages[-1].get("nextCursor")):
        assert len(pages) < len(whole["items"])
        pages.append(await read(limit="2", cursor=pages[-1]["nextCursor"]))

    assert len(whole["items"]) >= 5
    assert [unsigned(item) for one in pages for item in one["items"]] == [
        unsigned(item) for item in whole["items"]
    ]
    assert {one.get("total") for one in pages} == {whole.get("total")}


@EACH_PAGE
async def test_a_number_that_no_page_can_have_is_named(rest: httpx.AsyncClient, page: Page) -> None:
    endpoint = BY_ADDRESS[page.address]
    world = await World.open(endpoint.env)
    await page.fill(world, 2)
    credential = await world.credential(endpoint.by)
    wrong = [
        ("limit", "0", "too_small"),
        ("limit", "-1", "too_small"),
        ("limit", "1.5", "wrong_type"),
    ]
    if page.skips:
        wrong += [("skip", "-1", "too_small"), ("skip", str(MAX_INTEGER + 1), "too_large")]
    if page.above == "refused":
        wrong.append(("limit", str(page.ceiling + 1), "too_large"))

    for name, value, code in wrong:
        query = {**await world.fill(endpoint.query), **page.query, name: value}
        answer = await ask(rest, world, endpoint, credential, query=query)
        if {400, 422} & endpoint.statuses:
            problem = the_problem(answer, 422 if 422 in endpoint.statuses else 400)
            assert wrong_fields(problem) == [("parameter", name, code)]
        else:
            assert answer.json()["warnings"] == [f"{name}_ignorado_invalido"]
            assert len(answer.json()["items"]) == answer.json().get("total", 2) == 2


# Whether there is a row for everything ------------------------------------------------------------

BORDERS = {
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "maxProperties",
    "enum",
}


def bounded(schema: dict[str, Any]) -> bool:
    """Whether a field has a border, as the document describes it."""
    schema = resolved(schema)
    return bool(BORDERS & set(schema)) or any(bounded(one) for one in schema.get("anyOf", ()))


def bounded_fields(endpoint: Endpoint) -> set[str]:
    """The fields and parameters that have one, as rows spell them."""
    told = the_closed_document()["paths"][endpoint.path][endpoint.method.lower()]
    fields = {
        f"?{one['name']}"
        for one in told["parameters"]
        if one["in"] == "query" and bounded(one["schema"])
    }
    if "requestBody" in told and endpoint.file is None:
        schema = resolved(told["requestBody"]["content"]["application/json"]["schema"])
        fields |= {f"/{name}" for name, field in schema["properties"].items() if bounded(field)}
    # Those of every list are replayed with its page, and closed sets that nothing refuses in
    # `test_lists.py`.
    return fields - {"?limit", "?skip"} - told_by_warnings(endpoint)


def told_by_warnings(endpoint: Endpoint) -> set[str]:
    """The parameters that take any text, and whose unknown values a warning tells."""
    operation = next(
        one for one in OPERATIONS if (one.method, one.path) == (endpoint.method, endpoint.path)
    )
    return {f"?{name}" for name in closed_sets(operation.parameters)} if operation.query else set()


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.address)
def test_every_border_that_the_document_tells_has_a_row(endpoint: Endpoint) -> None:
    rows = {limit.field for limit in LIMITS if limit.address == endpoint.address}
    told = {field for row in rows for field in (row, row[:1] + row[1:].partition("/")[0])}

    assert bounded_fields(endpoint) - told == set(), (
        "add a row to LIMITS in a file of tests/contract/rows"
    )
