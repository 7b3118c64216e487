"""`GET /openapi.json`: made once per process, when it is first asked for."""

from collections.abc import Sequence

import orjson
from starlette.routing import Route

from core.foundation.settings import current
from rest_api.openapi.document import document
from rest_api.support.operations import Operation
from rest_api.support.pages import PageEndpoint
from rest_api.support.prepared import DeferredAnswer, Prepared


def route_for(operations: Sequence[Operation]) -> Route:
    """The address of the document."""

    def make() -> Prepared:
        return Prepared(
            orjson.dumps(document(operations, base_url=current().base_url)), "application/json"
        )

    return Route("/openapi.json", PageEndpoint(DeferredAnswer(make).answer))
