"""`GET /metrics`: what happened at the entry point, by route and outcome, whole and without anybody's
data.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import datetime
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from core import organizations
from core.foundation import settings
from core.foundation.errors import ValidationFailed
from core.foundation.security import rate_limit
from core.operations import MetricsPage, metrics_page
from rest_api.app import Service, create_app
from rest_api.support import endpoint
from tests.factories.organizations import a_caller, a_key
from tests.factories.push import a_device, a_dispatch, drained
from tests.factories.sms import leave_coins
from tests.rest_api.problem_answers import the_problem
from tests.support.counted import counted

pytestmark = pytest.mark.slow

PHONE = "+5511987650005"
TOKEN = "a token of the operator"


class Redis:
    """A Redis that answers, or does not."""

    def __init__(self) -> None:
        self.away = False

    async def ping(self) -> bool:
        if self.away:
            raise ConnectionError
        return True


@pytest.fixture
def app() -> Service:
    app = create_app()
    app.state.redis = Redis()
    app.state.metrics_page = MetricsPage(app.state.redis)
    return app


@pytest.fixture
async def client(app: Service, clean_slate: None) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://svc.test") as client:
        yield client


@pytest.fixture(autouse=True)
def own_buckets() -> Iterator[None]:
    """Full buckets of this test alone."""
    rate_limit.use_buckets(rate_limit.LocalBuckets())
    yield
    rate_limit.use_buckets(rate_limit.LocalBuckets())


def read(answer: httpx.Response) -> dict[tuple[str, ...], float]:
    """The page as Prometheus reads it: values by name and values of the labels."""
    assert answer.status_code == 200
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


async def send(
    client: httpx.AsyncClient, key: str, idempotency_key: str, **fields: Any
) -> httpx.Response:
    return await client.post(
        "/v2/sms/messages",
        json={"to": PHONE, "body": "Oi", "route": "otp", **fields},
        headers={"Authorization": f"Bearer {key}", "Idempotency-Key": idempotency_key},
    )


# Requests


@pytest.mark.parametrize(
    ("asked", "labels"),
    [
        ("GET /v2/sms/messages/msg_of_somebody", ("GET", "/v2/sms/messages/{id}", "401")),
        ("GET /v2/sms/messages?to=5511987650005", ("GET", "/v2/sms/messages", "401")),
        ("HEAD /v2/sms/messages", ("HEAD", "/v2/sms/messages", "401")),
        ("OPTIONS /v2/sms/messages", ("OPTIONS", "/v2/sms/messages", "204")),
        ("DELETE /v2/sms/messages", ("DELETE", "/v2/sms/messages", "405")),
        ("PURGE /v2/sms/messages", ("other", "/v2/sms/messages", "405")),
        ("GET /l/aSecretCode", ("GET", "/l/{code:path}", "404")),
        (
            "POST /providers/gateway/org_1/receipts",
            ("POST", "/providers/gateway/{organization_id}/receipts", "404"),
        ),
        ("GET /5511987650005", ("GET", "unmatched", "404")),
        ("GET /healthz", ("GET", "/healthz", "200")),
    ],
)
async def test_a_request_is_counted_once_by_method_route_and_status(
    client: httpx.AsyncClient, asked: str, labels: tuple[str, str, str]
) -> None:
    with counted("svc_http_") as risen:
        await client.request(*asked.split())

    method, route, _ = labels
    assert risen == {
        ("svc_http_requests_total", *labels): 1,
        ("svc_http_request_seconds", method, route): 1,
    }


async def test_methods_and_addresses_that_somebody_makes_up_are_no_new_series(
    client: httpx.AsyncClient,
) -> None:
    await client.request("ONE", "/nowhere/1")
    before = set(read(await client.get("/metrics")))

    for number in range(5):
        await client.request(f"METHOD{number}", f"/nowhere/{number}")
        await client.request(f"METHOD{number}", "/v2/sms/messages")

    new = set(read(await client.get("/metrics"))) - before
    assert {labels[1:] for labels in new if labels[0] == "svc_http_requests_total"} <= {
        ("other", "/v2/sms/messages", "405"),
        ("GET", "/metrics", "200"),
    }


async def test_a_fault_of_ours_is_counted(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(endpoint, "authenticate", broken)

    with counted("svc_http_requests") as risen:
        await client.get("/v2/sms/messages")

    assert risen == {("svc_http_requests_total", "GET", "/v2/sms/messages", "500"): 1}


# Sends, wallets, limits


async def test_sends_are_counted_by_channel_environment_and_outcome(
    client: httpx.AsyncClient,
) -> None:
    key = await a_key()

    with counted("svc_sends") as risen:
        await send(client, key, "one")
        await send(client, key, "one")
        await send(client, key, "one", body="Another text")
        await send(client, key, "two", to="+5511987650114")
        await send(client, key, "three", route="la_dedicada")
        await send(client, await a_key("live"), "four")

    assert risen == {
        ("svc_sends_total", "sms", "test", "sent"): 1,
        ("svc_sends_total", "sms", "test", "replayed"): 1,
        ("svc_sends_total", "sms", "test", "conflict"): 1,
        ("svc_sends_total", "sms", "test", "service_unavailable"): 1,
        ("svc_sends_total", "sms", "test", "precondition_failed"): 1,
        ("svc_sends_total", "sms", "live", "service_unavailable"): 1,
    }


async def test_dispatches_of_push_are_sends_and_their_devices_are_reported(
    clean_slate: None,
) -> None:
    caller = await a_caller()
    await a_device(caller, "phone")
    await a_device(caller, "tablet:fail")

    with counted("svc_sends") as sends, counted("svc_receipts") as reports:
        dispatch = await a_dispatch(caller, key="one")
        await a_dispatch(caller, key="one")
        with pytest.raises(ValidationFailed):
            await a_dispatch(caller, segment="seg_unknown")
        await drained(caller, dispatch["id"])

    assert sends == {
        ("svc_sends_total", "push", "test", "queued"): 1,
        ("svc_sends_total", "push", "test", "replayed"): 1,
        ("svc_sends_total", "push", "test", "validation_error"): 1,
    }
    assert reports == {
        ("svc_receipts_total", "push", "test", "delivered"): 1,
        ("svc_receipts_total", "push", "test", "failed"): 1,
    }


async def test_what_a_wallet_does_not_cover_is_counted(client: httpx.AsyncClient) -> None:
    caller = await a_caller()
    await leave_coins(caller, 1)
    key = await a_key(organization_id=caller.organization_id)

    with counted("svc_wallet") as risen:
        assert (await send(client, key, "one")).status_code == 402

    assert risen == {("svc_wallet_refusals_total", "test"): 1}


async def test_what_a_limit_turns_away_is_counted_by_the_limit(client: httpx.AsyncClient) -> None:
    caller = await a_caller()
    await organizations.set_limits(caller.organization_id, "test", sms_per_second=1)
    key = await a_key(organization_id=caller.organization_id)

    with counted("svc_rate") as risen:
        answers = [await send(client, key, f"key-{number}") for number in range(3)]

    assert [answer.status_code for answer in answers] == [201, 429, 429]
    assert risen == {("svc_rate_limited_total", "sms"): 2}


# The page


async def test_the_page_is_open_and_in_the_text_format(client: httpx.AsyncClient) -> None:
    answer = await client.get("/metrics")

    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    found = read(answer)
    assert (found["svc_database_up",], found["svc_redis_up",]) == (1, 1)
    assert found["svc_queue_due", "webhook_deliveries"] == 0


async def test_no_api_key_is_needed_and_none_harms(client: httpx.AsyncClient) -> None:
    key = await a_key()

    assert (
        await client.get("/metrics", headers={"Authorization": f"Bearer {key}"})
    ).status_code == 200


@pytest.fixture
def token(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The operator has set SVC_METRICS_TOKEN."""
    monkeypatch.setenv("SVC_METRICS_TOKEN", TOKEN)
    settings.current.cache_clear()
    yield
    monkeypatch.undo()
    settings.current.cache_clear()


