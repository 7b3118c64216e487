"""Reading a request: who calls, with what headers, body and parameters."""

import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Generic
from urllib.parse import parse_qsl

from starlette.types import Receive, Scope
from typing_extensions import TypeVar

from core.foundation.errors import BadRequest, PayloadTooLarge
from core.foundation.ids import random_body
from core.foundation.security.caller import Caller
from core.organizations.errors import NoBearer
from rest_api.support.broken_requests import EndedEarly

REQUEST_ID = re.compile(r"[A-Za-z0-9_-]{8,64}\Z")
FORMS = frozenset({"application/x-www-form-urlencoded", "multipart/form-data"})
PARAMETER_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,39}(\[\])?")
NOT_TEXT = re.compile(r"[\ud800-\udfff]")
NOT_STORABLE = re.compile(r"[\x00\ud800-\udfff]")


class FormSent(BadRequest):
    default_detail = (
        "The body is a form; send JSON, with the header Content-Type: application/json."
    )


class EncodedSent(BadRequest):
    default_detail = (
        "The body is compressed; send JSON as it is, without the header Content-Encoding."
    )


class SheetSent(BadRequest):
    default_detail = "The body is CSV; send JSON, with an object for each line."


class XmlSent(BadRequest):
    default_detail = "The body is XML; send JSON, with the header Content-Type: application/json."


OTHER_FORMATS: dict[str, type[BadRequest]] = {
    "text/csv": SheetSent,
    "application/xml": XmlSent,
    "text/xml": XmlSent,
}


Body = TypeVar("Body", default=Any)
Query = TypeVar("Query", default=Any)


@dataclass(slots=True)
class Call(Generic[Body, Query]):
    """A request that was admitted: the caller, the client's network address, and what it sent,
    already read.
    """

    caller: Caller
    path: dict[str, str]
    address: str | None = None
    body: Body = None  # type: ignore[assignment]  # until it is read
    query: Query = None  # type: ignore[assignment]  # until it is read
    idempotency_key: str | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OtherSuccess:
    """An answer with the operation's `other_status`: nothing new came of a request, or there is
    more to tell.
    """

    content: Any


class Headers:
    """The headers of a request by lower-case name; the last of a repeated one wins."""

    __slots__ = ("_values",)

    def __init__(self, raw: Iterable[tuple[bytes, bytes]]) -> None:
        self._values = dict(raw)

    def get(self, name: bytes) -> str | None:
        value = self._values.get(name)
        return None if value is None else value.decode("latin-1")


def request_id_of(headers: Headers) -> str:
    """The caller's X-Request-Id when it has the right form, else a new one."""
    given = headers.get(b"x-request-id")
    return given if given is not None and REQUEST_ID.match(given) else f"req_{random_body()}"


def address_of(scope: Scope) -> str | None:
    """The client's network address; None behind a socket file."""
    client = scope.get("client")
    return client[0] if client else None


def bearer_token(headers: Headers) -> str | None:
    """The token of `Authorization: Bearer <token>`; None without the header."""
    value = headers.get(b"authorization")
    if value is None:
        return None
    scheme, _, token = value.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise NoBearer
    return token.strip()


SLOW_BODY_SECONDS = 1.0


def came_slowly(began: float) -> bool:
    """Whether a body that was waited for since then took so long that whoever sent it may have moved to
    another cell meanwhile.
    """
    return time.monotonic() > began + SLOW_BODY_SECONDS


async def read_all(receive: Receive, headers: Headers, *, limit: int) -> bytes:
    """The body, up to `limit` bytes. Raises PayloadTooLarge without reading on, EndedEarly for a
    part of one.
    """
    declared = headers.get(b"content-length")
    if declared is not None and declared.isdecimal() and int(declared) > limit:
        raise PayloadTooLarge
    message = await receive()
    body: bytes = message.get("body", b"")
    if message["type"] == "http.disconnect":
        raise EndedEarly
    if not message.get("more_body", False):
        if len(body) > limit:
            raise PayloadTooLarge
        return body
    parts, size = [body], len(body)
    while message.get("more_body", False):
        message = await receive()
        if message["type"] == "http.disconnect":
            raise EndedEarly  # half a file is none
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > limit:
            raise PayloadTooLarge
    return b"".join(parts)


def query_pairs(scope: Scope) -> list[tuple[str, str]]:
    """The parameters in order; a byte that is no UTF-8 arrives as a lone surrogate, which `is_text`
    finds.
    """
    raw: bytes = scope["query_string"]
    keep = "surrogateescape"
    return parse_qsl(raw.decode("utf-8", keep), keep_blank_values=True, errors=keep) if raw else []


def is_encoded(headers: Headers) -> bool:
    """Whether the body says that it is compressed."""
    return (headers.get(b"content-encoding") or "identity").strip().lower() != "identity"


def is_form(headers: Headers) -> bool:
    """Whether the body calls itself a form."""
    return _type_of(headers) in FORMS


def other_format(headers: Headers) -> BadRequest | None:
    """The refusal of a body that calls itself what no operation reads."""
    kind = OTHER_FORMATS.get(_type_of(headers))
    return kind() if kind is not None else None


def _type_of(headers: Headers) -> str:
    return (headers.get(b"content-type") or "").partition(";")[0].strip().lower()


def is_text(value: str) -> bool:
    """Whether a parameter came as UTF-8."""
    return not NOT_TEXT.search(value)
