"""The database that is saved, or that a backup is brought back into."""

import os
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from urllib.parse import quote, urlsplit, urlunsplit

from cli.dev_folder import data_folder, lend_secrets, lock_of
from cli.embedded.postgres import EmbeddedPostgres
from cli.embedded.redis import EmbeddedRedis
from cli.failures import Failure
from core.foundation.database.address import Connection
from core.foundation.database.bounded_pool import BACKUP
from core.foundation.database.db import connected_apart

OTHERS = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""

EVERYTHING = """
    SELECT format('DROP %s IF EXISTS %s CASCADE', kind, name) FROM (
        SELECT 'pg_class'::regclass AS catalogue, oid, 1 AS place, oid::regclass::text AS name,
               CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE'
                            ELSE 'TABLE' END AS kind
        FROM pg_class WHERE relnamespace = current_schema()::text::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')
        UNION ALL
        SELECT 'pg_proc'::regclass, oid, 2, oid::regprocedure::text, 'ROUTINE'
        FROM pg_proc WHERE pronamespace = current_schema()::text::regnamespace
        UNION ALL
        SELECT 'pg_type'::regclass, oid, 3, oid::regtype::text, 'TYPE'
        FROM pg_type WHERE typnamespace = current_schema()::text::regnamespace AND typtype IN ('e', 'd', 'c')
    ) AS ours
    WHERE NOT EXISTS (SELECT FROM pg_depend
                      WHERE classid = catalogue AND objid = ours.oid AND deptype IN ('e', 'i'))
    ORDER BY place
"""
"""What the schema holds, without what belongs to an extension or goes with something else."""


@contextmanager
def server_at_hand(*, may_be_new: bool) -> Iterator[None]:
    """Name a server in the environment: the given one, that of a running `svc dev`, else the data
    folder's own.

    That one is started for as long as it is needed, with the secrets of its folder.
    """
    if os.environ.get("DATABASE_URL"):
        yield
        return
    folder = data_folder()
    if not may_be_new and not (folder / "postgres" / "data").exists():
        raise Failure(
            f"there is no database: set DATABASE_URL, or name the folder of `svc dev` (not "
            f"{folder})"
        )
    with lock_of(folder):
        if (folder / "secrets.json").exists():
            lend_secrets(folder, os.environ)
        os.environ.setdefault("REDIS_URL", EmbeddedRedis(folder / "redis").address)
        with EmbeddedPostgres(folder / "postgres") as postgres:
            os.environ["DATABASE_URL"] = postgres.address
            yield


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[Connection]:
    """A connection of its own: straight, with no plan or pool of the service."""
    async with connected_apart(url, bounds=BACKUP) as connection:
        yield connection


@asynccontextmanager
async def a_database_to_try(url: str) -> AsyncIterator[str]:
    """A new database on the same server, gone at the end: its address."""
    name = f"svc_restore_try_{secrets.token_hex(4)}"
    async with connected(url) as connection:
        await connection.execute(f"CREATE DATABASE {name} TEMPLATE template0")
        try:
            yield urlunsplit(urlsplit(url)._replace(path=f"/{quote(name)}"))
        finally:
            await connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


async def must_be_free(connection: Connection, *, replace: bool) -> None:
    """Raises Failure where something is in the database, or, when that shall go, where somebody is
    at it.
    """
    held = len(await connection.fetch(EVERYTHING))
    if held and not replace:
        raise Failure(
            "the database is not empty: name a new one in DATABASE_URL, or repeat with "
            "--replace, which deletes what "
            "is there"
        )
    if held and (others := await connection.fetchval(OTHERS)):
        raise Failure(
            f"{others} other connections are open to this database: stop the APIs and workers first"
        )


async def clear(connection: Connection) -> None:
    """Delete all that the schema holds, at once or not at all."""
    async with connection.transaction():
        for (statement,) in await connection.fetch(EVERYTHING):
            await connection.execute(statement)
