"""Refusals as problem answers (RFC 9457). The one table from code to HTTP status stands here."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.types import Scope, Send

from core.foundation.described_enum import DescribedEnum
from core.foundation.errors import (
    BadRequest,
    PayloadTooLarge,
    RangeNotSatisfiable,
    ResourceGone,
    ServiceError,
    UnsupportedMedia,
    ValidationFailed,
)
from core.foundation.language import ENGLISH, Language, language_asked, translated
from core.foundation.settings import current
from rest_api.support.answers import PROBLEM, send_json
from rest_api.support.broken_requests import EndedEarly, HeadTooLarge, TooSlow
from rest_api.support.limits import clock_headers, limit_headers
from rest_api.support.requests import Headers

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


class ProblemCode(DescribedEnum):
    """Why a request is refused."""

    BAD_REQUEST = "BAD_REQUEST", "The request cannot be read, or a value is wrong"
    UNAUTHORIZED = "UNAUTHORIZED", "The credential is missing, unknown, or has ended"
    PAYMENT_REQUIRED = "PAYMENT_REQUIRED", "The wallet does not cover it"
    FORBIDDEN = "FORBIDDEN", "The credential may not do this"
    NOT_FOUND = "NOT_FOUND", "There is no such record, for this credential"
    METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED", "The path is there, the method is not"
    CONFLICT = "CONFLICT", "It does not go with what is there already"
    PRECONDITION_FAILED = "PRECONDITION_FAILED", "Something has to be set up first"
    VALIDATION_ERROR = "VALIDATION_ERROR", "Values are wrong; `errors` names each"
    RATE_LIMITED = "RATE_LIMITED", "Too much in too short a time; `Retry-After` says when again"
    INTERNAL = "INTERNAL", "A fault of the service"
    DEPENDENCY_FAILED = "DEPENDENCY_FAILED", "Somebody whom the service asked refused or failed"
    SERVICE_UNAVAILABLE = "SERVICE_UNAVAILABLE", "Not at this moment; try again"


NOTHING: Mapping[str, Any] = {}


NARROWER: dict[type[ServiceError], int] = {
    ResourceGone: 410,
    HeadTooLarge: 431,
    PayloadTooLarge: 413,
    RangeNotSatisfiable: 416,
    TooSlow: 408,
    UnsupportedMedia: 415,
}
"""Kinds of refusals that have a status of their own under their code."""


def status_of(error: ServiceError) -> int:
    """The HTTP status of a refusal."""
    for kind, status in NARROWER.items():
        if isinstance(error, kind):
            return status
    return STATUS[error.code]


def as_listed(error: ServiceError, listed: tuple[int, ...]) -> ServiceError:
    """The refusal in a status that the operation lists.

    A wrong value is 422 where that is listed, else 400; an unreadable request is 400 where listed,
    else 422.
    """
    status = status_of(error)
    if status == 422 and 422 not in listed and 400 in listed:
        return _like(error, BadRequest)
    if status == 400 and 400 not in listed and 422 in listed:
        return _like(error, ValidationFailed)
    return error


def _like(error: ServiceError, kind: type[ServiceError]) -> ServiceError:
    alike = kind(error.detail, meta=error.meta, errors=error.errors, retry_after=error.retry_after)
    alike.decision_id = error.decision_id
    return alike


def slug(code: str) -> str:
    """The last part of the problem's type: the code in lower case with hyphens."""
    return code.lower().replace("_", "-")


def problem_body(
    error: ServiceError, *, base_url: str, path: str, request_id: str, language: Language = ENGLISH
) -> dict[str, Any]:
    """The problem document. It names fields and says what to do; it never repeats a submitted
    value.
    """
    status = status_of(error)
    body: dict[str, Any] = {
        "type": f"{base_url}/problems/{slug(error.code)}",
        "title": translated(HTTPStatus(status).phrase, language),
        "status": status,
        "code": error.code,
        "detail": translated(error.detail, language),
        "instance": path,
        "requestId": request_id,
    }
    if facts := error.facts:
        body["meta"] = facts
    if error.errors:
        body["errors"] = [field.as_wire(language) for field in error.errors]
    return body


def asked_in(scope: Scope) -> Language:
    """The language that a request asks for."""
    return language_asked(Headers(scope["headers"]).get(b"accept-language"))


def said_in(language: Language) -> tuple[tuple[bytes, bytes], ...]:
    """The headers of an answer that depends on the language asked for."""
    return ((b"content-language", language.encode()), (b"vary", b"Accept-Language"))


async def send_problem(
    send: Send,
    error: ServiceError,
    scope: Scope,
    *,
    request_id: str,
    allow: bytes | None = None,
    media: bytes = PROBLEM,
    added: Mapping[str, Any] = NOTHING,
    headers: tuple[tuple[bytes, bytes], ...] = (),
) -> int:
    """Answer with the problem, in the language that is asked for, and say which status it was.
    `allow`: the methods that a 405 names. `added`: what the body has besides; `headers`: those that
    the answer has besides.
    """
    status = status_of(error)
    language = asked_in(scope)
    headers = limit_headers() + clock_headers(scope) + said_in(language) + headers
    if error.retry_after is not None:
        headers += ((b"retry-after", str(error.retry_after).encode()),)
    if status == 401:
        headers += ((b"www-authenticate", b"Bearer"),)
    if isinstance(error, RangeNotSatisfiable):
        headers += ((b"content-range", f"bytes */{error.size}".encode()),)
    if isinstance(error, EndedEarly):
        headers += (
            (b"connection", b"close"),
        )  # or what still drips would keep it open, without end
    if status == 405 and allow is not None:
        headers += ((b"allow", allow),)
    body = problem_body(
        error,
        base_url=current().base_url,
        path=scope["path"],
        request_id=request_id,
        language=language,
    )
    await send_json(
        send, status, {**body, **added}, request_id=request_id, media=media, headers=headers
    )
    return status
