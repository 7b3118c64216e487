"""What a refusal must leave as it was: the rows of these tables."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from core.foundation.database import db


@asynccontextmanager
async def nothing_changed(*tables: str) -> AsyncIterator[None]:
    """What happens inside leaves every row of these tables as it was."""
    before = [await _sum_of(table) for table in tables]
    yield
    assert [await _sum_of(table) for table in tables] == before


async def _sum_of(table: str) -> object:
    return await db.fetchval(f"SELECT sum(hashtextextended(t::text, 0)::numeric) FROM {table} t")
