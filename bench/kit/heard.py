"""What the service asks of PostgreSQL, heard in this process."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import asyncpg
from tortoise import Tortoise

from core.foundation.database import db
from core.foundation.settings import current

Statement = tuple[str, tuple[Any, ...]]


class Statements:
    """What the service asks of PostgreSQL, with the values, while somebody listens."""

    def __init__(self) -> None:
        self._heard: list[Statement] | None = None

    def note(self, query: asyncpg.connection.LoggedQuery) -> None:
        """One statement has ended."""
        if self._heard is not None:
            self._heard.append((query.query, tuple(query.args or ())))

    @contextmanager
    def heard(self) -> Iterator[list[Statement]]:
        """Those that end meanwhile."""
        found: list[Statement] = []
        self._heard = found
        try:
            yield found
        finally:
            self._heard = None


async def open_heard(statements: Statements) -> None:
    """The database as the service opens it, with each connection telling what it is asked."""
    config = db.tortoise_config(current().database_url, pool=current().database_pool)
    for connection in config["connections"].values():
        prepare = connection["credentials"]["init"]

        async def prepared(made: "asyncpg.Connection[Any]", prepare: Any = prepare) -> None:
            await prepare(made)
            made.add_query_logger(statements.note)

        connection["credentials"]["init"] = prepared
    await Tortoise.init(config=config, _enable_global_fallback=True)
