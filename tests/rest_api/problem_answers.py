"""What every refusal of the REST entry point has in common."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

import httpx

CODES = {
    400: "BAD_REQUEST",
    401: "UNAUTHORIZED",
    402: "PAYMENT_REQUIRED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    405: "METHOD_NOT_ALLOWED",
    409: "CONFLICT",
    410: "CONFLICT",
    412: "PRECONDITION_FAILED",
    413: "BAD_REQUEST",
    415: "BAD_REQUEST",
    416: "BAD_REQUEST",
    422: "VALIDATION_ERROR",
    429: "RATE_LIMITED",
    500: "INTERNAL",
    502: "DEPENDENCY_FAILED",
    503: "SERVICE_UNAVAILABLE",
}


def the_problem(answer: httpx.Response, status: int) -> dict[str, Any]:
    """The body of a refusal, after checking all that it shares with every other one."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = answer.json()
    code = CODES[status]
    assert body["type"] == f"http://svc.test/problems/{code.lower().replace('_', '-')}"
    assert body["title"] == HTTPStatus(status).phrase
    assert (body["status"], body["code"]) == (status, code)
    assert body["instance"] == answer.request.url.path
    assert body["requestId"] == answer.headers["x-request-id"]
    assert body["detail"].endswith(".")
    return body


def wrong_fields(body: dict[str, Any]) -> list[tuple[str, str, str]]:
    """(kind, where, code) of every field that a problem names; each has a sentence for a person."""
    fields = []
    for error in body.get("errors", ()):
        (kind,) = {"pointer", "parameter", "header"} & set(error)
        assert error["message"]
        fields.append((kind, error[kind], error["code"]))
    return sorted(fields)


def must_not_hold(answer: httpx.Response, values: Iterable[str]) -> None:
    """No submitted value comes back: not in the sentence, not in the errors, not in the headers."""
    told = answer.text + str(dict(answer.headers))
    for value in values:
        assert value not in told
