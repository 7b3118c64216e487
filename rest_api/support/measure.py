"""What is counted and logged of every request: by the route's template, never by the address that
was asked for.
"""

import time
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.foundation.observability.metrics import Counter, CounterCell, Histogram
from core.foundation.security.caller import Caller
from rest_api.support import access_log

REQUESTS = Counter(
    "svc_http_requests_total", "Requests that were answered.", ("method", "route", "status")
)
SECONDS = Histogram(
    "svc_http_request_seconds",
    "From the head of a request to the end of its answer.",
    ("method", "route"),
    bounds=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
UNMATCHED = "unmatched"
"""The route of every address that does not exist."""

CALLER: Final = "svc.caller"
"""Under what a request's scope remembers who was recognised."""


class Measure:
    """One method of one route."""

    __slots__ = ("_by_status", "_head", "_method", "_quiet", "_route", "_seconds")

    def __init__(self, method: str, route: str, *, quiet: bool = False) -> None:
        """`quiet`: asked all the time by machines, so that a line is of use only when it failed."""
        self._method = method
        self._route = route
        self._quiet = quiet
        self._head = access_log.head_of(method, route)
        self._seconds = SECONDS.labels(method, route)
        self._by_status: dict[int, CounterCell] = {}

    def done(
        self, status: int, *, started: float, request_id: str | None, caller: Caller | None
    ) -> None:
        """A request was answered. `started`: what time.perf_counter said then."""
        seconds = time.perf_counter() - started
        count = self._by_status.get(status)
        if count is None:
            count = self._by_status[status] = REQUESTS.labels(
                self._method, self._route, str(status)
            )
        count.add()
        self._seconds.observe(seconds)
        access_log.note(
            self._head,
            status,
            seconds=seconds,
            request_id=request_id,
            caller=caller,
            quiet=self._quiet,
        )


class Measures:
    """All methods of one route, each made when it is first asked for."""

    __slots__ = ("_by_method", "_quiet", "_route")

    def __init__(self, route: str, *, quiet: bool = False) -> None:
        self._route = route
        self._quiet = quiet
        self._by_method: dict[str, Measure] = {}

    def of(self, method: str) -> Measure:
        """The measure of this method; all that are not HTTP's own share one."""
        measure = self._by_method.get(method)
        if measure is None:
            known = method if method in METHODS else "other"
            measure = self._by_method.setdefault(
                known, Measure(known, self._route, quiet=self._quiet)
            )
        return measure


class Measured:
    """An application that is no operation, measured as one route."""

    def __init__(self, route: str, app: ASGIApp, *, quiet: bool = False) -> None:
        self._app = app
        self._measures = Measures(route, quiet=quiet)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        status = 500
        request_id: str | None = None

        async def watched(message: Message) -> None:
            nonlocal status, request_id
            if message["type"] == "http.response.start":
                status = message["status"]
                request_id = (
                    dict(message["headers"]).get(b"x-request-id", b"").decode("latin-1") or None
                )
            await send(message)

        try:
            await self._app(scope, receive, watched)
        finally:
            self._measures.of(scope["method"]).done(
                status, started=started, request_id=request_id, caller=None
            )
