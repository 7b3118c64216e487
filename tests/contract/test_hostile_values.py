"""No value that anybody sends is a fault of ours: strange ones in every place of every operation,
one at a time.
"""

from typing import Any

import httpx
import pytest

from tests.contract.domains import BY_ADDRESS, ENDPOINTS, LIMITS
from tests.contract.replay import FILE_HEADERS, ask, ready, undone
from tests.contract.table import Endpoint
from tests.contract.test_limits import a_call
from tests.contract.world import World
from tests.support import hostile

pytestmark = pytest.mark.slow

EACH = pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.address)
WITH_BODY = pytest.mark.parametrize(
    "endpoint",
    [endpoint for endpoint in ENDPOINTS if endpoint.fields],
    ids=lambda endpoint: endpoint.address,
)
COUNTED = {"POST /webhooks/validate"}
"""Operations that an organization may call a few times a minute only."""

OUTSIDE = {502, 503}
"""What an operation may answer where a platform is missing."""


def headers_of(endpoint: Endpoint) -> list[str]:
    """The headers that mean something to the operation itself."""
    keyed = ["Idempotency-Key"] if endpoint.takes_key else []
    return [
        *keyed,
        *(FILE_HEADERS if endpoint.file else ()),
        *(["Range"] if endpoint.answers_file else []),
    ]


class Caller:
    """Who calls the operation; another organization each time where calls are counted."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self.world: World
        self.credential: dict[str, str]

    async def enter(self) -> None:
        """Make the organization, and all that the call speaks of."""
        self.world = await World.open(self._endpoint.env)
        await ready(self.world, self._endpoint)
        self.credential = await self.world.credential(self._endpoint.by)

    async def enter_again(self) -> None:
        """Before each call."""
        if self._endpoint.address in COUNTED:
            await self.enter()


async def bodies(world: World, endpoint: Endpoint) -> list[Any]:
    """The body that is taken, with a PLACE in each of its fields, also in those that it leaves out."""
    body = await world.fill(endpoint.body) if endpoint.body is not None else {}
    found = [*hostile.places(body)]
    for name, is_list in endpoint.field_names.items():
        if name not in body:
            found += [
                {**body, name: hostile.PLACE},
                *([{**body, name: [hostile.PLACE]}] if is_list else []),
            ]
    for limit in LIMITS:
        # Rows of limits know how to say what the body above leaves out.
        if limit.address == endpoint.address and limit.field[:1] == "/" and limit.field[1:]:
            found.append((await a_call(world, endpoint, limit, hostile.PLACE))["body"])
    return list({repr(one): one for one in found}.values())


def is_answered(answer: httpx.Response) -> bool:
    """Whether the operation itself said something that makes sense."""
    assert answer.status_code != 429, "the limits hide what this test asks for"
    return answer.status_code < 500 or answer.status_code in OUTSIDE


@WITH_BODY
async def test_no_value_of_a_body_is_a_fault_of_ours(
    rest: httpx.AsyncClient, endpoint: Endpoint
) -> None:
    caller = Caller(endpoint)
    await caller.enter()
    faults = set()

    for body in await bodies(caller.world, endpoint):
        for name, value in hostile.RAW.items():
            await caller.enter_again()
            headers = {**caller.credential, "Content-Type": "application/json"}
            async with undone():
                raw = hostile.with_value(body, value)
                answer = await ask(rest, caller.world, endpoint, headers, content=raw)
            if not is_answered(answer):
                faults.add((hostile.where(body), name, answer.status_code))

    assert not faults


@EACH
async def test_no_text_of_an_address_or_header_is_a_fault_of_ours(
    rest: httpx.AsyncClient, endpoint: Endpoint
) -> None:
    world = await World.open(endpoint.env)
    await ready(world, endpoint)
    credential = await world.credential(endpoint.by)
    query, ids = await world.fill(endpoint.query), await world.fill(endpoint.ids)
    calls: dict[str, dict[str, Any]] = {
        **{
            f"?{name}": {"query": {**query, name: hostile.PLACE}}
            for name in endpoint.parameter_names
        },
        **{name: {"ids": {**ids, name: hostile.PLACE}} for name in ids},
        **{f"#{name}": {"headers": {name: hostile.PLACE}} for name in headers_of(endpoint)},
    }
    faults = set()

    for where, call in calls.items():
        for name, text in hostile.TEXTS.items():
            async with undone():
                answer = await ask(rest, world, endpoint, credential, **with_text(call, text))
            if not is_answered(answer):
                faults.add((where, name, answer.status_code))

    assert not faults


def with_text(call: dict[str, Any], text: str) -> dict[str, Any]:
    """The call with the text in its PLACE. No client sends a NUL in a header."""
    ((kind, values),) = call.items()
    sent: str | bytes = text.replace("\x00", "\x7f").encode() if kind == "headers" else text
    return {
        kind: {name: sent if value == hostile.PLACE else value for name, value in values.items()}
    }


@pytest.mark.parametrize(
    "name", ["X-Request-Id", "Accept-Language", "Accept", "Content-Type", "Authorization"]
)
async def test_no_text_of_a_header_of_every_operation_is_a_fault_of_ours(
    rest: httpx.AsyncClient, name: str
) -> None:
    endpoint = BY_ADDRESS["POST /v2/lists"]
    world = await World.open()
    await ready(world, endpoint)
    credential = await world.key()

    for text in hostile.TEXTS.values():
        answer = await ask(
            rest, world, endpoint, credential, headers={name: text.replace("\x00", "\x7f").encode()}
        )
        assert is_answered(answer), (name, text[:40])
