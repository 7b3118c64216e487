"""The surroundings of one measurement: durable servers in a temporary folder, and processes to
measure.
"""

import base64
import json
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil

from bench.kit.cores import AROUND, MEASURED
from bench.kit.program import Program
from cli.address import free_port
from cli.embedded.postgres import EmbeddedPostgres
from cli.embedded.redis import EmbeddedRedis
from core.foundation import settings
from core.foundation.database import db, schema
from core.foundation.database.bounded_pool import COMMAND

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Effort:
    """How long to measure: rounds are interleaved, and the median of them is the result.

    `messages`: of how many the measurements ask that let one choose.
    """

    rounds: int
    seconds: float
    messages: int = 1_000_000


class House:
    """PostgreSQL (fsync on), Redis, and the environment of the service that names them.

    Their data lie in the folder `kept` if there is one, and stay there; otherwise in a temporary
    one.
    """

    def __init__(self, effort: Effort, say: Say, kept: Path | None = None) -> None:
        self.effort = effort
        self.say = say
        self.kept = kept
        self.folder = Path()
        self.environment: dict[str, str] = {}
        self._undo = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as undo:
            if self.kept is not None:
                self.folder = self.kept.resolve()
                self.folder.mkdir(parents=True, exist_ok=True)
            else:
                self.folder = Path(tempfile.mkdtemp(prefix="svc-bench-"))
                undo.callback(shutil.rmtree, self.folder, ignore_errors=True)
            self.folder.chmod(
                0o711
            )  # run by root, PostgreSQL becomes another user and must pass through
            postgres = undo.enter_context(EmbeddedPostgres(self.folder / "postgres"))
            redis = undo.enter_context(EmbeddedRedis(self.folder / "redis"))
            self.environment = {
                **{
                    name: value for name, value in os.environ.items() if not name.startswith("SVC_")
                },
                "DATABASE_URL": postgres.address,
                "REDIS_URL": redis.address,
                "SVC_DATA_DIR": str(self.folder / "data"),
                "SVC_HASH_KEY": "the hash key of the bench",
                "SVC_ENCRYPTION_KEYS": base64.b64encode(bytes(range(32))).decode(),
                "SVC_WEBHOOK_ALLOW_NETWORKS": "127.0.0.0/8",
                "SVC_WEBHOOK_ALLOW_HTTP": "on",
                "SVC_LOG_LEVEL": "info",
            }
            self._undo = undo.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._undo.close()

    @asynccontextmanager
    async def database(self) -> AsyncIterator[None]:
        """The migrated database, open in this process for `core`."""
        os.environ.update(self.environment)
        settings.current.cache_clear()
        await schema.migrate(settings.current().database_url)
        await db.open_database(settings.current(), bounds=COMMAND)  # it fills whole tables
        try:
            yield
        finally:
            await db.close_database()

    def api(self, **changes: str) -> Program:
        """`svc api`."""
        return self._listening("api", "-m", "cli", "api", changes=changes)

    def worker(self, **changes: str) -> Program:
        """`svc worker`."""
        return self.program("worker", "-m", "cli", "worker", changes=changes)

    def application(self, factory: str) -> Program:
        """An ASGI application of ours on uvicorn, with the options of `svc api`."""
        return self._listening(
            factory.partition(":")[0].rpartition(".")[2],
            *("-m", "uvicorn", factory, "--factory", "--host", "127.0.0.1"),
            *(
                "--loop",
                "uvloop",
                "--http",
                "httptools",
                "--ws",
                "websockets-sansio",
                "--lifespan",
                "on",
            ),
            *("--no-access-log", "--no-server-header", "--log-level", "warning"),
        )

    def flood(self, kind: str, **aim: object) -> Program:
        """Clients of a large customer (`bench.floods`), beside everything else that is not
        measured.
        """
        return self.program(
            f"flood-{kind}", "-m", "bench.floods", kind, json.dumps(aim), core=AROUND
        )

    def program(
        self,
        name: str,
        *arguments: str,
        changes: Mapping[str, str] | None = None,
        port: int | None = None,
        core: int = MEASURED,
    ) -> Program:
        """Any Python program with our environment, on the measured core unless told otherwise."""
        return Program(
            name,
            arguments,
            environment={**self.environment, **(changes or {})},
            log=self.folder / f"{name}.log",
            port=port,
            core=core,
        )

    def _listening(
        self, name: str, *arguments: str, changes: Mapping[str, str] | None = None
    ) -> Program:
        port = free_port("127.0.0.1", 0)
        return self.program(name, *arguments, "--port", str(port), changes=changes, port=port)

    def database_cpu_seconds(self) -> float:
        """What all processes of PostgreSQL have used so far."""
        total = 0.0
        for process in psutil.Process().children(recursive=True):
            try:
                if process.name() == "postgres":
                    times = process.cpu_times()
                    total += times.user + times.system
            except psutil.NoSuchProcess:  # a helper that has just ended
                continue
        return total
