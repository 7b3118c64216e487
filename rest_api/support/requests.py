"""Reading a request: who calls, with what headers, body and parameters."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from starlette.types import Receive, Scope

from core.foundation.caller import Caller
from core.foundation.errors import PayloadTooLarge
from core.foundation.ids import random_base62
from core.organizations.errors import InvalidCredential

REQUEST_ID = re.compile(r"[A-Za-z0-9_-]{8,64}\Z")
NOT_TEXT = re.compile(r"[\ud800-\udfff]")
NOT_STORABLE = re.compile(r"[\x00\ud800-\udfff]")


@dataclass(slots=True)
class Call:
    """A request that passed the door: the caller, the client's network address, and what it sent, already read."""

    caller: Caller
    path: dict[str, str]
    address: str | None = None
    body: Any = None
    query: Any = None
    idempotency_key: str | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Repeated:
    """The answer to a request that was made before: answered with the operation's `repeat_status`."""

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
    return given if given is not None and REQUEST_ID.match(given) else f"req_{random_base62(21)}"


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
        raise InvalidCredential
    return token.strip()


async def read_all(receive: Receive, headers: Headers, *, limit: int) -> bytes:
    """The body, up to `limit` bytes. Raises PayloadTooLarge without reading on."""
    declared = headers.get(b"content-length")
    if declared is not None and declared.isdecimal() and int(declared) > limit:
        raise PayloadTooLarge
    message = await receive()
    body: bytes = message.get("body", b"")
    if not message.get("more_body", False):
        if len(body) > limit:
            raise PayloadTooLarge
        return body
    parts, size = [body], len(body)
    while message.get("more_body", False):
        message = await receive()
        if message["type"] == "http.disconnect":
            break
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > limit:
            raise PayloadTooLarge
    return b"".join(parts)


def query_pairs(scope: Scope) -> list[tuple[str, str]]:
    """The parameters in order; a byte that is no UTF-8 arrives as a lone surrogate, which `is_text` finds."""
    raw: bytes = scope["query_string"]
    keep = "surrogateescape"
    return parse_qsl(raw.decode("utf-8", keep), keep_blank_values=True, errors=keep) if raw else []


def is_text(value: str) -> bool:
    """Whether a parameter came as UTF-8."""
    return not NOT_TEXT.search(value)
