"""When a credential was last used, to the minute: written beside the requests, never in their way.

A process notes a credential at most once a minute, and writes what it has noted in one statement.
Rows that another process is writing at that moment are left to it.
"""

import asyncio
from datetime import datetime, timedelta
from typing import Literal

from core.cells import Cell, current, use_cell
from core.foundation.database import db
from core.foundation.database.transactions import outside_transaction
from core.foundation.observability.outage_log import tell_outage
from core.organizations.session_lifetime import IDLE, MAX_LIFETIME

GATHER_INTERVAL = 0.2
"""Uses noted within this time are written together."""

Kind = Literal["key", "session"]

_noted: dict[tuple[Cell, Kind], dict[str, datetime]] = {}
"""Of each cell; what is written is gone from here."""
_writers: dict[Cell, asyncio.Task[None]] = {}


def note_use(kind: Kind, id: str, *, at: datetime) -> None:
    """The credential of the current cell was used; the row learns of it in a moment."""
    cell = current()
    _noted.setdefault((cell, kind), {})[id] = at
    if cell not in _writers or _writers[cell].done():
        _writers[cell] = asyncio.create_task(_write_soon(cell), context=outside_transaction())


async def write_last_uses() -> None:
    """Write what is noted now. A process calls it before it closes the database; a cell that is
    away keeps nobody from the others.
    """
    for cell in {cell for cell, _ in _noted}:
        try:
            with use_cell(cell):
                await write_uses_of(cell)
        except Exception as error:
            tell_outage("last_uses_lost", error)


async def write_uses_of(cell: Cell) -> None:
    """The same of one cell, which is the current one."""
    await _write(cell, "key", WRITE_KEYS)
    await _write(cell, "session", WRITE_SESSIONS, IDLE, MAX_LIFETIME)


async def _write(cell: Cell, kind: Kind, sql: str, *options: timedelta) -> None:
    noted = _noted.pop((cell, kind), {})
    await db.execute_for(noted, sql, list(noted), list(noted.values()), *options)


async def _write_soon(cell: Cell) -> None:
    try:
        while any(whose == cell for whose, _ in _noted):
            await asyncio.sleep(GATHER_INTERVAL)
            await write_uses_of(cell)
    except Exception as error:  # whoever uses the credential next notes it again
        tell_outage("last_uses_lost", error)


WRITE_KEYS = """
UPDATE api_keys k SET last_used_at = due.minute
FROM (SELECT k.id, date_trunc('minute', u.at) AS minute FROM api_keys k
      JOIN unnest($1::text[], $2::timestamptz[]) AS u (id, at) USING (id)
      WHERE k.last_used_at IS NULL OR k.last_used_at < date_trunc('minute', u.at)
      FOR UPDATE OF k SKIP LOCKED) due
WHERE k.id = due.id
"""

# A session that ended meanwhile stays as it ended.
WRITE_SESSIONS = """
UPDATE sessions s SET last_used_at = date_trunc('minute', due.at), expires_at = least(due.at + $3, s.created_at + $4)
FROM (SELECT s.id, u.at FROM sessions s
      JOIN unnest($1::text[], $2::timestamptz[]) AS u (id, at) USING (id)
      WHERE s.ended_at IS NULL AND s.expires_at > u.at AND s.last_used_at < date_trunc('minute', u.at)
      FOR UPDATE OF s SKIP LOCKED) due
WHERE s.id = due.id
"""
