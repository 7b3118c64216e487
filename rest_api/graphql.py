"""`POST /graphql`: credential, body limit, request id and measures as for every operation, then its own door."""

import asyncio
import time
from typing import Any

import structlog
from starlette.routing import Route, WebSocketRoute
from starlette.types import Receive, Scope, Send

import graphql_api
from core.foundation import rate_limit
from core.foundation.errors import Internal, MethodNotAllowed, ServiceError, ServiceUnavailable
from core.foundation.outages import DatabaseAway, is_outage
from core.organizations import authenticate
from rest_api.graphql_socket import GraphQLSocket
from rest_api.support.answers import send_json
from rest_api.support.limits import limit_headers
from rest_api.support.measure import CALLER, Measures
from rest_api.support.problems import send_problem
from rest_api.support.requests import Headers, address_of, bearer_token, read_all, request_id_of

BODY_LIMIT = 1_000_000

log = structlog.get_logger()


class GraphQLDoor:
    """One operation for each request; what fails before a document is read is a problem, as anywhere."""

    def __init__(self) -> None:
        self._measures = Measures("/graphql")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = time.perf_counter()
        headers = Headers(scope["headers"])
        request_id = request_id_of(headers)
        structlog.contextvars.bind_contextvars(request_id=request_id)
        rate_limit.note(None)
        try:
            if scope["method"] != "POST":
                raise MethodNotAllowed
            caller = await authenticate(bearer_token(headers), request_id=request_id, address=address_of(scope))
            scope[CALLER] = caller
            given = await graphql_api.answer(caller, await read_all(receive, headers, limit=BODY_LIMIT))
            status = 200 if given.ran else 400
            await send_json(send, status, given.content, request_id=request_id, headers=limit_headers())
        except (Exception, asyncio.CancelledError) as error:
            refusal = _refusal_for(error)
            status = await send_problem(send, refusal, path=scope["path"], request_id=request_id, allow=b"POST")
        self._measures.of(scope["method"]).done(
            status, started=started, request_id=request_id, caller=scope.get(CALLER)
        )


def _refusal_for(error: BaseException) -> ServiceError:
    if isinstance(error, ServiceError):
        return error
    if isinstance(error, asyncio.CancelledError):
        return ServiceUnavailable(retry_after=1)
    if is_outage(error):
        log.warning("database_away", operation="graphql", error=type(error).__name__)
        return DatabaseAway()
    log.error("unexpected", operation="graphql", exc_info=error)
    return Internal()


def keep_operations_in(redis: Any) -> None:
    """Where registered operations are kept; None: in this process."""
    graphql_api.use_store(redis)


routes = [Route("/graphql", GraphQLDoor()), WebSocketRoute("/graphql", GraphQLSocket())]
