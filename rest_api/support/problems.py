"""Refusals as problem answers (RFC 9457). The one table from code to HTTP status stands here."""

from http import HTTPStatus
from typing import Any

from starlette.types import Send

from core.foundation.errors import (
    BadRequest,
    PayloadTooLarge,
    RangeNotSatisfiable,
    ServiceError,
    UnsupportedMedia,
    ValidationFailed,
)
from core.foundation.settings import current
from rest_api.support.answers import PROBLEM, send_json
from rest_api.support.limits import limit_headers
from rest_api.support.streams import EndedEarly

STATUS = {
    "BAD_REQUEST": 400,
    "UNAUTHORIZED": 401,
    "PAYMENT_REQUIRED": 402,
    "FORBIDDEN": 403,
    "NOT_FOUND": 404,
    "METHOD_NOT_ALLOWED": 405,
    "CONFLICT": 409,
    "PRECONDITION_FAILED": 412,
    "VALIDATION_ERROR": 422,
    "RATE_LIMITED": 429,
    "INTERNAL": 500,
    "DEPENDENCY_FAILED": 502,
    "SERVICE_UNAVAILABLE": 503,
}


def status_of(error: ServiceError) -> int:
    """The HTTP status of a refusal."""
    if isinstance(error, PayloadTooLarge):
        return 413
    if isinstance(error, UnsupportedMedia):
        return 415
    if isinstance(error, RangeNotSatisfiable):
        return 416
    return STATUS[error.code]


def as_listed(error: ServiceError, listed: tuple[int, ...]) -> ServiceError:
    """The refusal in a status that the operation lists.

    A wrong value is 422 where that is listed, else 400; an unreadable request is 400 where listed, else 422.
    """
    status = status_of(error)
    if status == 422 and 422 not in listed and 400 in listed:
        return _like(error, BadRequest)
    if status == 400 and 400 not in listed and 422 in listed:
        return _like(error, ValidationFailed)
    return error


def _like(error: ServiceError, kind: type[ServiceError]) -> ServiceError:
    return kind(error.detail, meta=error.meta, errors=error.errors, retry_after=error.retry_after)


def slug(code: str) -> str:
    """The last part of the problem's type: the code in lower case with hyphens."""
    return code.lower().replace("_", "-")


def problem_body(error: ServiceError, *, base_url: str, path: str, request_id: str) -> dict[str, Any]:
    """The problem document. It names fields and says what to do; it never repeats a submitted value."""
    status = status_of(error)
    body: dict[str, Any] = {
        "type": f"{base_url}/problems/{slug(error.code)}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": error.code,
        "detail": error.detail,
        "instance": path,
        "requestId": request_id,
    }
    if error.meta:
        body["meta"] = error.meta
    if error.errors:
        body["errors"] = [field.as_wire() for field in error.errors]
    return body


async def send_problem(
    send: Send, error: ServiceError, *, path: str, request_id: str, allow: bytes | None = None
) -> int:
    """Answer with the problem and say which status it was. `allow`: the methods that a 405 names."""
    status = status_of(error)
    headers = limit_headers()
    if error.retry_after is not None:
        headers += ((b"retry-after", str(error.retry_after).encode()),)
    if status == 401:
        headers += ((b"www-authenticate", b"Bearer"),)
    if isinstance(error, RangeNotSatisfiable):
        headers += ((b"content-range", f"bytes */{error.size}".encode()),)
    if isinstance(error, EndedEarly):
        headers += ((b"connection", b"close"),)  # or what still drips would keep it open, without end
    if status == 405 and allow is not None:
        headers += ((b"allow", allow),)
    await send_json(
        send,
        status,
        problem_body(error, base_url=current().base_url, path=path, request_id=request_id),
        request_id=request_id,
        media=PROBLEM,
        headers=headers,
    )
    return status
