"""From the operation list to routes. A path without parameters is found by one dictionary look-up,
any other among those of its section.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from starlette.routing import BaseRoute, Route, Router
from starlette.types import ASGIApp, Lifespan, Receive, Scope, Send

from core.foundation.errors import NotFound
from rest_api.support.asgi_endpoint import AsgiEndpoint
from rest_api.support.endpoint import Endpoint
from rest_api.support.measure import UNMATCHED, Measured
from rest_api.support.near_misses import NearMisses
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
            assert operation.method not in paths[operation.path], (
                f"{operation.method} {operation.path} twice"
            )
            paths[operation.path][operation.method] = operation
        endpoints = {path: Endpoint(methods) for path, methods in paths.items()}
        own_endpoints = {
            route.path: route.app
            for route in routes
            if isinstance(route, Route) and isinstance(route.app, AsgiEndpoint)
        }
        pages = [
            route for route in routes if isinstance(route, Route) and _is_for_people(route.path)
        ]
        self._fixed: dict[str, ASGIApp] = {
            path: endpoint
            for path, endpoint in (endpoints | own_endpoints).items()
            if "{" not in path
        }
        open_routes = [Route(path, one) for path, one in endpoints.items() if "{" in path]
        self._sections = _sections(open_routes, otherwise=super().__call__)
        super().__init__(
            [*map(_measured, routes), *open_routes],
            redirect_slashes=False,
            default=Measured(
                UNMATCHED, _Nowhere(endpoints.keys() | {route.path for route in pages})
            ),
            lifespan=lifespan,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        endpoint = None
        if scope["type"] == "http":
            path = scope["path"]
            endpoint = self._fixed.get(path) or self._sections.get(_section(path))
        await (endpoint or super().__call__)(scope, receive, send)


def _sections(routes: Iterable[Route], *, otherwise: ASGIApp) -> dict[str, ASGIApp]:
    """The routes of each section, in their order; `otherwise` has what none of them is."""
    return {
        section: Router(list(some), redirect_slashes=False, default=otherwise)
        for section, some in groupby(sorted(routes, key=_section_of), key=_section_of)
    }


def _section_of(route: Route) -> str:
    return _section(route.path)


def _section(path: str) -> str:
    """What a path is about: its first part, behind the version."""
    _, _, rest = path.removeprefix("/v2").partition("/")
    return rest.partition("/")[0]


def _measured(route: BaseRoute) -> BaseRoute:
    """The same route, measured; an `AsgiEndpoint` measures itself."""
    if not isinstance(route, Route) or isinstance(route.app, AsgiEndpoint):
        return route
    app = Measured(route.path, route.app, quiet=route.path in QUIET)
    return Route(route.path, app, methods=route.methods)


def _is_for_people(path: str) -> bool:
    """Whether somebody may have meant it: no file of a page, no link of a letter, no callback."""
    return path != "/" and "{" not in path and not path.startswith("/providers/")


class _Nowhere:
    """Every address that does not exist. Nobody is led on to another one: a write would become a
    read on its way.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._near = NearMisses(paths)

    async def __call__(self, scope: Scope, _: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 4404, "reason": ""})
            return
        request_id = request_id_of(Headers(scope["headers"]))
        await send_problem(send, self._refusal(scope["path"]), scope, request_id=request_id)

    def _refusal(self, path: str) -> NotFound:
        near = self._near.of(path)
        if not near:
            return NotFound("No operation has this address; see /docs for those that exist.")
        named = ", ".join(near)
        return NotFound(
            f"No operation has this address; these are near: {named}. See /docs for all.",
            meta={"enderecosProximos": near},
        )
