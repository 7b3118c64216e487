"""The least that a list can cost: PostgreSQL asked what the service asks it, and writing the JSON, on
bare ASGI.

Of a statement that writes its answer, the text or the bytes go out as they come; of any other,
PostgreSQL writes its rows, and Python makes nothing of them.
"""

import os
import pickle
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import asyncpg

from bench.floors.page import Floor, Receive, Send

STATEMENTS = "BENCH_STATEMENTS"
"""The environment variable that names the file with the statements of each path."""

AS_JSON = "SELECT coalesce(json_agg(row_to_json(s)), '[]')::text FROM ({}) AS s"


def written_in(row: asyncpg.Record) -> bytes | None:
    """What a statement wrote that answers this row: bytes beside what else it tells of its page, or
    nothing but a text.
    """
    for value in row:
        if isinstance(value, bytes):
            return value
    text = row[0] if len(row) == 1 else None
    return text.encode() if isinstance(text, str) else None


class Replay(Floor):
    """Answers each path with what its statements find."""

    def __init__(self) -> None:
        super().__init__()
        self._statements: dict[str, list[tuple[str, tuple[Any, ...]]]] = pickle.loads(
            Path(os.environ[STATEMENTS]).read_bytes()
        )

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or scope["path"] == "/readyz":
            await super().__call__(scope, receive, send)
            return
        found = []
        for sql, values in self._statements[scope["path"]]:
            row = await self.pool.fetchrow(sql, *values)
            written = None if row is None else written_in(row)
            assert written is not None, "it was heard to write"
            found.append(written)
        await self.answer(b"".join(found), send)


def create_app() -> Replay:
    """A new application; uvicorn calls this."""
    return Replay()