@pytest.mark.usefixtures("token")
@pytest.mark.parametrize(
    "authorization", [None, "Bearer ", f"Bearer {TOKEN}x", f"Basic {TOKEN}", TOKEN, "Bearer é"]
)
async def test_with_a_token_nobody_reads_without_it(
    client: httpx.AsyncClient, authorization: str | None
) -> None:
    headers = {} if authorization is None else {b"Authorization": authorization.encode()}

    answer = await client.get("/metrics", headers=headers)

    the_problem(answer, 401)
    assert "svc_" not in answer.text.replace("svc.test", "")


@pytest.mark.usefixtures("token")
async def test_with_the_token_it_is_read(client: httpx.AsyncClient) -> None:
    assert read(await client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}))


# Servers that are away


async def away(**_: Any) -> list[Any]:
    raise ConnectionRefusedError("connect to 10.1.2.3:5432")


async def hanging(**_: Any) -> list[Any]:
    await asyncio.Event().wait()
    return []


@pytest.mark.parametrize("database", [away, hanging])
async def test_without_its_database_the_page_says_so_and_nothing_of_the_queues(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, database: Callable[..., Any]
) -> None:
    monkeypatch.setattr(metrics_page, "PROBE_TIMEOUT", 0.05)
    monkeypatch.setattr(metrics_page, "measure_queues", database)

    found = read(await client.get("/metrics"))

    assert (found["svc_database_up",], found["svc_redis_up",]) == (0, 1)
    assert not [name for name, *_ in found if name.startswith("svc_queue")]


async def test_without_redis_the_page_says_so(app: Service, client: httpx.AsyncClient) -> None:
    app.state.redis.away = True

    found = read(await client.get("/metrics"))

    assert (found["svc_database_up",], found["svc_redis_up",]) == (1, 0)


@pytest.mark.parametrize("fails", [False, True])
async def test_however_often_it_is_asked_the_database_is_asked_once_in_a_while(
    app: Service, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    looks: list[datetime] = []

    async def look(*, at: datetime) -> list[Any]:
        looks.append(at)
        if fails:
            raise ConnectionRefusedError
        return []

    monkeypatch.setattr(metrics_page, "measure_queues", look)

    await asyncio.gather(*(client.get("/metrics") for _ in range(5)))
    await client.get("/metrics")
    assert len(looks) == 1

    monkeypatch.setattr(metrics_page, "CACHE_TTL", 0)
    app.state.metrics_page = MetricsPage(app.state.redis)
    for _ in range(2):
        await client.get("/metrics")
    assert len(looks) == 3
