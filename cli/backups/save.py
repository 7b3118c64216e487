"""Saving all of it, at one moment, while the service runs."""

from pathlib import Path

from cli.backups.files import copy_out
from cli.backups.manifest import (
    CHECKSUMS,
    DUMP,
    Database,
    Files,
    Manifest,
    NeededKeys,
    Table,
    fingerprint,
    sha256_of,
    write_manifest,
)
from cli.backups.programs import counted, fitting, run
from cli.backups.target import connected
from cli.progress import Tell
from cli.session import database
from core import cells, operations
from core.foundation.clock import now, wire_time
from core.foundation.database.address import Connection
from core.foundation.files import blob_store, close_blob_store
from core.foundation.security.keyring import keyring
from core.foundation.settings import current
from core.foundation.version import own_version


async def save(folder: Path, tell: Tell) -> Manifest:
    """Write the backup into an empty folder.

    Files come after the database: a record without its file is then one whose owner has removed it
    meanwhile.
    """
    created = wire_time(now())
    async with database():
        keys = await _needed_keys()
        others = sorted(await cells.known_cells())
    async with connected(current().database_url) as connection:
        saved = await _save_database(connection, folder, tell)
    try:
        count, size = await copy_out(blob_store(), folder, lambda done, of: tell("files", done, of))
    finally:
        await close_blob_store()
    files = Files(count=count, bytes=size, sha256=sha256_of(folder / CHECKSUMS))
    manifest = Manifest(
        created_at=created,
        version=own_version(),
        keys=keys,
        database=saved,
        files=files,
        other_cells=others,
    )
    write_manifest(folder, manifest)
    return manifest


async def _needed_keys() -> NeededKeys:
    """Those that stored values need, and the one that the next value may already have been
    encrypted with.
    """
    found = await operations.sealed_with(sample=None)
    return NeededKeys(
        hash_key=fingerprint(current()),
        encryption_keys=sorted({keyring().newest, *filter(None, found)}),
    )


async def _save_database(connection: Connection, folder: Path, tell: Tell) -> Database:
    """The archive and the sums of its tables are of one snapshot, which our transaction holds."""
    server = connection.get_server_version().major
    program = fitting("pg_dump", server=server)
    dump = folder / DUMP
    async with connection.transaction(isolation="repeatable_read", readonly=True):
        await connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        total = len(await operations.table_names(connection))
        place = await connection.fetchval("SELECT current_schema()")
        words = (
            "--format=custom",
            f"--schema={place}",
            "--no-owner",
            "--no-privileges",
            "--no-password",
        )
        snapshot = await connection.fetchval("SELECT pg_export_snapshot()")
        await run(
            program,
            *(*words, f"--snapshot={snapshot}", f"--file={dump}"),
            url=current().database_url,
            on_table=counted("saving tables", total, tell),
        )
        tables: dict[str, Table] = {}
        async for sums in operations.sums_of_tables(connection):
            tables[sums.table] = Table(rows=sums.rows, checksum=sums.checksum)
            tell("counting rows", len(tables), total)
    return Database(
        server=server,
        pg_dump=program.major,
        bytes=dump.stat().st_size,
        sha256=sha256_of(dump),
        tables=tables,
        place=place,
    )
