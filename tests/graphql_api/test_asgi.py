"""`/graphql` over HTTP: methods, media types, statuses, credentials and the body's limit."""

import hashlib
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from core.foundation.errors import RateLimited
from graphql_api import cost
from tests.factories.organizations import a_caller, a_key
from tests.rest_api.conftest import the_app

OWN = "application/graphql-response+json"
APOLLO = f"{OWN},application/json;q=0.9"
URQL = f"{OWN}, application/graphql+json, application/json, text/event-stream, multipart/mixed"
ME = "{ me { env } }"
MUTATION = 'mutation { deleteContact(id: "cnt_1") { id } }'


@pytest.fixture
async def http(clean_slate: None) -> AsyncIterator[httpx.AsyncClient]:
    caller = await a_caller("test")
    headers = {
        "Authorization": f"Bearer {await a_key('test', organization_id=caller.organization_id)}"
    }
    transport = httpx.ASGITransport(app=the_app(), raise_app_exceptions=False)
    async with httpx.AsyncClient(
        transport=transport, base_url="http://svc.test", headers=headers
    ) as client:
        yield client


def media_of(answer: httpx.Response) -> str:
    media: str = answer.headers["content-type"]
    return media


async def test_a_query_is_answered(http: httpx.AsyncClient) -> None:
    answer = await http.post("/graphql", json={"query": ME}, headers={"X-Request-Id": "request-1"})
    assert answer.status_code == 200
    assert answer.json()["data"] == {"me": {"env": "TEST"}}
    assert answer.headers["x-request-id"] == "request-1"


async def test_a_query_is_answered_by_get_too(http: httpx.AsyncClient) -> None:
    asked = {
        "query": "query Who($id: ID!) { me { env } node(id: $id) { id } }",
        "operationName": "Who",
    }
    answer = await http.get("/graphql", params={**asked, "variables": json.dumps({"id": "cnt_1"})})

    assert (answer.status_code, answer.json()["data"]) == (
        200,
        {"me": {"env": "TEST"}, "node": None},
    )
    assert (answer.headers["cache-control"], answer.headers["vary"]) == ("no-store", "Accept")


async def test_a_registered_query_is_answered_by_get(http: httpx.AsyncClient) -> None:
    digest = hashlib.sha256(ME.encode()).hexdigest()
    persisted = {"extensions": json.dumps({"persistedQuery": {"version": 1, "sha256Hash": digest}})}

    unknown = await http.get("/graphql", params=persisted)
    registered = await http.get("/graphql", params={"query": ME, **persisted})
    known = await http.get("/graphql", params=persisted)

    assert unknown.json()["errors"][0]["message"] == "PersistedQueryNotFound"
    assert registered.json()["data"] == known.json()["data"] == {"me": {"env": "TEST"}}


@pytest.mark.parametrize("accept", ["*/*", APOLLO])
async def test_a_mutation_is_never_run_by_get(http: httpx.AsyncClient, accept: str) -> None:
    answer = await http.get("/graphql", params={"query": MUTATION}, headers={"Accept": accept})

    assert (answer.status_code, answer.headers["allow"]) == (405, "OPTIONS, POST")
    assert (
        answer.json()["errors"][0]["extensions"]["code"]
        == answer.json()["code"]
        == "METHOD_NOT_ALLOWED"
    )


async def test_the_mutation_among_several_operations_is_not_run_by_get_either(
    http: httpx.AsyncClient,
) -> None:
    asked = {"query": f"query Read {ME} mutation Write {MUTATION.removeprefix('mutation')}"}

    assert (
        await http.get("/graphql", params={**asked, "operationName": "Write"})
    ).status_code == 405
    assert (
        await http.get("/graphql", params={**asked, "operationName": "Read"})
    ).status_code == 200
    unclear = await http.get("/graphql", params=asked)
    assert (unclear.status_code, "data" in unclear.json()) == (200, False)


async def test_a_subscription_is_not_run_by_get(http: httpx.AsyncClient) -> None:
    answer = await http.get(
        "/graphql", params={"query": "subscription { messageChanged { status } }"}
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "BAD_REQUEST")


@pytest.mark.parametrize(
    "wrong", [{}, {"query": ""}, {"query": ME, "variables": "{"}, {"query": ME, "variables": "1"}]
)
async def test_parameters_that_cannot_be_read_are_400(
    http: httpx.AsyncClient, wrong: dict[str, str]
) -> None:
    answer = await http.get("/graphql", params=wrong)
    assert (answer.status_code, answer.json()["code"]) == (400, "BAD_REQUEST")


async def test_parameters_are_utf_8(http: httpx.AsyncClient) -> None:
    answer = await http.get("/graphql?query=%7B%20me%20%7B%20env%20%7D%20%7D&operationName=%ff")
    assert (answer.status_code, answer.json()["code"]) == (400, "BAD_REQUEST")


