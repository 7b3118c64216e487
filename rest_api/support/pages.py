"""Addresses outside the operation list: health and the OpenAPI document. No credential, but the
same manners.
"""

from collections.abc import Awaitable, Callable, Sequence

import structlog
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from core.foundation.errors import Internal, MethodNotAllowed, ServiceError
from rest_api.support.methods import allow_of, send_options, without_body
from rest_api.support.problems import send_problem
from rest_api.support.requests import Headers, request_id_of

log = structlog.get_logger()


class PageEndpoint:
    """One address that answers GET, or also others of these methods, as an ASGI application."""

    def __init__(
        self,
        answer: Callable[[Request], Awaitable[Response]],
        *,
        methods: Sequence[str] = ("GET",),
    ) -> None:
        self._answer = answer
        self._allow = allow_of(methods)
        self.methods = frozenset(("HEAD", *methods))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request_id = request_id_of(Headers(scope["headers"]))
        structlog.contextvars.bind_contextvars(request_id=request_id)
        if scope["method"] == "OPTIONS":
            await send_options(send, allow=self._allow, request_id=request_id)
            return
        if scope["method"] == "HEAD":
            send = without_body(send)
        try:
            if scope["method"] not in self.methods:
                raise MethodNotAllowed
            request = Request(scope, receive)
            request.state.request_id = request_id
            response = await self._answer(request)
        except ServiceError as error:
            await send_problem(send, error, scope, request_id=request_id, allow=self._allow)
        except Exception:
            log.exception(
                "unexpected", route=scope["route"].path
            )  # never the path: its last part may be a secret
            await send_problem(send, Internal(), scope, request_id=request_id)
        else:
            response.headers["X-Request-Id"] = request_id
            await response(scope, receive, send)
