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
from rest_api.support.pages import Page

log = structlog.get_logger()
PATIENCE = 2.0


class NotReady(ServiceUnavailable):
    """This process cannot serve yet, or for a moment; a balancer asks again."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail, retry_after=5)


async def healthz(request: Request) -> Response:
    """The process answers."""
    return JSONResponse({"status": "ok"})


async def readyz(request: Request) -> Response:
    """200 when the database and its schema are there; `degraded` names what is missing beside them."""
    state = request.app.state
    if state.stopping.told:
        raise NotReady("This process is about to stop; send requests to another one.")
    try:
        await state.database.ask()
    except Exception as error:
        log.warning("not_ready", error=type(error).__name__)
        raise NotReady("The database does not answer; check DATABASE_URL and the server.") from None
    if not state.database.schema_is_current:
        raise NotReady("The database lacks migrations; run `svc migrate`.")
    degraded = [] if await _redis_answers(state.redis) else ["redis"]
    body: dict[str, Any] = {"status": "degraded" if degraded else "ready"}
    return JSONResponse({**body, "degraded": degraded} if degraded else body)


class DatabaseProbe:
    """Asks the database, one question at a time and for a moment each.

    A question that is given up takes as long to end as the driver waits for a database that hangs, and has a
    connection until then: so nobody waits for that end, and nobody else asks meanwhile.
    """

    def __init__(self, *, schema_is_current: bool = False) -> None:
        self.schema_is_current = schema_is_current
        self._question: asyncio.Task[None] | None = None

    async def ask(self) -> None:
        """Raises whatever keeps the database from answering."""
        if self._question is None or self._question.done():
            self._question = asyncio.create_task(self._look())
        question = self._question
        await asyncio.wait({question}, timeout=PATIENCE)
        if not question.done():
            question.cancel()
            raise TimeoutError
        if question.cancelled():  # by somebody before us
            await self.ask()
        else:
            question.result()

    async def _look(self) -> None:
        if self.schema_is_current:  # which is for good
            await db.fetchval("SELECT 1")
        else:
            self.schema_is_current = not await schema.pending()


async def _redis_answers(client: "redis.Redis") -> bool:
    try:
        async with asyncio.timeout(PATIENCE):
            await client.ping()
    except Exception as error:
        log.warning("redis_is_away", error=type(error).__name__)
        return False
    return True


routes = [Route("/healthz", Page(healthz)), Route("/readyz", Page(readyz))]
