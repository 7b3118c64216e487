"""What the document promises of `RateLimit` and `RateLimit-Policy` is sent, with true numbers;
nothing else is.
"""

import re

import httpx
import pytest

from tests.contract.domains import ENDPOINTS, REFUSALS
from tests.contract.replay import ask, ready
from tests.contract.table import Endpoint
from tests.contract.world import World
from tests.rest_api.contract import resolved, the_closed_document

HEADERS = {"RateLimit", "RateLimit-Policy"}


def promised(endpoint: Endpoint, status: int) -> set[str]:
    """Which of them the document names for an answer of this status."""
    told = the_closed_document()["paths"][endpoint.path][endpoint.method.lower()]["responses"].get(
        str(status), {}
    )
    return HEADERS & resolved(told).get("headers", {}).keys() if told else set()


LOCKED = {
    "POST /v2/sessions",
    "POST /v2/accounts/accept",
    "POST /v2/sessions/password-reset",
    "POST /v2/sessions/password-reset/confirm",
    "PATCH /v2/me",
    "POST /v2/me/second-factor",
    "POST /v2/me/second-factor/confirm",
    "POST /v2/me/second-factor/remove",
}
LIMITED = [endpoint for endpoint in ENDPOINTS if promised(endpoint, endpoint.status)]
EACH = pytest.mark.parametrize("endpoint", LIMITED, ids=lambda endpoint: endpoint.address)


def told_by(answer: httpx.Response) -> tuple[int, int, int]:
    """The quota, what is left of it, and the seconds until one more is there."""
    policy = re.fullmatch(r'"([a-z.]+)";q=(\d+);w=(\d+)', answer.headers["RateLimit-Policy"])
    state = re.fullmatch(r'"([a-z.]+)";r=(\d+);t=(\d+)', answer.headers["RateLimit"])
    assert policy is not None
    assert state is not None
    assert policy[1] == state[1]
    return int(policy[2]), int(state[2]), int(state[3])


@EACH
async def test_the_first_answer_tells_that_one_is_used(
    rest: httpx.AsyncClient, endpoint: Endpoint
) -> None:
    world = await World.open(endpoint.env)
    await ready(world, endpoint)

    answer = await ask(rest, world, endpoint, await world.credential(endpoint.by))

    assert answer.status_code == endpoint.status
    quota, left, _ = told_by(answer)
    assert left == quota - 1


@EACH
async def test_the_refusal_tells_that_none_is_left_and_when_one_is(
    rest: httpx.AsyncClient, endpoint: Endpoint
) -> None:
    (row,) = [
        one
        for one in REFUSALS
        if (one.status, one.address, one.env) == (429, endpoint.address, None)
    ]
    assert promised(endpoint, 429) == HEADERS
    world = await World.open(endpoint.env)
    await ready(world, endpoint)
    assert row.before is not None
    await row.before(world)

    answer = await ask(rest, world, endpoint, await world.credential(endpoint.by))

    assert answer.status_code == 429
    _, left, wait = told_by(answer)
    assert (left, str(wait)) == (0, answer.headers["Retry-After"])


def test_the_operations_that_promise_them_are_those_that_a_limit_refuses() -> None:
    refused = {endpoint.address for endpoint in ENDPOINTS if 429 in endpoint.statuses}

    # Five wrong passwords lock a log-in; right ones use nothing up.
    assert {endpoint.address for endpoint in LIMITED} == refused - LOCKED
    for endpoint in ENDPOINTS:
        assert endpoint in LIMITED or not any(
            promised(endpoint, status) for status in endpoint.statuses
        )
