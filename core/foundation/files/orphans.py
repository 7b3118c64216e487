"""Orphaned files: announced before they are written, adopted by a record, or removed by a sweep.

The store knows no transactions. So a key is written down as unheld before its bytes are stored; the
transaction that writes the record takes that line away; the one that deletes the record writes it
again; and the sweep removes what is unheld and due. Whatever crashes in between leaves a line that
the sweep settles.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from datetime import datetime, timedelta
from functools import partial

from core.foundation.clock import real_now
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import after_commit, transaction
from core.foundation.errors import ServiceUnavailable
from core.foundation.files.errors import StoreAway
from core.foundation.files.models import OrphanedBlob
from core.foundation.files.shared import blob_store
from core.foundation.moved_clocks import unless_moved
from core.foundation.security.caller import Caller

TIME_TO_ADOPT = timedelta(hours=1)
"""From announcing a file to the commit of its record; an upload takes seconds."""
BATCH_SIZE = 200


class TooLate(ServiceUnavailable):
    default_detail = "The upload took too long; send the file again."

    def __init__(self) -> None:
        super().__init__(retry_after=1)


async def announce(caller: Caller, key: str) -> None:
    """Write down a key whose bytes are about to be stored. Commit it before storing them."""
    await OrphanedBlob.create(key=key, **owned_by(caller), due_at=real_now() + TIME_TO_ADOPT)


async def adopt(key: str) -> None:
    """A record holds the file from now on; in the transaction that writes the record. Raises
    TooLate.
    """
    if not await OrphanedBlob.filter(key=key).delete():
        raise TooLate


async def discard(caller: Caller, keys: Iterable[str]) -> None:
    """No record holds these files any more; in the transaction that deletes the records."""
    await db.execute(
        "INSERT INTO unheld_blobs (key, organization_id, env, due_at) "
        "SELECT key, $2, $3, $4 FROM unnest($1::text[]) key",
        list(keys),
        caller.organization_id,
        caller.env,
        real_now(),
    )


@dataclass(frozen=True, slots=True)
class OrphanedFile:
    """A file that no record of its owner holds any more."""

    key: str
    organization_id: str
    env: str


async def discard_many(files: Sequence[OrphanedFile], *, at: datetime) -> None:
    """Like `discard`, for files of several owners; one that is discarded already stays so."""
    await db.execute_for(files, DISCARD, *db.columns([astuple(file) for file in files], 3), at)


DISCARD = """
INSERT INTO unheld_blobs (key, organization_id, env, due_at)
SELECT f.*, $4 FROM unnest($1::text[], $2::text[], $3::text[]) AS f ON CONFLICT DO NOTHING
"""


async def remove_now(keys: Sequence[str]) -> None:
    """Remove files that were discarded, once that is committed; what cannot be removed is left to
    the sweep. A transaction that is rolled back, as a dry run is, removes none.
    """
    await after_commit(partial(_remove_discarded, keys))


async def _remove_discarded(keys: Sequence[str]) -> None:
    with suppress(StoreAway):
        async with transaction():
            # Locked before the store is asked: the sweep may be at the same ones.
            rows = await db.fetch(
                "SELECT key FROM unheld_blobs WHERE key = ANY ($1) FOR UPDATE SKIP LOCKED", keys
            )
            await _remove(column(rows, "key"))


async def remove_due(*, at: datetime) -> int:
    """Remove the files that are due, a batch; call it until it answers 0. Answers how many went.

    The lines stay locked until the bytes are gone: who adopts one of them meanwhile waits, and is
    too late.
    """
    async with transaction():
        rows = await db.fetch(*unless_moved(DUE, at, BATCH_SIZE))
        await _remove(column(rows, "key"))
    return len(rows)


# Of an organization that enters a cell the lines are copies: what is adopted where it lives may still stand there.
DUE = """
SELECT key FROM unheld_blobs WHERE due_at <= $1 /* unless moved */ ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED
"""


async def _remove(keys: Sequence[str]) -> None:
    if keys:
        await blob_store().delete(keys)
        await db.execute("DELETE FROM unheld_blobs WHERE key = ANY ($1)", keys)
