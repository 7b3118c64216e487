"""Writing a part in chunks, each in one transaction, so that an interrupted seed can be resumed."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from cli.seed.run import Chunk, Run, chunks_of
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.wallet import Owner

Made = TypeVar("Made")


async def write_chunks(
    run: Run,
    part: str,
    count: int,
    *,
    table: str,
    prefix: str,
    make: Callable[[Chunk], Made],
    write: Callable[[Made], Awaitable[None]],
) -> None:
    """Make and write the chunks of a part that are not in its table yet. `prefix`: that of its ids.

    `make` runs in a thread, in the order of the chunks and one ahead of what is being written; it
    asks no database. `write` runs in the transaction of its chunk.
    """

    marks = {chunk: _some(run.ids(prefix, part, chunk)) for chunk in chunks_of(count)}

    async def is_there(chunk: Chunk) -> bool:
        return bool(await db.fetchval(THERE.format(table), *run.owner, marks[chunk]))

    chunks = [chunk for chunk in marks if not await is_there(chunk)]
    done = count - sum(map(len, chunks))
    run.tell(part, done, count)
    ahead = _start(make, chunks, 0)
    try:
        for place, chunk in enumerate(chunks):
            assert ahead is not None
            made = await ahead
            ahead = _start(make, chunks, place + 1)
            async with transaction():
                await db.execute(IN_BULK)
                await one_at_a_time(run.owner)
                if not await is_there(chunk):
                    await write(made)
            done += len(chunk)
            run.tell(part, done, count)
    finally:
        if ahead is not None:
            ahead.cancel()


def _some(ids: list[str]) -> list[str]:
    """A few of them: all rows of a chunk were written or none, but some may have been erased since."""
    return ids[:: len(ids) // 30 + 1]


def _start(
    make: Callable[[Chunk], Made], chunks: list[Chunk], place: int
) -> "asyncio.Task[Made] | None":
    return (
        asyncio.create_task(asyncio.to_thread(make, chunks[place])) if place < len(chunks) else None
    )


async def one_at_a_time(owner: Owner) -> None:
    """Until the transaction ends, nobody else seeds for this owner."""
    await db.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended('seed ' || $1 || $2, 0))", *owner
    )


# A chunk that is lost with a server's power is written again when somebody asks again; so its
# commit need not wait for the disk. The words of many contacts at once are sorted into the search
# index faster than those of a few.
IN_BULK = """
SELECT set_config('synchronous_commit', 'off', true), set_config('gin_pending_list_limit', '65536', true),
       set_config('maintenance_work_mem', '256MB', true)
"""

# By their ids first: before its statistics know of a table's rows, the planner would go through all
# of the owner's.
THERE = """
WITH marked AS MATERIALIZED (SELECT organization_id, env FROM {} WHERE id = ANY ($3::text[]))
SELECT EXISTS (SELECT FROM marked WHERE organization_id = $1 AND env = $2)
"""
