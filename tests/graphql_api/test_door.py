"""`POST /graphql` over HTTP: statuses, credentials and the body's limit."""

from collections.abc import AsyncIterator

import httpx
import pytest

from rest_api.app import create_app
from tests.factories.organizations import a_caller, a_key


@pytest.fixture
async def http(clean_slate: None) -> AsyncIterator[httpx.AsyncClient]:
    caller = await a_caller("test")
    headers = {"Authorization": f"Bearer {await a_key('test', organization_id=caller.organization_id)}"}
    transport = httpx.ASGITransport(app=create_app(), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://svc.test", headers=headers) as client:
        yield client


async def test_a_query_is_answered(http: httpx.AsyncClient) -> None:
    answer = await http.post("/graphql", json={"query": "{ me { env } }"}, headers={"X-Request-Id": "request-1"})
    assert answer.status_code == 200
    assert answer.json()["data"] == {"me": {"env": "TEST"}}
    assert answer.headers["x-request-id"] == "request-1"


async def test_no_key_is_401(http: httpx.AsyncClient) -> None:
    del http.headers["Authorization"]
    answer = await http.post("/graphql", json={"query": "{ me { env } }"})
    assert (answer.status_code, answer.json()["code"]) == (401, "UNAUTHORIZED")


async def test_a_document_that_does_not_parse_is_400(http: httpx.AsyncClient) -> None:
    answer = await http.post("/graphql", json={"query": "{"})
    assert (answer.status_code, answer.json()["errors"][0]["extensions"]["code"]) == (400, "BAD_REQUEST")


async def test_another_method_is_405(http: httpx.AsyncClient) -> None:
    answer = await http.put("/graphql", json={"query": "{ me { env } }"})
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD, OPTIONS, POST")


async def test_a_large_body_is_413(http: httpx.AsyncClient) -> None:
    assert (await http.post("/graphql", content=b" " * 1_000_001)).status_code == 413
