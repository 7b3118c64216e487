"""Every answer row, replayed: what the interface says of values that no shape can say."""

from functools import reduce
from typing import Any

import httpx
import pytest

from tests.contract.domains import ANSWERS, BY_ADDRESS
from tests.contract.replay import ask, changed, ready
from tests.contract.table import Answer
from tests.contract.world import World
from tests.fakes.provider import ScriptedProvider


@pytest.mark.parametrize(
    "row", ANSWERS, ids=lambda row: f"{row.address} {str(row.change)[:40]} {row.tells}"[:120]
)
async def test_an_answer_says_what_its_row_does(
    rest: httpx.AsyncClient, provider: ScriptedProvider, row: Answer
) -> None:
    endpoint = BY_ADDRESS[row.address]
    world = await World.open(row.env or endpoint.env, provider)
    await ready(world, endpoint)
    credential = await world.credential(endpoint.by)
    if row.before is not None:
        await row.before(world)

    query = {**await world.fill(endpoint.query), **row.query}
    answer = await ask(
        rest, world, endpoint, credential, body=await changed(world, endpoint, row), query=query
    )

    assert answer.status_code == endpoint.status, answer.text
    said = {place: reduce(step_into, place.split("/"), answer.json()) for place in row.tells}
    assert said == dict(row.tells)


def step_into(part: Any, name: str) -> Any:
    """A field of an object, or an item of an array."""
    return part[int(name)] if isinstance(part, list) else part[name]
