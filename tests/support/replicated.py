"""A primary and its standby, made by PostgreSQL's own pg_basebackup."""

import os
import pwd
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import asyncpg
import psutil

from cli.embedded.postgres import SUPERUSER, EmbeddedPostgres, programs
from tests.support.waiting import eventually

STANDBY = "standby"
"""The name by which the primary knows it."""

ADMITTED = "pg_hba.conf"
CLIENTS = "local all all peer map=owner\n"
STANDBYS = "local replication all peer map=owner\n"


@dataclass
class Pair:
    """A primary, and a standby that follows it."""

    primary: EmbeddedPostgres
    standby: EmbeddedPostgres

    def address_of(self, database: str) -> str:
        """Both servers in one address: which one is the primary is found by asking."""
        hosts = ",".join(quote(str(server.sockets)) for server in (self.primary, self.standby))
        return f"postgresql://{SUPERUSER}@/{database}?host={hosts}"

    async def wait_for_the_standby(self) -> None:
        """From now on a commit is answered when the standby has it too."""
        async with _asked(self.primary) as connection:
            await connection.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{STANDBY}'")
            await connection.execute("SELECT pg_reload_conf()")

    async def state(self) -> str | None:
        """What the primary says of its standby: `sync`, `async`, or None while it is not streaming."""
        async with _asked(self.primary) as connection:
            found: str | None = await connection.fetchval(
                "SELECT sync_state FROM pg_stat_replication WHERE application_name = $1 AND state = 'streaming'",
                STANDBY,
            )
            return found

    def kill_primary(self) -> None:
        """kill -9 for all of its processes at once, as when its machine loses power."""
        postmaster = process_of(self.primary)
        for process in [postmaster, *postmaster.children(recursive=True)]:
            process.kill()

    async def promote(self) -> None:
        """Make the standby a primary; it is one when this returns."""
        async with _asked(self.standby) as connection:
            assert await connection.fetchval("SELECT pg_promote()")

    async def cut_off(self) -> None:
        """The standby hears nothing more of the primary."""
        (self.primary.folder.parent / ADMITTED).write_text(CLIENTS)
        async with _asked(self.primary) as connection:
            await connection.execute("SELECT pg_reload_conf()")
            # The new rules hold as soon as the server has read them; until then its standby comes
            # back.
            await eventually(lambda: _without_standby(connection), "the standby is cut off")

    async def heard_of_all(self) -> None:
        """Wait until the standby has what the primary had when this was asked."""
        async with _asked(self.primary) as connection:
            now = await connection.fetchval("SELECT pg_current_wal_flush_lsn()::text")
            heard = "SELECT flush_lsn >= $1::text::pg_lsn FROM pg_stat_replication WHERE application_name = $2"
            await eventually(
                lambda: connection.fetchval(heard, now, STANDBY), "the standby has heard of all"
            )


@contextmanager
def a_pair(folder: Path) -> Iterator[Pair]:
    """A primary with a standby that streams, and no data yet."""
    folder.mkdir(exist_ok=True)
    replicating = {
        "wal_level": "replica",
        "max_wal_senders": "4",
        **_admitting_the_servers_user(folder),
    }
    primary = EmbeddedPostgres(folder / "primary", durable=False, settings=replicating)
    with primary:
        following = {
            **replicating,
            "primary_conninfo": f"host={primary.sockets} user={SUPERUSER} application_name={STANDBY}",
        }
        standby = EmbeddedPostgres(folder / "standby", durable=False, settings=following)
        _copy(primary, standby.folder / "data")
        with standby:
            yield Pair(primary, standby)


def process_of(server: EmbeddedPostgres) -> psutil.Process:
    """The first of its processes."""
    return psutil.Process(int((server.folder / "data" / "postmaster.pid").read_text().split()[0]))


def _copy(primary: EmbeddedPostgres, data: Path) -> None:
    words = ("--write-recovery-conf", "--checkpoint=fast", "--wal-method=stream", "--no-sync")
    subprocess.run(
        [programs() / "pg_basebackup", "-h", primary.sockets, "-U", SUPERUSER, "-D", data, *words],
        check=True,
        stdin=subprocess.DEVNULL,
        env={name: value for name, value in os.environ.items() if not name.startswith("PG")},
    )
    owner = (primary.folder / "data").stat()
    if owner.st_uid != os.geteuid():
        for path in (data, *data.rglob("*")):
            os.chown(path, owner.st_uid, owner.st_gid)


def _admitting_the_servers_user(folder: Path) -> dict[str, str]:
    """The standby asks as the user whom it runs as, who is not us when we are root."""
    us = pwd.getpwuid(os.geteuid()).pw_name
    (folder / ADMITTED).write_text(CLIENTS + STANDBYS)
    (folder / "pg_ident.conf").write_text(f'owner "{us}" {SUPERUSER}\nowner "nobody" {SUPERUSER}\n')
    return {"hba_file": str(folder / ADMITTED), "ident_file": str(folder / "pg_ident.conf")}


@asynccontextmanager
async def _asked(server: EmbeddedPostgres) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    connection = await asyncpg.connect(
        host=str(server.sockets), user=SUPERUSER, database="postgres"
    )
    try:
        yield connection
    finally:
        await connection.close()


async def _without_standby(connection: "asyncpg.Connection[asyncpg.Record]") -> bool:
    return not await connection.fetch("SELECT pg_terminate_backend(pid) FROM pg_stat_replication")
