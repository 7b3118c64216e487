"""Leases on claimed rows: renewed while the worker lives, expired a minute after it was killed.

A claim moves the due time of its rows ahead by `LEASE`; nobody else takes them before that. Whoever
may work for longer renews the lease while it works:

    rows = await db.fetch(CLAIM, at, BATCH, at + LEASE)
    async with Lease("messages", "settle_at", [row["id"] for row in rows], until=at + LEASE).kept():
        …

So the lease has to outlive a few missed renewals, and not the slowest relay.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Literal

import structlog

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.rows import column

LEASE = timedelta(seconds=60)
"""How long rows stay with a process that gives no sign of life."""
RENEW_SECONDS = 20.0
"""A process that lives may fail twice to renew, and still holds its rows."""

log = structlog.get_logger()


class Lease:
    """What one process holds of a table: rows whose `column` was set to `until` by its claim.

    A row that was settled meanwhile, or that another process took after all, has another time
    there: it is let go.
    """

    def __init__(
        self,
        table: Literal["messages", "push_deliveries", "templates", "platform_notices"],
        column: Literal["settle_at", "due_at"],
        ids: Iterable[str | int],
        *,
        until: datetime,
    ) -> None:
        self._statement = RENEW.format(table=table, column=column)
        self._ids = list(ids)
        self._ends = [until]
        self._renewing = asyncio.Lock()

    @property
    def until(self) -> datetime:
        """When the lease ends, as it stands in the rows."""
        return self._ends[-1]

    async def renew(self, *, at: datetime) -> None:
        """Hold the rows for a full lease from `at` on, in one statement."""
        async with self._renewing:
            end = at + LEASE
            # Whether a renewal whose connection broke took effect, nobody knows: either end may
            # stand in the rows.
            self._ends.insert(0, end)
            rows = await db.fetch(self._statement, self._ids, self._ends, end)
            self._ids = column(rows, "id")
            self._ends = [end]

    async def moved_since(self, until: datetime) -> bool:
        """Whether a renewal, also one that is under way, has moved the end from `until`."""
        async with self._renewing:
            return self.until != until

    @asynccontextmanager
    async def kept(self) -> AsyncIterator[None]:
        """Renew the lease every `RENEW_SECONDS` for as long as the block works."""
        renewals = asyncio.create_task(self._renew_for_ever())
        try:
            yield
        finally:
            renewals.cancel()
            await asyncio.wait({renewals})

    async def _renew_for_ever(self) -> None:
        while self._ids:
            await asyncio.sleep(RENEW_SECONDS)
            try:
                await self.renew(at=now())
            except Exception as error:  # the work goes on; the next renewal may succeed
                log.warning("lease_not_renewed", rows=len(self._ids), error=type(error).__name__)


# In order, as those lock who settle several rows.
RENEW = """
UPDATE {table} SET {column} = $3
WHERE id = ANY (ARRAY(SELECT id FROM {table} WHERE id = ANY ($1) AND {column} = ANY ($2) ORDER BY id FOR UPDATE))
RETURNING id
"""
