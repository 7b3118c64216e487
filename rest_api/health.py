"""Is the process alive, and can it work?"""

import asyncio
from typing import Any

import redis.asyncio as redis
import structlog
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.foundation import db, schema
from core.foundation.errors import ServiceUnavailable
from rest_api.support.answers import PROBLEM
from rest_api.support.problems import problem_body
from rest_api.support.requests import Headers, request_id_of

log = structlog.get_logger()
PATIENCE = 2.0


async def healthz(request: Request) -> Response:
    """The process answers."""
    return JSONResponse({"status": "ok"})


async def readyz(request: Request) -> Response:
    """200 when the database and its schema are there; `degraded` names what is missing beside them."""
    state = request.app.state
    try:
        async with asyncio.timeout(PATIENCE):
            if state.schema_is_current:
                await db.fetchval("SELECT 1")
            else:
                state.schema_is_current = not await schema.pending()
    except Exception as error:
        log.warning("not_ready", error=type(error).__name__)
        return _not_ready(request, "The database does not answer; check DATABASE_URL and the server.")
    if not state.schema_is_current:
        return _not_ready(request, "The database lacks migrations; run `svc migrate`.")
    degraded = [] if await _redis_answers(state.redis) else ["redis"]
    body: dict[str, Any] = {"status": "degraded" if degraded else "ready"}
    return JSONResponse({**body, "degraded": degraded} if degraded else body)


async def _redis_answers(client: "redis.Redis") -> bool:
    try:
        async with asyncio.timeout(PATIENCE):
            await client.ping()
    except Exception as error:
        log.warning("redis_is_away", error=type(error).__name__)
        return False
    return True


def _not_ready(request: Request, detail: str) -> Response:
    request_id = request_id_of(Headers(request.scope["headers"]))
    problem = problem_body(ServiceUnavailable(detail), path=request.url.path, request_id=request_id)
    return JSONResponse(
        problem, 503, headers={"Retry-After": "5", "X-Request-Id": request_id}, media_type=PROBLEM.decode()
    )


routes = [Route("/healthz", healthz), Route("/readyz", readyz)]
