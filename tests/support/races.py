"""Two things at once in one process, each in a transaction of its own."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from core.foundation.database import db
from core.foundation.database.transactions import outside_transaction
from tests.support import citus
from tests.support.waiting import eventually

Answer = TypeVar("Answer")


def outside(work: Coroutine[Any, Any, Answer]) -> "asyncio.Task[Answer]":
    """Start it as a task that takes no part in the transaction around."""
    return asyncio.create_task(work, context=outside_transaction())


async def somebody_waits() -> None:
    """Until a statement waits for what another transaction holds."""

    async def look() -> bool:
        waiting: bool = await outside(
            db.fetchval(
                f"SELECT EXISTS (SELECT FROM {citus.activity()} WHERE datname = current_database() "
                "AND usename = current_user AND wait_event_type = 'Lock')"
            )
        )
        return waiting

    await eventually(look, "one statement waits for another", every=0.002)
