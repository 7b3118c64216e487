"""Every answer against the OpenAPI document: a documented status, and a body of the documented
shape.
"""

import re
from functools import cache
from typing import Any

import httpx
import jsonschema_rs
import orjson
from pydantic import BaseModel, ConfigDict

from core.foundation.language import has_translation
from rest_api.app import OPERATIONS
from rest_api.openapi import document
from rest_api.support.shapes import Problem

BASE_URL = "http://svc.test"
DOCUMENT = "urn:svc:openapi"
DIALECT = "https://json-schema.org/draft/2020-12/schema"


@cache
def the_document() -> dict[str, Any]:
    """The document that the service publishes."""
    return document(OPERATIONS, base_url=BASE_URL)


@cache
def the_closed_document() -> dict[str, Any]:
    """The same, with shapes that let nothing through that is not documented."""
    return document(OPERATIONS, base_url=BASE_URL, closed=True)


@cache
def _patterns() -> list[tuple[re.Pattern[str], dict[str, Any]]]:
    """Those of a single address first."""
    patterns = [
        (re.compile(re.sub(r"{\w+}", "[^/]+", path)), operations)
        for path, operations in the_closed_document()["paths"].items()
    ]
    return sorted(patterns, key=lambda entry: "[" in entry[0].pattern)


def operation_of(method: str, path: str) -> dict[str, Any] | None:
    """The documented operation behind a request; None for an address or a method outside the
    document.
    """
    for pattern, operations in _patterns():
        if pattern.fullmatch(path):
            found: dict[str, Any] | None = operations.get(method.lower())
            return found
    return None


def resolved(part: dict[str, Any]) -> dict[str, Any]:
    """A part of the document, or the component that it refers to."""
    found: Any = the_closed_document() if "$ref" in part else part
    for step in part.get("$ref", "#").split("/")[1:]:
        found = found[step]
    assert isinstance(found, dict)
    return found


def must_fit(value: Any, schema: dict[str, Any]) -> None:
    """Fail with the first place where a value does not have the form of a schema of the document."""
    errors = list(_validator(orjson.dumps(_absolute(schema))).iter_errors(value))
    assert not errors, f"{errors[0].instance_path}: {errors[0].message}"
    orjson.dumps(value)  # refuses a number of more than 64 bits


@cache
def _validator(schema: bytes) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(
        {"$schema": DIALECT, **orjson.loads(schema)},
        validate_formats=True,
        registry=_registry(),
    )


@cache
def _registry() -> jsonschema_rs.Registry:
    return jsonschema_rs.Registry([(DOCUMENT, {"$schema": DIALECT, **the_closed_document()})])


def _absolute(part: Any) -> Any:
    """A part of the document, whose references hold outside of it as well."""
    match part:
        case {"$ref": str(place)}:
            return {**part, "$ref": DOCUMENT + place}
        case dict():
            return {name: _absolute(inner) for name, inner in part.items()}
        case list():
            return [_absolute(inner) for inner in part]
    return part


class GraphQLFault(BaseModel):
    """An entry of `errors` at /graphql."""

    model_config = ConfigDict(extra="forbid")

    message: str
    extensions: dict[str, Any]


class GraphQLProblem(Problem):
    """A refusal at /graphql: its `errors` are those that GraphQL clients show."""

    errors: list[GraphQLFault]  # type: ignore[assignment]


def can_be_said_in_portuguese(problem: dict[str, Any]) -> None:
    """Fail with the sentences of a problem that the catalogue does not know."""
    said = [
        problem["title"],
        problem["detail"],
        *(error["message"] for error in problem.get("errors", ())),
    ]
    assert [sentence for sentence in said if not has_translation(sentence)] == []


def is_refused_dry_run(response: httpx.Response) -> bool:
    """Whether a dry run was refused as such, which the header's description tells of all writes."""
    return "x-svc-dry-run" in response.request.headers and response.status_code in (400, 409, 429)


async def keeps_to_the_document(response: httpx.Response) -> None:
    """The hook of the test client: checks an answer as it comes in."""
    await response.aread()
    request = response.request
    assert re.fullmatch(r"[A-Za-z0-9_-]{8,64}", response.headers["x-request-id"])
    media = response.headers.get("content-type", "").partition(";")[0]
    if media == "application/problem+json" and request.method != "HEAD":
        (GraphQLProblem if request.url.path == "/graphql" else Problem).model_validate(
            response.json()
        )
        assert response.json()["requestId"] == response.headers["x-request-id"]
        if response.headers["content-language"] == "en":
            can_be_said_in_portuguese(response.json())

    operation = operation_of(
        "GET" if request.method == "HEAD" else request.method, request.url.path
    )
    if operation is None:
        return
    documented = operation["responses"].get(str(response.status_code))
    if documented is None and is_refused_dry_run(response):
        return
    assert documented is not None, (
        f"{request.method} {request.url.path} answered {response.status_code}, which is not documented"
    )
    documented = resolved(documented)
    for name, header in documented["headers"].items():
        assert name in response.headers or not resolved(header).get("required"), (
            f"{name} is missing"
        )
    promised = any(
        "RateLimit" in resolved(answer).get("headers", ())
        for answer in operation["responses"].values()
    )
    assert promised or "RateLimit" not in response.headers, "a limit is told, and not documented"
    if request.method == "HEAD":
        assert response.content == b""
    elif "content" not in documented:
        assert response.content == b""
        assert "content-type" not in response.headers
    elif "*/*" not in documented["content"]:
        assert media in documented["content"]
        must_fit(response.json(), documented["content"][media]["schema"])
