"""Addresses outside the operation list: health and the OpenAPI document. No credential, but the
same manners.
"""

from collections.abc import Awaitable, Callable

import structlog
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from core.foundation.errors import Internal, MethodNotAllowed, ServiceError
from rest_api.support.methods import allow_of, send_options, without_body
from rest_api.support.problems import send_problem
from rest_api.support.requests import Headers, request_id_of

log = structlog.get_logger()

ALLOW = allow_of(["GET"])


class PageEndpoint:
    """One address that answers GET, as an ASGI application."""

    def __init__(self, answer: Callable[[Request], Awaitable[Response]]) -> None:
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request_id = request_id_of(Headers(scope["headers"]))
        structlog.contextvars.bind_contextvars(request_id=request_id)
        if scope["method"] == "OPTIONS":
            await send_options(send, allow=ALLOW, request_id=request_id)
            return
        if scope["method"] == "HEAD":
            send = without_body(send)
        try:
            if scope["method"] not in ("GET", "HEAD"):
                raise MethodNotAllowed
            response = await self._answer(Request(scope, receive))
        except ServiceError as error:
            await send_problem(send, error, scope, request_id=request_id, allow=ALLOW)
        except Exception:
            log.exception(
                "unexpected", route=scope["route"].path
            )  # never the path: its last part may be a secret
            await send_problem(send, Internal(), scope, request_id=request_id)
        else:
            response.headers["X-Request-Id"] = request_id
            await response(scope, receive, send)
