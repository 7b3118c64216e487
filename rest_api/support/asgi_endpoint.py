"""The ASGI application of one path: request id, OPTIONS and HEAD, refusals as problems, metrics."""

import asyncio
import time

import structlog
from starlette.types import Receive, Scope, Send

from core.foundation.database.availability import TookTooLong
from core.foundation.errors import Internal, ServiceError
from core.foundation.security import rate_limit
from rest_api.support.asgi_middleware import UNEXPECTED
from rest_api.support.deadlines import deadlines, note_task
from rest_api.support.failures import refusal_for
from rest_api.support.measure import CALLER, Measures
from rest_api.support.methods import send_options, without_body
from rest_api.support.problems import send_problem
from rest_api.support.requests import Headers, request_id_of


class AsgiEndpoint:
    """One path, as an ASGI application. `allow`: its methods, as the header spells them."""

    def __init__(self, route: str, *, allow: bytes) -> None:
        self._route = route
        self._allow = allow
        self._measures = Measures(route)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = time.perf_counter()
        headers = Headers(scope["headers"])
        request_id = request_id_of(headers)
        structlog.contextvars.bind_contextvars(request_id=request_id)
        method: str = scope["method"]
        measure = self._measures.of(method)
        if method == "OPTIONS":
            await send_options(send, allow=self._allow, request_id=request_id)
            measure.done(204, started=started, request_id=request_id, caller=None)
            return
        if method == "HEAD":
            send = without_body(send)
        rate_limit.note(None)
        task = note_task(scope)
        deadlines.begin(task)
        try:
            status = await self._answer(scope, receive, send, headers, request_id)
        except (Exception, asyncio.CancelledError) as error:
            over = deadlines.end(task) and isinstance(error, asyncio.CancelledError)
            status = await self._answer_failure(
                TookTooLong() if over else error, scope, send, method, request_id
            )
        finally:
            deadlines.end(task)
        measure.done(status, started=started, request_id=request_id, caller=scope.get(CALLER))

    async def _answer(
        self, scope: Scope, receive: Receive, send: Send, headers: Headers, request_id: str
    ) -> int:
        """Answer and say with what status, or raise. Who was recognised is left in the scope under
        CALLER.
        """
        raise NotImplementedError

    async def _answer_failure(
        self, failure: BaseException, scope: Scope, send: Send, method: str, request_id: str
    ) -> int:
        """Answer what was raised and say with what status.

        The caller keeps no name for the refusal: it would hold the exception whose traceback holds
        the caller, and with it the body, until the cyclic collector comes by.
        """
        refusal = self._refusal_for(failure, method)
        if isinstance(refusal, Internal):
            scope[UNEXPECTED] = failure
        return await self._refuse(send, refusal, scope, request_id)

    async def _refuse(
        self, send: Send, refusal: ServiceError, scope: Scope, request_id: str
    ) -> int:
        """Answer with a refusal and say with what status."""
        return await send_problem(send, refusal, scope, request_id=request_id, allow=self._allow)

    def _refusal_for(self, error: BaseException, method: str) -> ServiceError:
        return refusal_for(error, f"{method} {self._route}")
