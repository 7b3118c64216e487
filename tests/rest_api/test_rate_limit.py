"""The ceiling over REST: headers on every answer, 429 above it, and a key that stays free."""

from collections.abc import Iterator

import httpx
import pytest

from core import organizations
from core.foundation.security import rate_limit
from tests.factories.organizations import a_caller, a_key

BODY = {"to": "+5511987650005", "body": "Oi", "route": "otp"}


@pytest.fixture(autouse=True)
def own_buckets() -> Iterator[None]:
    """Full buckets of this test alone."""
    rate_limit.use_buckets(rate_limit.LocalBuckets())
    yield
    rate_limit.use_buckets(rate_limit.LocalBuckets())


async def send(rest: httpx.AsyncClient, key: str, idempotency_key: str) -> httpx.Response:
    headers = {"Authorization": f"Bearer {key}", "Idempotency-Key": idempotency_key}
    return await rest.post("/v2/sms/messages", json=BODY, headers=headers)


async def test_a_send_shows_what_is_left_of_the_ceiling(rest: httpx.AsyncClient) -> None:
    answer = await send(rest, await a_key(), "one")

    assert answer.headers["RateLimit-Policy"] == '"sms";q=50;w=1'
    assert answer.headers["RateLimit"].startswith('"sms";r=49;t=')


async def test_an_operation_without_a_limit_shows_none(rest: httpx.AsyncClient) -> None:
    key = await a_key()
    await send(rest, key, "one")

    answer = await rest.get("/v2/sms/messages", headers={"Authorization": f"Bearer {key}"})

    assert "RateLimit" not in answer.headers


async def test_above_the_ceiling_nothing_is_stored_and_the_key_stays_free(
    rest: httpx.AsyncClient,
) -> None:
    caller = await a_caller()
    await organizations.set_limits(caller.organization_id, "test", sms_per_second=1)
    key = await a_key(organization_id=caller.organization_id)
    first = await send(rest, key, "one")

    refused = await send(rest, key, "two")
    repeated = await send(rest, key, "one")
    page = await rest.get("/v2/sms/messages", headers={"Authorization": f"Bearer {key}"})

    assert (first.status_code, refused.status_code) == (201, 429)
    assert refused.json()["code"] == "RATE_LIMITED"
    assert refused.headers["Retry-After"] == "1"
    assert refused.headers["RateLimit-Policy"] == '"sms";q=1;w=1'
    assert repeated.json()["replayed"] is True
    assert page.json()["total"] == 1

    rate_limit.use_buckets(rate_limit.LocalBuckets())
    assert (await send(rest, key, "two")).json()["replayed"] is False


async def test_another_organization_has_a_ceiling_of_its_own(rest: httpx.AsyncClient) -> None:
    caller = await a_caller()
    await organizations.set_limits(caller.organization_id, "test", sms_per_second=1)
    await send(rest, await a_key(organization_id=caller.organization_id), "one")

    assert (await send(rest, await a_key(), "two")).status_code == 201


async def test_tries_of_an_endpoint_show_what_is_left_of_the_minute(
    rest: httpx.AsyncClient,
) -> None:
    headers = {"Authorization": f"Bearer {await a_key()}"}

    answers = [
        await rest.post("/webhooks/validate", json={"url": "https://127.0.0.1/"}, headers=headers)
        for _ in range(11)
    ]

    assert [answer.status_code for answer in answers] == [200] * 10 + [429]
    assert {answer.headers["RateLimit-Policy"] for answer in answers} == {
        '"webhooks.validate";q=10;w=60'
    }
    assert answers[0].headers["RateLimit"].startswith('"webhooks.validate";r=9;t=')
    assert answers[-1].headers["RateLimit"].startswith('"webhooks.validate";r=0;t=')
