"""Every operation that honours an Idempotency-Key, sent twice: one effect, one answer. That a
refusal leaves it free is told by test_error_codes.py.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from rest_api.app import OPERATIONS
from rest_api.support.keys import UNKEYED
from tests.contract.domains import ENDPOINTS
from tests.contract.replay import ask, contents, of_each_table, ready
from tests.contract.table import WITHOUT_KEY, Endpoint
from tests.contract.world import World
from tests.fakes.provider import ScriptedProvider
from tests.rest_api.conftest import the_app
from tests.rest_api.contract import keeps_to_the_document
from tests.rest_api.problem_answers import the_problem

HONOURING = [endpoint for endpoint in ENDPOINTS if endpoint.takes_key]
KEY = {"Idempotency-Key": "contract"}
REPLAYED = "idempotent-replayed"


def rows(of: list[Endpoint]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("endpoint", of, ids=lambda endpoint: endpoint.address)


def test_every_other_post_tells_why_it_honours_none() -> None:
    addresses = {f"{operation.method} {operation.path}" for operation in OPERATIONS}

    assert set(UNKEYED) == WITHOUT_KEY
    assert set(UNKEYED) <= addresses
    assert all(reason.endswith(".") for reason in UNKEYED.values())


def test_the_route_of_a_key_has_room_in_its_column() -> None:
    assert max(len(endpoint.address) for endpoint in HONOURING) <= 40


@pytest.fixture
async def client(real_commits: None) -> AsyncIterator[httpx.AsyncClient]:
    """Calls the application as `rest` does, but each request has a transaction of its own."""
    transport = httpx.ASGITransport(app=the_app(), raise_app_exceptions=False)
    hooks = {"response": [keeps_to_the_document]}
    async with httpx.AsyncClient(
        transport=transport, base_url="http://svc.test", event_hooks=hooks
    ) as client:
        yield client


@rows(HONOURING)
@pytest.mark.usefixtures("at_once")
async def test_sent_twice_at_once_and_again_it_is_done_once(
    client: httpx.AsyncClient, provider: ScriptedProvider, endpoint: Endpoint
) -> None:
    one_effect = await rows_of_one(client, endpoint, provider)
    world = await World.open(endpoint.env, provider)
    await ready(world, endpoint)
    credential = await world.credential(endpoint.by)

    async def send(**how: Any) -> httpx.Response:
        return await ask(client, world, endpoint, credential, headers=KEY, **how)

    start = await row_counts()
    answers = list(await asyncio.gather(send(), send()))
    assert await row_counts() - start == one_effect
    before = await stored()
    answers.append(await send())

    first = next(answer for answer in answers if REPLAYED not in answer.headers)
    others = [answer for answer in answers if answer is not first]
    assert first.status_code == endpoint.status, first.text
    for answer in others:
        assert (answer.status_code, answer.headers.get(REPLAYED)) == (first.status_code, "true")
        assert same(answer.json()) == same(first.json())
        assert (first.json().get("replayed"), answer.json().get("replayed")) in (
            (None, None),
            (False, True),
        )
    assert await stored() == before, "the repeat changed something"

    tried = [await send(body=body) for body in variations(await world.fill(endpoint.body))]
    told_apart = [
        answer for answer in tried if answer.status_code not in (400, 422)
    ]  # those that can be read
    assert told_apart or not endpoint.body
    if endpoint.ids:
        told_apart.append(await send(ids=dict.fromkeys(endpoint.ids, "x")))
    for answer in told_apart:
        meta = the_problem(answer, 409)["meta"]
        meta.pop("decisaoId", None)  # the trace of a refused send, each its own
        assert meta == {"code": "CHAVE_REUTILIZADA"}
    assert await stored() == before, "a refused repeat changed something"


async def rows_of_one(
    client: httpx.AsyncClient, endpoint: Endpoint, provider: ScriptedProvider
) -> Counter[str]:
    """How many rows of each table come of one call, in an organization of its own."""
    world = await World.open(endpoint.env, provider)
    await ready(world, endpoint)
    credential = await world.credential(endpoint.by)
    start = await row_counts()
    answer = await ask(client, world, endpoint, credential)
    assert answer.status_code == endpoint.status, answer.text
    rows = await row_counts() - start
    rows["idempotency_keys"] = 1
    return rows


async def stored() -> dict[str, Any]:
    """A sum over each table, but for those where the last use of credentials is noted now and then."""
    return {
        name: sum
        for name, sum in (await contents()).items()
        if name not in ("api_keys", "sessions", "accounts")
    }


async def row_counts() -> Counter[str]:
    """The rows of every table. (They are never fewer after a POST.)"""
    return Counter(await of_each_table("count(*)"))


def same(answer: Any) -> Any:
    """An answer without what says that it was given before."""
    return {name: value for name, value in answer.items() if name != "replayed"}


def variations(body: Any) -> list[dict[str, Any]]:
    """Other bodies, each with one field changed; not all of them can be read."""
    found = []
    for name, value in (body or {}).items():
        match value:
            case bool():
                found.append({**body, name: not value})
            case int() | float():
                found.append({**body, name: value + 1})
            case str() if value[:4].isdigit():
                found.append({**body, name: f"{int(value[:4]) - 1}{value[4:]}"})
            case str():
                found.append({**body, name: value + "x"})
            case list() if value:
                found.append({**body, name: [*value, value[0]]})
                if isinstance(value[0], str):
                    found.append({**body, name: [value[0] + "x"]})
            case dict():
                found += [{**body, name: inner} for inner in variations(value)]
    return found
