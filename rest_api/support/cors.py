"""Pages of other origins: which of them may call the service, and what their browsers show them of
its answers.

A credential of theirs is a header that a page sends itself, never a cookie that a browser adds
(that is for our own pages: `rest_api.console`), so nothing here protects a session: it says whose
pages can use the service at all. `SVC_CORS_ORIGINS` names them, and without it there are none.
"""

from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.foundation.settings import current
from rest_api.support.requests import Headers

SENT = (
    b"Accept-Language, Authorization, Content-Type, Idempotency-Key, If-None-Match, Range, "
    b"X-Content-Type, X-Filename, "
    b"X-Request-Id, X-SVC-Dry-Run"
)
"""The headers of requests that the service reads and a browser asks about first."""

SHOWN = (
    b"Allow, Content-Disposition, Content-Language, Content-Range, Deprecation, ETag, "
    b"Idempotent-Replayed, Link, "
    b"Location, RateLimit, RateLimit-Policy, Retry-After, Sunset, WWW-Authenticate, X-Request-Id, "
    b"X-SVC-Clock, X-SVC-Dry-Run"
)
"""The headers of answers that a page may read."""

REMEMBERED_SECONDS = b"7200"
"""How long a browser need not ask again; the most that any of them keeps."""

VARIES = (b"vary", b"Origin")


class OtherOrigins:
    """Around the whole application: says to browsers what pages of the origins that are let in may
    do.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        known = current().cors_origins
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope["headers"])
        added = _said_to(headers, known)
        asks_first = (
            scope["method"] == "OPTIONS"
            and headers.get(b"access-control-request-method") is not None
        )

        async def tell(message: Message) -> None:
            if message["type"] == "http.response.start":
                told = [*message["headers"], *added]
                if asks_first and len(added) > 1:
                    told += _may_send(message["headers"])
                message = {**message, "headers": told}
            await send(message)

        await self._app(scope, receive, tell)


def _said_to(headers: Headers, known: Collection[str]) -> list[tuple[bytes, bytes]]:
    origin = headers.get(b"origin")
    if origin not in known:
        return [VARIES]
    return [
        VARIES,
        (b"access-control-allow-origin", str(origin).encode()),
        (b"access-control-expose-headers", SHOWN),
    ]


def _may_send(answered: Collection[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """What a page may send to this address: its own methods, as `Allow` has them."""
    return [
        (b"access-control-allow-methods", dict(answered).get(b"allow", b"")),
        (b"access-control-allow-headers", SENT),
        (b"access-control-max-age", REMEMBERED_SECONDS),
    ]


def may_connect(headers: Headers) -> bool:
    """Whether a WebSocket may be opened: by a program, by a page of ours, or by one of an origin
    that is let in.

    Browsers ask nobody first and show every answer, so the service itself looks.
    """
    origin = headers.get(b"origin")
    if origin is None or origin in current().cors_origins:
        return True
    return origin in own_origins(headers)


def own_origins(headers: Headers) -> Collection[str]:
    """Where our own pages are: at SVC_BASE_URL, or at the address that was called."""
    base = urlsplit(current().base_url)
    host = headers.get(b"host")
    return {f"{base.scheme}://{base.netloc}", f"http://{host}", f"https://{host}"}
