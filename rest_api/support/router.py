"""From the operation list to routes. A path without parameters is found by one dictionary look-up."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from starlette.routing import BaseRoute, Route, Router
from starlette.types import ASGIApp, Lifespan, Receive, Scope, Send

from core.foundation.errors import NotFound
from rest_api.support.door import Door
from rest_api.support.endpoint import Endpoint
from rest_api.support.measure import UNMATCHED, Measured
from rest_api.support.operations import Operation
from rest_api.support.problems import send_problem
from rest_api.support.requests import Headers, request_id_of

QUIET = frozenset({"/healthz", "/readyz", "/metrics"})
"""Asked every few seconds by machines: their lines would bury the others."""


class OperationRouter(Router):
    """Starlette's router with a short cut for the fixed paths, and problems for what is not there."""

    def __init__(
        self,
        operations: Sequence[Operation],
        routes: Sequence[BaseRoute] = (),
        *,
        lifespan: Lifespan[Any] | None = None,
    ) -> None:
        paths: dict[str, dict[str, Operation]] = defaultdict(dict)
        for operation in operations:
            assert operation.method not in paths[operation.path], f"{operation.method} {operation.path} twice"
            paths[operation.path][operation.method] = operation
        endpoints = {path: Endpoint(methods) for path, methods in paths.items()}
        doors = {route.path: route.app for route in routes if isinstance(route, Route) and isinstance(route.app, Door)}
        self._fixed: dict[str, ASGIApp] = {path: door for path, door in (endpoints | doors).items() if "{" not in path}
        super().__init__(
            [*map(_measured, routes), *(Route(path, endpoint) for path, endpoint in endpoints.items() if "{" in path)],
            redirect_slashes=False,
            default=Measured(UNMATCHED, _not_found),
            lifespan=lifespan,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        endpoint = self._fixed.get(scope["path"]) if scope["type"] == "http" else None
        if endpoint is not None:
            await endpoint(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


def _measured(route: BaseRoute) -> BaseRoute:
    """The same route, measured; a door measures itself."""
    if not isinstance(route, Route) or isinstance(route.app, Door):
        return route
    app = Measured(route.path, route.app, quiet=route.path in QUIET)
    return Route(route.path, app, methods=route.methods)


async def _not_found(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 4404, "reason": ""})
        return
    request_id = request_id_of(Headers(scope["headers"]))
    error = NotFound("No operation has this address; see /docs for those that exist.")
    await send_problem(send, error, path=scope["path"], request_id=request_id)
