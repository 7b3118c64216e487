"""Finishing a detached month: exported if asked, released from what references it, and dropped."""

from datetime import datetime
from typing import Any

import structlog

from core import email, media, messaging, short_links
from core.cells import HOME
from core.cells import current as current_cell
from core.foundation import files as file_store
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.database.transactions import transaction
from core.foundation.settings import current
from core.partitions import parquet
from core.partitions.layout import pages_of
from core.partitions.locks import brief_locks
from core.partitions.models import DetachedPartition
from core.partitions.months import start_of
from core.partitions.tables import MESSAGES
from core.providers import sandbox

log = structlog.get_logger()

PAGES_A_FILE = 16_384
"""Pages of a table (8 KB each) in one file of an export: at most 128 MB of rows."""
PAGE_BATCH_SIZE = 256
"""Pages whose messages let go of their files and links in one transaction: some thousand."""
KEY_BATCH_SIZE = 5_000


async def finish_detached(*, at: datetime) -> list[str]:
    """Bring every detached partition to its end; answers the names of those that were dropped.

    Goes on where an earlier call was cut off; two at once do no harm. Nothing is dropped before all
    of it is in the store of files, where an export is wanted. Raises StoreAway, and MissingLibrary
    where no Parquet can be written.
    """
    dropped = []
    for row in await db.fetch(WAITING):
        await _export(row)
        if row["table_name"] == MESSAGES.name:
            await _clean_up(row["name"], at=at)
            await _forget_keys(before=start_of(row["until"]))
        await _drop(row["name"])
        dropped.append(row["name"])
    return dropped


def export_key(table: str, name: str, number: int) -> str:
    """Where a file of an export lies in the store of files, as
    `archive/messages/messages_2027_01/00001.parquet`; that of a cell begins with
    `archive/cells/NAME/`, since all cells share the store.
    """
    place = "archive" if current_cell() == HOME else f"archive/cells/{current_cell().name}"
    return f"{place}/{table}/{name}/{number:05}.parquet"


async def _export(row: Any) -> None:
    """Write what is missing of an export, file by file."""
    if current().retention_export == "off" or row["exported"]:
        return
    parquet.require()
    name, pages, number = row["name"], row["exported_pages"], row["files"]
    while pages < await pages_of(name):
        content = await parquet.rows_as_parquet(
            name, first_page=pages, end_page=pages + PAGES_A_FILE
        )
        if content is not None:
            number += 1
            await file_store.blob_store().put(export_key(row["table_name"], name, number), content)
        pages += PAGES_A_FILE
        await DetachedPartition.filter(name=name).update(exported_pages=pages, files=number)
    await DetachedPartition.filter(name=name).update(exported=True)
    log.info("month_exported", partition=name, files=number)


async def _clean_up(name: str, *, at: datetime) -> None:
    """Let the files and links of its messages go, a batch at a time."""
    cleaned = await db.fetchval(
        "SELECT cleaned_pages FROM detached_partitions WHERE name = $1", name
    )
    while cleaned < await pages_of(name):
        inside = f"ctid >= '({cleaned},0)'::tid AND ctid < '({cleaned + PAGE_BATCH_SIZE},0)'::tid"
        async with transaction():
            received = await db.fetch(RECEIVED.format(part=name, inside=inside))
            await file_store.discard_many(
                [file_store.OrphanedFile(*row.values()) for row in received], at=at
            )
            await media.expire_unused(name, inside, at=at)
            await _delete_what_hangs_on(
                column(await db.fetch(f"SELECT id FROM {name} WHERE {inside}"), "id")
            )
            cleaned += PAGE_BATCH_SIZE
            await DetachedPartition.filter(name=name).update(cleaned_pages=cleaned)


async def _delete_what_hangs_on(messages: list[str]) -> None:
    """Rows of a message that mean nothing without it."""
    await short_links.delete_links(messages)
    await email.delete_outgoing(messages)
    await sandbox.delete_reports(messages)
    await messaging.delete_waiting(messages)


async def _forget_keys(*, before: datetime) -> None:
    while await db.execute(DELETE_KEYS, before, KEY_BATCH_SIZE) == KEY_BATCH_SIZE:
        pass


async def _drop(name: str) -> None:
    async with brief_locks():
        await db.execute(f"DROP TABLE IF EXISTS {name}")
        await DetachedPartition.filter(name=name).update(dropped_at=now())
    log.info("month_dropped", partition=name)


WAITING = "SELECT * FROM detached_partitions WHERE dropped_at IS NULL ORDER BY until, name"

# A received file belongs to its message alone; an uploaded one has a record of its own.
RECEIVED = """
SELECT m.media ->> 'key', m.organization_id, m.env FROM {part} m
WHERE m.{inside} AND m.direction = 'inbound' AND m.media ->> 'key' IS NOT NULL
"""

# The keys of replies outlive the erasure of a contact, so they go by time and not with their
# messages.
DELETE_KEYS = """
DELETE FROM inbound_message_keys WHERE ctid IN (
    SELECT ctid FROM inbound_message_keys WHERE created_at < $1 ORDER BY created_at LIMIT $2)
"""
