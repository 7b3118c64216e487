"""Answers in one write: what a client reads is what uvicorn would have sent."""

import asyncio
import re
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send

from rest_api.whole_answers import WholeAnswers, head_of
from tests.support.web_sockets import served

WHOLE = (b"content-length", b"5")
ANSWERS: dict[str, tuple[int, list[tuple[bytes, bytes]], list[bytes]]] = {
    "whole": (201, [(b"x-request-id", b"r"), (b"content-type", b"text/plain"), WHOLE], [b"hello"]),
    "pieces": (200, [WHOLE], [b"he", b"llo"]),
    "no length": (200, [(b"content-type", b"text/plain")], [b"hello"]),
    "nothing": (204, [], [b""]),
    "unchanged": (304, [(b"etag", b'"1"')], [b""]),
    "the last": (200, [WHOLE, (b"connection", b"close")], [b"hello"]),
    "capitals": (200, [(b"X-Name", b"v"), WHOLE], [b"hello"]),
    "two lines in one": (200, [(b"x-name", b"v\r\nx-other: w"), WHOLE], [b"hello"]),
    "no name": (200, [(b"x name", b"v"), WHOLE], [b"hello"]),
    "too short": (200, [WHOLE], [b"hell"]),
    "too long": (200, [WHOLE], [b"hello!"]),
    "large": (200, [(b"content-length", b"100000")], [b"x" * 100_000]),
}


async def read_all_of(name: str, method: str) -> bytes:
    """What comes over the connection for this answer and the one after it, but for the date."""
    status, headers, pieces = ANSWERS[name]

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": status, "headers": headers})
        for left, piece in zip(range(len(pieces) - 1, -1, -1), pieces, strict=True):
            await send({"type": "http.response.body", "body": piece, "more_body": left > 0})

    async with served(app) as (address, _):
        host, _, port = address.partition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        line = f"{method} / HTTP/1.1\r\nHost: a\r\n"
        writer.write(f"{line}\r\n".encode())
        writer.write(f"{line}Connection: close\r\n\r\n".encode())
        try:
            return re.sub(rb"date: [^\r]*\r\n", b"", await reader.read())
        finally:
            writer.close()


@pytest.mark.parametrize("name", ANSWERS)
async def test_it_is_what_uvicorn_would_have_sent(
    name: str, database: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = [await read_all_of(name, method) for method in ("GET", "HEAD")]
    monkeypatch.setattr(WholeAnswers, "_is_special", lambda *_: True)
    assert ours == [await read_all_of(name, method) for method in ("GET", "HEAD")]
    assert (ours[0] == b"") == (name in ("two lines in one", "no name"))  # refused, and closed


def test_only_what_is_in_order_is_written_at_once() -> None:
    wanted: dict[str, Any] = {name: head_of(headers) for name, (_, headers, _) in ANSWERS.items()}
    assert {name for name, head in wanted.items() if head} == {
        *("whole", "pieces", "too short", "too long", "large")
    }
    assert wanted["pieces"] == b"content-length: 5\r\n\r\n"
