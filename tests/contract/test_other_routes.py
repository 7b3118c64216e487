"""The addresses outside the operation list: pages for anybody, and callbacks of providers."""

import json
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest
import redis.asyncio as redis

from core.foundation import settings
from core.foundation.database import db
from core.operations import MetricsPage
from rest_api.app import create_app
from rest_api.health import DatabaseProbe, FilesProbe
from tests.contract.domains import CALLBACKS, OTHER_ROUTES
from tests.contract.replay import nothing_written
from tests.contract.table import Callback, OtherRoute
from tests.contract.world import NO_ID, World
from tests.fakes.gateway import SIGNATURE, FakeGateway
from tests.fakes.provider import ScriptedProvider
from tests.rest_api.problem_answers import the_problem
from tests.support import hostile

EACH_CALLBACK = pytest.mark.parametrize("callback", CALLBACKS, ids=lambda callback: callback.path)


@pytest.fixture
async def started(clean_slate: None) -> AsyncIterator[httpx.AsyncClient]:
    """Calls an application that has what it opens at its start."""
    app = create_app()
    app.state.database, app.state.files = DatabaseProbe(), FilesProbe()
    async with (
        redis.Redis.from_url(settings.current().redis_url) as connection,
        httpx.AsyncClient(
            transport=httpx.ASGITransport(app=app), base_url="http://svc.test"
        ) as client,
    ):
        app.state.redis, app.state.metrics_page = connection, MetricsPage(connection)
        yield client


@pytest.mark.parametrize("route", OTHER_ROUTES, ids=lambda route: route.path)
async def test_a_page_is_for_anybody_to_get_and_for_nobody_to_change(
    started: httpx.AsyncClient, route: OtherRoute
) -> None:
    address = route.example or route.path

    async with nothing_written():
        got = await started.get(address)
        head = await started.head(address)
        changing = {"POST": route.posts, "PUT": route.puts, "PATCH": False, "DELETE": route.deletes}
        refused = [
            await started.request(method, address)
            for method, means_something in changing.items()
            if not means_something
        ]

    assert got.status_code == head.status_code == route.status
    assert got.headers.get("content-type", "").partition(";")[0] == route.media
    assert head.content == b""
    for answer in refused:
        if route.hidden:
            assert the_problem(answer, route.status)["code"] == "NOT_FOUND"
            continue
        assert the_problem(answer, 405)["code"] == "METHOD_NOT_ALLOWED"
        delete, post = "DELETE, " * route.deletes, ", POST" * route.posts + ", PUT" * route.puts
        assert answer.headers["allow"] == f"{delete}GET, HEAD, OPTIONS{post}"


# Callbacks ----------------------------------------------------------------------------------------


@pytest.fixture
def gateway(database: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeGateway]:
    """Who shares a secret with this installation."""
    fake = FakeGateway()
    with monkeypatch.context() as patched:
        patched.setenv("SVC_GATEWAY_URL", "http://127.0.0.1:9009")
        patched.setenv("SVC_GATEWAY_SECRET", fake.secret)
        patched.setenv("SVC_SMTP_FEEDBACK_SECRET", fake.secret)
        patched.setenv("SVC_PAYMENTS_SECRET", fake.secret)
        settings.current.cache_clear()
        yield fake
    settings.current.cache_clear()


def address_of(callback: Callback, organization_id: str) -> str:
    return callback.path.replace("{organization_id}", organization_id)


def signed(callback: Callback, gateway: FakeGateway, raw: bytes, address: str) -> dict[str, str]:
    headers = gateway.headers_for(raw, to=httpx.URL(f"http://here{address}").raw_path.decode())
    return {callback.header: headers.pop(SIGNATURE), **headers}


@EACH_CALLBACK
async def test_a_callback_is_taken_when_it_is_signed(
    rest: httpx.AsyncClient, provider: ScriptedProvider, gateway: FakeGateway, callback: Callback
) -> None:
    world = await World.open("live", provider)
    await db.execute(
        "UPDATE messages SET provider = 'gateway' WHERE id = $1", await world.record("sms")
    )
    raw = json.dumps(await world.fill(callback.item)).encode()
    address = address_of(callback, world.caller.organization_id)

    key = await world.key()

    async with nothing_written():
        for headers in ({}, signed(callback, gateway, raw + b" ", address), key):
            answer = await rest.post(address, content=raw, headers=headers)
            assert the_problem(answer, 401)["meta"] == {"motivo": "assinatura"}
    answer = await rest.post(address, content=raw, headers=signed(callback, gateway, raw, address))

    assert (answer.status_code, answer.json()) == (200, {"received": 1})


@EACH_CALLBACK
async def test_what_a_callback_cannot_be_is_refused(
    rest: httpx.AsyncClient, gateway: FakeGateway, callback: Callback
) -> None:
    own = (await World.open("live")).caller.organization_id
    item = json.dumps(callback.item).encode()
    bad = json.dumps(callback.bad_item).encode()
    too_large = item.ljust(callback.body_limit + 1)

    async def post(organization_id: str, raw: bytes, status: int) -> None:
        address = address_of(callback, organization_id)
        problem = the_problem(
            await rest.post(address, content=raw, headers=signed(callback, gateway, raw, address)),
            status,
        )
        assert "5511987650005" not in str(problem)

    async with nothing_written():
        for id in (*NO_ID.values(), *(text for text in hostile.LONG_TEXTS.values())):
            await post(id, item, 404)
        await post(own, b"{", 400)
        await post(own, bad, 400)
        await post(own, too_large, 413)
        for method in ("GET", "PUT", "PATCH", "DELETE"):
            answer = await rest.request(method, address_of(callback, own))
            the_problem(answer, 405)
            assert answer.headers["allow"] == "POST"


@pytest.mark.slow
@EACH_CALLBACK
async def test_no_value_is_a_fault_of_ours(
    rest: httpx.AsyncClient, gateway: FakeGateway, callback: Callback
) -> None:
    address = address_of(callback, (await World.open("live")).caller.organization_id)
    several = {"items": [callback.item]}
    bodies = [*hostile.places(callback.item), {"items": hostile.PLACE}, *hostile.places(several)]

    for value in hostile.RAW.values():
        for body in bodies:
            raw = hostile.with_value(body, value)
            answer = await rest.post(
                address, content=raw, headers=signed(callback, gateway, raw, address)
            )
            # 409: a payment under the id of another one.
            assert answer.status_code in (200, 400, 409, 422), (raw[:200], answer.text)


@EACH_CALLBACK
async def test_without_a_shared_secret_there_is_no_such_address(
    rest: httpx.AsyncClient, callback: Callback
) -> None:
    own = (await World.open("live")).caller.organization_id

    the_problem(await rest.post(address_of(callback, own), content=b"{}"), 404)
