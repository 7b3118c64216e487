"""A write probe: a full disk answers every read and refuses every write."""

import asyncpg

from core.foundation.database import db
from core.foundation.database.availability import is_gone
from core.foundation.database.transactions import transaction


class TakesNoWrites(Exception):
    """The database answers, and cannot store anything."""


async def prove_writable() -> None:
    """Write something that leaves nothing behind, in a few milliseconds. Raises TakesNoWrites, or
    what an outage does.

    More rows than fit into the memory for sorting go into a file beside the tables and need new
    room there, as a new row does once the pages of its table are full. The message, which nobody
    reads, is a commit that has to be on the disk. Both can be done on a server that takes no writes
    of ours: that is asked.
    """
    try:
        async with transaction():
            await db.execute("SET LOCAL work_mem = '64kB'")
            await db.fetchval("SELECT count(*) FROM generate_series(1, 20000)")
            if await db.fetchval(COMMITTED) == "on":
                raise TakesNoWrites("read only")
    except asyncpg.PostgresError as error:
        if is_gone(error):
            raise
        raise TakesNoWrites(type(error).__name__) from error


COMMITTED = """
SELECT CASE WHEN pg_logical_emit_message(true, 'svc', 'ready') IS NOT NULL
            THEN current_setting('transaction_read_only') END"""
