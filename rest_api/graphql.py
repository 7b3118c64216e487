"""`/graphql`: operations by POST, queries by GET too, subscriptions over WebSocket, and GraphiQL
for browsers.

As the specification "GraphQL over HTTP" has it: who takes `application/graphql-response+json` is
answered in it, and with 400 where a document does not run; who takes JSON alone is told so with
200.
"""

import time
from typing import Any

from starlette.requests import Request
from starlette.routing import Route, WebSocketRoute
from starlette.types import Receive, Scope, Send

import graphql_api
from core.cells import come_after
from core.foundation.errors import BadRequest, MethodNotAllowed, ServiceError, UnsupportedMedia
from core.foundation.language import note_header
from core.organizations import authenticate
from rest_api import console, graphiql
from rest_api.console.browser_session import cleared_by, credential_of
from rest_api.graphql_socket import GraphQLSocket
from rest_api.support.accept import accepted
from rest_api.support.answers import JSON, PROBLEM, send_json
from rest_api.support.asgi_endpoint import AsgiEndpoint
from rest_api.support.deadlines import deadlines, task_of
from rest_api.support.dry_runs import ECHO, asks_for_dry_run
from rest_api.support.limits import CLOCK, clock_headers, limit_headers
from rest_api.support.measure import CALLER
from rest_api.support.methods import allow_of
from rest_api.support.problems import asked_in, said_in, send_problem
from rest_api.support.requests import (
    Headers,
    address_of,
    came_slowly,
    is_text,
    query_pairs,
    read_all,
)

BODY_LIMIT = 1_000_000
FOR_MUTATIONS = allow_of(["POST"])

GRAPHQL = b"application/graphql-response+json"
BODIES = ("application/json", "application/x-www-form-urlencoded")
"""The second is what curl says of `-d` unless it is told otherwise."""
HTML = ("text/html", "application/xhtml+xml")

KEPT_BY_NOBODY = ((b"vary", b"Accept"), (b"cache-control", b"no-store"))
"""For answers to GET: one address has a page for browsers, and records for whoever has a
credential.
"""


class GraphQLEndpoint(AsgiEndpoint):
    """One operation for each request; what fails before a document is read is a problem with
    `errors`.
    """

    def __init__(self) -> None:
        super().__init__("/graphql", allow=allow_of(["GET", "POST"]))

    async def _answer(
        self, scope: Scope, receive: Receive, send: Send, headers: Headers, request_id: str
    ) -> int:
        note_header(headers.get(b"accept-language"))
        reads = scope["method"] in ("GET", "HEAD")
        if not reads and scope["method"] != "POST":
            raise MethodNotAllowed
        if reads and _is_browser(headers):
            return await _show_page(scope, receive, send, request_id)
        caller = await authenticate(
            credential_of(headers, writes=not reads),
            request_id=request_id,
            address=address_of(scope),
        )
        scope[CALLER] = caller
        task = task_of(scope)
        if reads:
            given = await graphql_api.answer_query(caller, _parameters(scope))
        else:
            _must_be_json(headers)
            deadlines.end(task)  # what is sent slowly, or read, has a clock of its own
            began = time.monotonic()
            body = await read_all(receive, headers, limit=BODY_LIMIT)
            if came_slowly(began):
                await come_after(caller.organization_id)
            deadlines.begin(task)
            given = await graphql_api.answer(caller, body, dry_run=asks_for_dry_run(headers))
        deadlines.end(task)
        media = GRAPHQL if _takes_graphql(headers) else JSON
        status = 200 if given.ran or media == JSON else 400
        told = limit_headers() + (KEPT_BY_NOBODY if reads else ())
        if given.rehearsed:
            told += ECHO
        if given.clock is not None:
            scope[CLOCK] = given.clock
        told += clock_headers(scope)
        if "errors" in given.content:
            told += said_in(asked_in(scope))
        asked = headers if given.reads else None
        await send_json(
            send,
            status,
            given.content,
            request_id=request_id,
            media=media,
            headers=told,
            compress_for=asked,
        )
        return status

    async def _refuse(
        self, send: Send, refusal: ServiceError, scope: Scope, request_id: str
    ) -> int:
        """GraphQL clients show `errors`, and some of them only in the media type of GraphQL."""
        headers = Headers(scope["headers"])
        return await send_problem(
            send,
            refusal,
            scope,
            request_id=request_id,
            headers=cleared_by(refusal, headers),
            allow=FOR_MUTATIONS if isinstance(refusal, graphql_api.MutationByGet) else self._allow,
            media=GRAPHQL if _takes_graphql(headers) else PROBLEM,
            added={"errors": [graphql_api.as_entry(refusal, request_id=request_id)]},
        )


async def _show_page(scope: Scope, receive: Receive, send: Send, request_id: str) -> int:
    response = await graphiql.PAGE.show(Request(scope, receive))
    response.headers["X-Request-Id"] = request_id
    await response(scope, receive, send)
    return response.status_code


def _is_browser(headers: Headers) -> bool:
    """Whether the client names HTML among what it takes, as browsers do; `*/*` alone is a
    program's.
    """
    wanted = accepted(headers.get(b"accept"))
    return any(wanted.get(name, 0) > 0 for name in HTML)


def _takes_graphql(headers: Headers) -> bool:
    wanted = accepted(headers.get(b"accept"))
    return wanted.get(GRAPHQL.decode(), 0) >= max(wanted.get("application/json", 0), 0.001)


def _must_be_json(headers: Headers) -> None:
    name, *parameters = (headers.get(b"content-type") or "").lower().replace(" ", "").split(";")
    charset = next(
        (one[8:].strip('"') for one in parameters if one.startswith("charset=")), "utf-8"
    )
    if name not in BODIES or charset not in ("utf-8", "utf8"):
        raise UnsupportedMedia(
            "Send the operation as JSON in UTF-8, with the header Content-Type: application/json."
        )


def _parameters(scope: Scope) -> dict[str, str]:
    parameters = dict(query_pairs(scope))
    if not all(map(is_text, parameters.values())):
        raise BadRequest("Write the parameters in UTF-8.")
    return parameters


def keep_operations_in(redis: Any) -> None:
    """Where registered operations are kept; None: in this process."""
    graphql_api.use_store(redis)


graphql_api.use_own(console.documents)

routes = [
    Route("/graphql", GraphQLEndpoint()),
    WebSocketRoute("/graphql", GraphQLSocket()),
    graphiql.PAGE.file_route,
]
