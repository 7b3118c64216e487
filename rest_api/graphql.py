"""`/graphql`: operations by POST, subscriptions over WebSocket, and GraphiQL for browsers."""

from typing import Any

from starlette.requests import Request
from starlette.routing import Route, WebSocketRoute
from starlette.types import Receive, Scope, Send

import graphql_api
from core.foundation.errors import MethodNotAllowed
from core.organizations import authenticate
from rest_api import graphiql
from rest_api.graphql_socket import GraphQLSocket
from rest_api.support.answers import send_json
from rest_api.support.door import Door
from rest_api.support.limits import limit_headers
from rest_api.support.measure import CALLER
from rest_api.support.methods import allow_of
from rest_api.support.problems import send_problem
from rest_api.support.requests import Headers, address_of, bearer_token, read_all

BODY_LIMIT = 1_000_000
FOR_PROGRAMS = allow_of(["POST"])


class GraphQLDoor(Door):
    """One operation for each POST; what fails before a document is read is a problem, as anywhere."""

    def __init__(self) -> None:
        super().__init__("/graphql", allow=allow_of(["GET", "POST"]))

    async def _answer(self, scope: Scope, receive: Receive, send: Send, headers: Headers, request_id: str) -> int:
        if scope["method"] == "POST":
            caller = await authenticate(bearer_token(headers), request_id=request_id, address=address_of(scope))
            scope[CALLER] = caller
            given = await graphql_api.answer(caller, await read_all(receive, headers, limit=BODY_LIMIT))
            status = 200 if given.ran else 400
            await send_json(send, status, given.content, request_id=request_id, headers=limit_headers())
            return status
        if scope["method"] not in ("GET", "HEAD"):
            raise MethodNotAllowed
        if not _takes_html(headers):
            refusal = MethodNotAllowed("Send the document with POST. GET is for browsers, which accept text/html.")
            return await send_problem(send, refusal, path="/graphql", request_id=request_id, allow=FOR_PROGRAMS)
        response = await graphiql.PAGE.show(Request(scope, receive))
        response.headers["X-Request-Id"] = request_id
        await response(scope, receive, send)
        return response.status_code


def _takes_html(headers: Headers) -> bool:
    """Whether the client names HTML among what it takes, as browsers do; `*/*` alone is a program's."""
    for offer in (headers.get(b"accept") or "").lower().replace(" ", "").split(","):
        name, *parameters = offer.split(";")
        if name in ("text/html", "application/xhtml+xml"):
            return not any(part.startswith("q=") and not part[2:].strip("0.") for part in parameters)
    return False


def keep_operations_in(redis: Any) -> None:
    """Where registered operations are kept; None: in this process."""
    graphql_api.use_store(redis)


routes = [
    Route("/graphql", GraphQLDoor()),
    WebSocketRoute("/graphql", GraphQLSocket()),
    graphiql.PAGE.file_route,
]
