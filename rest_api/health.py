"""Is the process alive, and can it work?"""

import asyncio
import time
from typing import Any

import redis.asyncio as redis
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core import operations
from core.foundation import files as file_store
from core.foundation.database import schema
from core.foundation.database.writable import TakesNoWrites, prove_writable
from core.foundation.errors import ServiceUnavailable
from core.foundation.files import StoreAway
from core.foundation.observability.outage_log import tell_outage
from rest_api.support.pages import PageEndpoint

CHECK_TIMEOUT = 2.0

WRITES_SECONDS = 5.0
"""How long it is believed that database and disk take writes, after they took one."""


CELLS_SECONDS = 5.0
"""How long it is believed what the cells answered."""


class NotReady(ServiceUnavailable):
    """This process cannot serve yet, or for a moment; a balancer asks again."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail, retry_after=5)


async def healthz(request: Request) -> Response:
    """The process answers."""
    return JSONResponse({"status": "ok"})


async def readyz(request: Request) -> Response:
    """200 when the database, its schema and room for writes are there; `degraded` names what is
    missing beside them: a cell that is away keeps nobody of the others waiting.
    """
    state = request.app.state
    if state.stopping.told:
        raise NotReady("This process is about to stop; send requests to another one.")
    try:
        await state.database.ask()
    except TakesNoWrites as error:
        tell_outage("not_ready", error, because=str(error))
        raise NotReady(
            "The database takes no writes; look at its disk, and whether it is the primary."
        ) from None
    except Exception as error:
        tell_outage("not_ready", error)
        raise NotReady("The database does not answer; check DATABASE_URL and the server.") from None
    if not state.database.schema_is_current:
        raise NotReady("The database lacks migrations; run `svc migrate`.")
    redis, files, cells = await asyncio.gather(
        _redis_answers(state.redis), state.files.take_writes(), cells_probe.wanting()
    )
    degraded = [name for name, answers in (("redis", redis), ("files", files)) if not answers]
    degraded += cells
    body: dict[str, Any] = {"status": "degraded" if degraded else "ready"}
    return JSONResponse({**body, "degraded": degraded} if degraded else body)


class DatabaseProbe:
    """Asks the database, one question at a time and for a moment each.

    A question that is given up takes as long to end as the driver waits for a database that hangs,
    and has a connection until then: so nobody waits for that end, and nobody else asks meanwhile.
    """

    def __init__(self, *, schema_is_current: bool = False) -> None:
        self.schema_is_current = schema_is_current
        self._question: asyncio.Task[None] | None = None
        self._wrote_until = 0.0

    async def ask(self) -> None:
        """Raises whatever keeps the database from answering."""
        if self._question is None or self._question.done():
            self._question = asyncio.create_task(self._look())
        question = self._question
        await asyncio.wait({question}, timeout=CHECK_TIMEOUT)
        if not question.done():
            question.cancel()
            raise TimeoutError
        if question.cancelled():  # by somebody before us
            await self.ask()
        else:
            question.result()

    async def _look(self) -> None:
        if not self.schema_is_current:
            self.schema_is_current = not await schema.pending()  # which is for good
        elif time.monotonic() < self._wrote_until:
            await schema.answers()
        else:
            await schema.answers()
            await prove_writable()
            self._wrote_until = time.monotonic() + WRITES_SECONDS


class FilesProbe:
    """Writes a little file where uploads begin, now and then; the bucket behind them is `svc
    doctor`'s to ask.
    """

    def __init__(self) -> None:
        self._wrote_until = 0.0

    async def take_writes(self) -> bool:
        """Whether a file of a few kilobytes could be stored."""
        if time.monotonic() < self._wrote_until:
            return True
        try:
            async with asyncio.timeout(CHECK_TIMEOUT), file_store.blob_store().draft() as draft:
                await draft.write(bytes(4_096))
                await draft.finish()
        except (StoreAway, TimeoutError):  # the log has been told of the first
            return False
        self._wrote_until = time.monotonic() + WRITES_SECONDS
        return True


class CellsProbe:
    """Asks the cells besides the home, now and then."""

    def __init__(self) -> None:
        self._found: list[str] = []
        self._fresh_until = 0.0

    async def wanting(self) -> list[str]:
        """`cell:NAME` of those that do not answer, `cell:NAME:migrations` of those that lack some."""
        if time.monotonic() >= self._fresh_until:
            states = await operations.look_into_cells()
            self._found = [f"cell:{one.name}" for one in states if not one.is_up]
            self._found += [f"cell:{one.name}:migrations" for one in states if one.pending]
            self._fresh_until = time.monotonic() + CELLS_SECONDS
        return self._found


cells_probe = CellsProbe()


async def _redis_answers(client: "redis.Redis") -> bool:
    try:
        async with asyncio.timeout(CHECK_TIMEOUT):
            await client.ping()
    except Exception as error:
        tell_outage("redis_is_away", error)
        return False
    return True


routes = [Route("/healthz", PageEndpoint(healthz)), Route("/readyz", PageEndpoint(readyz))]
