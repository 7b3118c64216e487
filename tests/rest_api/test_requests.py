"""What holds for every request: its id, its methods, its content types, and addresses that do not
exist.
"""

import re
from typing import Any

import httpx
import pytest

from core.foundation.security.caller import KEY_SCOPES, Scope
from rest_api.app import OPERATIONS
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.router import OperationRouter
from tests.factories.organizations import a_key
from tests.rest_api.problem_answers import must_not_hold, the_problem

ADDRESSES = sorted({operation.path for operation in OPERATIONS})
METHODS = {
    path: {operation.method for operation in OPERATIONS if operation.path == path}
    for path in ADDRESSES
}
PAGES = ["/healthz", "/readyz", "/openapi.json"]
ANY = ["GET", "POST", "PUT", "PATCH", "DELETE", "PROPFIND", "BREW"]


def filled(path: str) -> str:
    return re.sub(r"{\w+}", "x", path)


def allowed(path: str) -> list[str]:
    known = METHODS.get(path, {"GET"}) | {"OPTIONS"}
    return sorted(known | {"HEAD"} if "GET" in known else known)


# The id of the request ----------------------------------------------------------------------------


@pytest.mark.parametrize("path", [*PAGES, "/v2/sms/messages", "/v2/sms/messages/x", "/nope", "/"])
@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS", "HEAD"])
async def test_every_answer_carries_the_id_that_the_caller_gave(
    rest: httpx.AsyncClient, method: str, path: str
) -> None:
    answer = await rest.request(method, path, headers={"X-Request-Id": "my-own_id-1"})

    assert answer.headers["x-request-id"] == "my-own_id-1"


@pytest.mark.parametrize("id", ["12345678", "x" * 64, "a_b-C-d9"])
async def test_an_id_of_the_right_form_is_kept(rest: httpx.AsyncClient, id: str) -> None:
    answer = await rest.get("/healthz", headers={"X-Request-Id": id})

    assert answer.headers["x-request-id"] == id


@pytest.mark.parametrize(
    "id", ["", "1234567", "x" * 65, "with space", "dots.are.not", "é" * 8, "a;b;c;d;e;f"]
)
@pytest.mark.parametrize("path", ["/healthz", "/v2/sms/messages"])
async def test_an_id_of_another_form_is_replaced(
    rest: httpx.AsyncClient, path: str, id: str
) -> None:
    answer = await rest.get(path, headers=[(b"X-Request-Id", id.encode())])

    given = answer.headers["x-request-id"]
    assert given.startswith("req_")
    assert len(given) == 25


async def test_each_request_gets_an_id_of_its_own(rest: httpx.AsyncClient) -> None:
    first, second = await rest.get("/nope"), await rest.get("/nope")

    assert first.headers["x-request-id"] != second.headers["x-request-id"]
    assert first.json()["requestId"] == first.headers["x-request-id"]


# Methods ------------------------------------------------------------------------------------------


# Of the others tests/contract asks each for the methods that it lacks.
@pytest.mark.parametrize("path", [*PAGES, "/v2/sms/messages", "/webhooks/{id}"])
async def test_a_method_that_the_address_lacks_is_405_and_allow_names_the_others(
    rest: httpx.AsyncClient, path: str
) -> None:
    for method in sorted({*ANY} - {*allowed(path)}):
        answer = await rest.request(method, filled(path))

        the_problem(answer, 405)
        assert answer.headers["allow"] == ", ".join(allowed(path))


@pytest.mark.parametrize("path", [*ADDRESSES, *PAGES])
async def test_options_says_what_is_allowed_and_needs_no_key(
    rest: httpx.AsyncClient, path: str
) -> None:
    answer = await rest.options(filled(path))

    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["allow"] == ", ".join(allowed(path))


@pytest.mark.parametrize("path", [path for path in ADDRESSES if "GET" in METHODS[path]])
async def test_head_is_get_without_the_body(rest: httpx.AsyncClient, path: str) -> None:
    headers = {
        "Authorization": f"Bearer {await a_key(scopes=KEY_SCOPES)}",
        "X-Request-Id": "same-for-both",
    }
    headers["Accept-Encoding"] = "identity"

    get, head = (
        await rest.get(filled(path), headers=headers),
        await rest.head(filled(path), headers=headers),
    )

    assert head.status_code == get.status_code
    assert head.headers == get.headers
    assert int(head.headers["content-length"]) == len(get.content) > 0
    assert head.content == b""


async def test_head_needs_the_key_and_the_scope_as_well(rest: httpx.AsyncClient) -> None:
    key = await a_key(scopes=frozenset({Scope.SMS_SEND}))

    assert (await rest.head("/v2/sms/messages")).status_code == 401
    forbidden = await rest.head("/v2/sms/messages", headers={"Authorization": f"Bearer {key}"})
    assert (forbidden.status_code, forbidden.content) == (403, b"")


# Addresses ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "/nope",
        "/v2",
        "/v2/sms",
        "/v2/sms/messages/",
        "/v2/sms/messages/a/b",
        "/v2/sms/messages/a%2Fb",
        "/V2/SMS/messages",
        "/webhooks/",
        "http://svc.test//webhooks",
        "/v2/sms/messages%00",
        "/%FF",
        "/" + "x" * 10_000,
    ],
    ids=lambda path: path[:30],
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "OPTIONS"])
async def test_an_unknown_address_is_404_whoever_asks(
    rest: httpx.AsyncClient, method: str, path: str
) -> None:
    the_problem(await rest.request(method, path), 404)


# Content types ------------------------------------------------------------------------------------


async def test_answers_are_json_and_refusals_are_problems(rest: httpx.AsyncClient) -> None:
    headers = {"Authorization": f"Bearer {await a_key()}"}

    found = await rest.get("/v2/sms/messages", headers=headers)
    refused = await rest.get("/v2/sms/messages/x", headers=headers)

    assert found.headers["content-type"] == "application/json"
    assert refused.headers["content-type"] == "application/problem+json"
    assert all(
        int(answer.headers["content-length"]) == len(answer.content) for answer in (found, refused)
    )


# What nobody foresaw ------------------------------------------------------------------------------


async def test_a_fault_of_ours_is_500_and_tells_nothing_of_itself(clean_slate: None) -> None:
    async def breaks(call: Call) -> Any:
        raise RuntimeError("the password is hunter2")

    router = OperationRouter(
        [Operation("GET", "/broken", breaks, Scope.SMS_READ, "Breaks", "Test", errors=(401, 403))]
    )
    headers = {"Authorization": f"Bearer {await a_key()}", "X-Request-Id": "the-id-to-tell"}
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app=router), base_url="http://svc.test"
    ) as client:
        answer = await client.get("/broken", headers=headers)

    body = the_problem(answer, 500)
    assert body["requestId"] == "the-id-to-tell"
    assert "requestId" in body["detail"]
    must_not_hold(answer, ["hunter2", "RuntimeError", "Traceback"])
