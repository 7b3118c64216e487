"""Bringing a backup back, and proving that it is the one that was saved."""

from pathlib import Path

from cli.backups import files
from cli.backups.manifest import (
    DUMP,
    Manifest,
    Table,
    must_be_unchanged,
    must_have_keys,
    read_manifest,
)
from cli.backups.programs import counted, fitting, run
from cli.backups.target import a_database_to_try, clear, connected, must_be_free
from cli.failures import Failure
from cli.progress import Tell
from core import operations
from core.foundation.database import address as database_address
from core.foundation.database.address import Connection
from core.foundation.files import BlobStore, blob_store, close_blob_store
from core.foundation.settings import current


async def bring_back(folder: Path, tell: Tell, *, replace: bool) -> Manifest:
    """Restore into the database and the store of the settings. Nothing is touched before all is
    looked at.
    """
    manifest, sums = await _looked_through(folder, tell)
    store = blob_store()
    url = current().database_url
    try:
        async with connected(url) as connection:
            await must_be_free(connection, replace=replace)
            await _must_have_no_files(store, replace=replace)
            several = bool(manifest.other_cells) or await operations.is_one_of_several(connection)
            await clear(connection)
        await _restore_database(folder, manifest, url, tell)
        await files.copy_back(
            store, folder, sums, lambda done, of: tell("restoring files", done, of)
        )
        gone = [key async for key in store.stored_keys() if key not in sums]
        await store.delete(await _its_own(gone, url, several=several))
    finally:
        await close_blob_store()
    return manifest


async def _its_own(keys: list[str], url: str, *, several: bool) -> list[str]:
    """Those of the files that this database answers for. `several`: it is known to be one of several
    cells, which share the store; the one that was brought back may know it, too.
    """
    async with connected(url) as connection:
        if not several and not await operations.is_one_of_several(connection):
            return keys
        living = await operations.organizations_living_in(connection)
    return [key for key in keys if key.split("/", 1)[0] in living]


async def try_out(folder: Path, tell: Tell) -> Manifest:
    """Restore into a database that is made for it and goes again; of the files the checksums are
    looked at.
    """
    manifest, _ = await _looked_through(folder, tell)
    async with a_database_to_try(current().database_url) as url:
        async with connected(url) as connection:
            quoted = manifest.database.place.replace('"', '""')
            await connection.execute(f'CREATE SCHEMA IF NOT EXISTS "{quoted}"')
        await _restore_database(folder, manifest, url, tell)
    return manifest


async def _looked_through(folder: Path, tell: Tell) -> tuple[Manifest, dict[str, str]]:
    manifest = read_manifest(folder)
    must_have_keys(manifest.keys, current())
    must_be_unchanged(folder, manifest)
    sums = files.listed(folder)
    await files.check(folder, sums, lambda done, of: tell("checking files", done, of))
    return manifest, sums


async def _must_have_no_files(store: BlobStore, *, replace: bool) -> None:
    if not replace:
        async for _ in store.stored_keys():
            raise Failure(
                "the store of files is not empty: name a new folder in SVC_DATA_DIR or a new "
                "bucket in "
                "SVC_MEDIA_STORE, or repeat with --replace, which deletes what is there"
            )


async def _restore_database(folder: Path, manifest: Manifest, url: str, tell: Tell) -> None:
    """In one transaction: what fails leaves an empty database."""
    wanted = manifest.database.tables
    async with connected(url) as connection:
        server = connection.get_server_version().major
        place = manifest.database.place
        if place != await connection.fetchval("SELECT current_schema()"):
            raise Failure(
                f"the backup is of the schema {place}: restore it as a role whose search_path "
                f"begins with that"
            )
        program = fitting("pg_restore", server=server, reads=manifest.database.pg_dump)
        words = (
            "--single-transaction",
            "--exit-on-error",
            "--no-owner",
            "--no-privileges",
            f"--schema={place}",
        )
        await run(
            program,
            *(
                *words,
                "--no-password",
                f"--dbname={database_address.read(url).database}",
                str(folder / DUMP),
            ),
            url=url,
            on_table=counted("restoring tables", len(wanted), tell),
        )
        await _prove(connection, wanted, tell)


async def _prove(connection: Connection, wanted: dict[str, Table], tell: Tell) -> None:
    """Raises Failure unless every table has the rows that were saved, and no other."""
    found: dict[str, Table] = {}
    async with connection.transaction(isolation="repeatable_read", readonly=True):
        async for sums in operations.sums_of_tables(connection):
            found[sums.table] = Table(rows=sums.rows, checksum=sums.checksum)
            tell("counting rows", len(found), len(wanted))
    if wrong := sorted(
        name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name)
    ):
        raise Failure(
            f"restored, but not what was saved: {', '.join(wrong)}. Do not use this database"
        )
