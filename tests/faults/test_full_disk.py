"""The disk of the tables is full: reads are answered, writes refused with 503, nothing is lost, and
with room again nobody has to restart anything.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import pytest

from cli.embedded.postgres import SUPERUSER
from tests.faults.test_postgres import is_outage, nothing_was_lost
from tests.support.customer import Customer, under_load
from tests.support.receiver import Receiver
from tests.support.service import Machines, Service
from tests.support.waiting import eventually

pytestmark = pytest.mark.slow

MEGABYTES = 192
ROOM = "disk_of_tables"


@contextmanager
def a_small_disk(owner: os.stat_result) -> Iterator[Path]:
    """A file system of its own for PostgreSQL, whose log stays where it is."""
    folder = Path(tempfile.mkdtemp(prefix="svc-disk-"))
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m,mode=711", "tmpfs", folder],
        capture_output=True,
        check=False,
    )
    try:
        if mounted.returncode:
            pytest.skip("only root may mount a disk")
        folder.chmod(0o711)
        tables = folder / "tables"
        tables.mkdir(mode=0o700)
        os.chown(tables, owner.st_uid, owner.st_gid)
        yield tables
    finally:
        if not mounted.returncode:
            subprocess.run(["umount", "--lazy", folder], check=True)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def full(disk: Path) -> Iterator[None]:
    """No byte is free meanwhile."""
    filler = disk.parent / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 20, 4096):
            with pytest.raises(OSError, match="No space left"):
                while True:
                    file.write(bytes(size))
    try:
        yield
    finally:
        filler.unlink()


async def administer(machines: Machines, sql: str) -> None:
    connection = await asyncpg.connect(
        host=str(machines.postgres.sockets), user=SUPERUSER, database="postgres"
    )
    try:
        await connection.execute(sql)
    finally:
        await connection.close()


@pytest.fixture
def disk(machines: Machines) -> Iterator[Path]:
    with a_small_disk((machines.postgres.folder / "data").stat()) as disk:
        yield disk


async def test_with_a_full_disk_reads_are_answered_and_writes_wait_for_room(
    machines: Machines, service: Service, receiver: Receiver, disk: Path
) -> None:
    name = service.environment["DATABASE_URL"].partition("?")[0].rpartition("/")[2]
    await administer(machines, f"CREATE TABLESPACE {ROOM} LOCATION '{disk}'")
    await administer(machines, f"ALTER DATABASE {name} SET TABLESPACE {ROOM}")
    try:
        running = await service.up(short_lease=True)
        (api,), customer = running.apis, running.customer
        await customer.subscribe(receiver)

        async with under_load(customer) as load:
            await load.more(20)
            with full(disk):
                # Pages that were begun have room for some more.
                await eventually(lambda: len(load.refusals) >= 20, "the API refuses")
                await eventually(lambda: says(customer, "/readyz", 503), "it is not ready")
                listed = await customer.call("GET", "/v2/sms/messages")
                alive = await customer.call("GET", "/healthz")
            await load.more(20)

        assert (listed.status, alive.status) == (200, 200)
        assert all(is_outage(refused) for refused in load.refusals)
        assert not load.cut_off
        assert not api.logged("unexpected")
        await eventually(lambda: says(customer, "/readyz", 200), "it is ready again")
        await nothing_was_lost(service, running, receiver, load.accepted)
    finally:
        await service.close()
        machines.postgres.drop_database(name)
        await administer(machines, f"DROP TABLESPACE {ROOM}")


async def says(customer: Customer, path: str, status: int) -> bool:
    return (await customer.call("GET", path)).status == status