DOES_NOT_RUN = [
    {"query": "{"},
    {"query": "{ nothing }"},
    {"query": "query ($id: ID!) { node(id: $id) { id } }", "variables": {"id": None}},
]


@pytest.mark.parametrize("body", DOES_NOT_RUN)
@pytest.mark.parametrize(
    ("accept", "status", "media"),
    [
        (None, 200, "application/json"),
        ("*/*", 200, "application/json"),
        ("application/json", 200, "application/json"),
        (f"{OWN};q=0, application/json", 200, "application/json"),
        (f"application/json, {OWN};q=0.5", 200, "application/json"),
        (OWN, 400, OWN),
        (OWN.upper(), 400, OWN),
        (f"{OWN};q=0.1, */*", 400, OWN),
        (APOLLO, 400, OWN),
        (URQL, 400, OWN),
    ],
)
async def test_a_document_that_does_not_run_says_so_in_the_way_that_the_client_reads(
    http: httpx.AsyncClient, body: dict[str, Any], accept: str | None, status: int, media: str
) -> None:
    http.headers.pop("Accept")
    answer = await http.post("/graphql", json=body, headers={"Accept": accept} if accept else {})

    assert (answer.status_code, media_of(answer)) == (status, media)
    assert answer.json().keys() == {"errors"}
    assert answer.json()["errors"][0]["extensions"]["code"] == "BAD_REQUEST"


@pytest.mark.parametrize(("accept", "media"), [("*/*", "application/json"), (APOLLO, OWN)])
async def test_what_ran_is_200_whatever_became_of_its_fields(
    http: httpx.AsyncClient, accept: str, media: str
) -> None:
    answer = await http.post(
        "/graphql", json={"query": "{ contacts { totalCount } }"}, headers={"Accept": accept}
    )

    assert (answer.status_code, media_of(answer)) == (200, media)
    assert answer.json()["data"] == {"contacts": None}


@pytest.mark.parametrize(("accept", "media"), [("*/*", "application/problem+json"), (APOLLO, OWN)])
async def test_no_key_is_401_with_errors(http: httpx.AsyncClient, accept: str, media: str) -> None:
    del http.headers["Authorization"]
    answer = await http.post("/graphql", json={"query": ME}, headers={"Accept": accept})

    problem = answer.json()
    assert (answer.status_code, problem["code"], media_of(answer)) == (401, "UNAUTHORIZED", media)
    assert answer.headers["www-authenticate"] == "Bearer"
    (error,) = problem["errors"]
    assert error["message"] == problem["detail"]
    assert error["extensions"] == {
        "code": "UNAUTHORIZED", "requestId": problem["requestId"], "meta": {"motivo": "ausente"},
    }  # fmt: skip


async def test_too_many_points_are_429_with_errors(
    http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def empty(*_: object) -> None:
        raise RateLimited(retry_after=3)

    monkeypatch.setattr(cost, "take", empty)
    answer = await http.post("/graphql", json={"query": ME}, headers={"Accept": APOLLO})

    problem = answer.json()
    assert (answer.status_code, problem["code"], media_of(answer)) == (429, "RATE_LIMITED", OWN)
    assert problem["errors"][0]["extensions"]["retryAfter"] == int(answer.headers["retry-after"])


@pytest.mark.parametrize(
    "type",
    [
        "text/plain",
        "text/plain;charset=UTF-8",
        "multipart/form-data",
        "",
        "application/json; charset=latin-1",
    ],
)
async def test_a_body_of_another_type_is_415(http: httpx.AsyncClient, type: str) -> None:
    answer = await http.post(
        "/graphql", content=json.dumps({"query": ME}), headers={"Content-Type": type}
    )
    assert (answer.status_code, answer.json()["code"]) == (415, "BAD_REQUEST")


@pytest.mark.parametrize(
    "type",
    [
        "application/json; charset=utf-8",
        'Application/JSON;charset="UTF-8"',
        "application/x-www-form-urlencoded",
    ],
)
async def test_json_is_read_also_as_curl_sends_it(http: httpx.AsyncClient, type: str) -> None:
    answer = await http.post(
        "/graphql", content=json.dumps({"query": ME}), headers={"Content-Type": type}
    )
    assert answer.status_code == 200


async def test_another_method_is_405(http: httpx.AsyncClient) -> None:
    answer = await http.put("/graphql", json={"query": ME})
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD, OPTIONS, POST")


async def test_a_large_body_is_413(http: httpx.AsyncClient) -> None:
    large = {"content": b" " * 1_000_001, "headers": {"Content-Type": "application/json"}}
    assert (await http.post("/graphql", **large)).status_code == 413  # type: ignore[arg-type]
