"""The Graph API on a free port of this machine, over real HTTP: it behaves as it is told and
remembers what it saw.

It checks the token and its proof by its own lights, not by the code under test.
"""

import asyncio
import hashlib
import hmac
import json
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from aiohttp import BodyPartReader, web

SECRET = "the secret of the app"
TOKEN = "EAAJZCthe-access-token-of-the-number"
VERSION = "v24.0"

Behaviour = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(slots=True)
class Part:
    """A field of a form: its length and hash stand for what is too long to keep."""

    headers: Mapping[str, str]
    size: int
    sha256: str
    text: str | None


@dataclass(slots=True)
class Seen:
    """A request as it came. `proven`: by the token of the line, and by the app's secret where one
    is wanted.
    """

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: Any
    form: dict[str, Part]
    proven: bool


@dataclass(slots=True)
class FakeGraph:
    """The platform of a test; made by `a_graph`. What is asked for by nobody's `at` is not there."""

    url: str = ""
    seen: list[Seen] = field(default_factory=list)
    _at: dict[tuple[str, str], Behaviour] = field(default_factory=dict)
    _next: deque[Behaviour] = field(default_factory=deque)

    def will(self, *behaviours: Behaviour) -> None:
        """What the next requests meet, one each, whatever they ask; afterwards it is as before."""
        self._next.extend(behaviours)

    def at(self, method: str, path: str, behaviour: Behaviour) -> None:
        """What requests to a path meet; it begins behind the version."""
        self._at[method, path] = behaviour

    @property
    def last(self) -> Seen:
        """The latest request."""
        return self.seen[-1]

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Every request arrives here."""
        path = request.path.removeprefix(f"/{VERSION}/").removeprefix(f"/instagram/{VERSION}/")
        body, form = await _read(request)
        self.seen.append(
            Seen(
                request.method,
                path,
                dict(request.query),
                request.headers,
                body,
                form,
                _is_proven(request),
            )
        )
        if self._next:
            return await self._next.popleft()(request)
        return await self._at.get((request.method, path), says(_GONE, status=400))(request)


_GONE = {
    "error": {
        "message": "Unsupported request",
        "type": "GraphMethodException",
        "code": 100,
        "error_subcode": 33,
    }
}


def _is_proven(request: web.Request) -> bool:
    token = request.headers.get("Authorization", "")
    if request.path.startswith("/instagram/"):
        return token == f"Bearer {TOKEN}" and "appsecret_proof" not in request.query
    proof = hmac.new(SECRET.encode(), TOKEN.encode(), hashlib.sha256).hexdigest()
    return token == f"Bearer {TOKEN}" and request.query.get("appsecret_proof") == proof


async def _read(request: web.Request) -> tuple[Any, dict[str, Part]]:
    form: dict[str, Part] = {}
    if not request.content_type.startswith("multipart/"):
        raw = await request.read()
        with suppress(ValueError):
            return json.loads(raw), form
        return raw, form
    async for part in await request.multipart():
        assert isinstance(part, BodyPartReader)
        size, digest, kept = 0, hashlib.sha256(), b""
        while piece := await part.read_chunk(1 << 16):
            size += len(piece)
            digest.update(piece)
            kept = (kept + piece)[:4096]
        text = kept.decode("utf-8", "replace") if size <= 4096 else None
        form[part.name or ""] = Part(dict(part.headers), size, digest.hexdigest(), text)
    return None, form


@asynccontextmanager
async def a_graph() -> AsyncIterator[FakeGraph]:
    """A platform that knows nothing until it is told; gone, connections too, at the end."""
    graph = FakeGraph()
    app = web.Application(client_max_size=1 << 30)
    app.router.add_route("*", "/{path:.*}", graph.serve)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1, access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        graph.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield graph
    finally:
        await runner.cleanup()


# What a request may meet -------------------------------------------------------------------------


def says(body: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Behaviour:
    """An answer: bytes as they are, anything else as JSON."""

    async def behave(request: web.Request) -> web.StreamResponse:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        return web.Response(status=status, body=raw, headers=headers)

    return behave


def drops() -> Behaviour:
    """The connection breaks without a word."""

    async def behave(request: web.Request) -> web.StreamResponse:
        if request.transport is not None:
            request.transport.abort()
        return web.Response()

    return behave


def hangs() -> Behaviour:
    """No answer, ever."""

    async def behave(request: web.Request) -> web.StreamResponse:
        await asyncio.Event().wait()
        return web.Response()

    return behave


def streams(size: int, *, breaks_off: bool = False, content_type: str = "image/jpeg") -> Behaviour:
    """A file of so many bytes; one that breaks off ends in the middle."""

    async def behave(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": content_type})
        response.content_length = size
        await response.prepare(request)
        left = size // 2 if breaks_off else size
        while left:
            piece = min(left, 1 << 16)
            await response.write(b"x" * piece)
            left -= piece
        if breaks_off and request.transport is not None:
            request.transport.abort()
        return response

    return behave
