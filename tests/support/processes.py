"""The service's own processes, as an operator starts them, each with its lines in a file."""

import asyncio
import itertools
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import psutil

from cli.children.child import ChildProcess
from tests.support.forked import ROOT, Forked, ForkedChild, plain_environment
from tests.support.waiting import eventually

__all__ = ["ROOT", "plain_environment"]

SVC = (sys.executable, "-m", "cli")
SHORT_LEASE = Path(__file__).with_name("short_lease.py")
"""The same command with a lease of deliveries that a test can wait for."""
PATIENCE = 20


PORTS = range(10_000, 30_000)
"""Below those that the kernel gives to outgoing connections: a port stays free while its process
starts, or is killed and started again.
"""
PORTS_OF_A_PROCESS = 500
_used = itertools.count()


def free_port() -> int:
    """A port that nobody listens on. No two calls answer the same one, nor do test processes that were
    started one after the other.
    """
    first = os.getpid() * PORTS_OF_A_PROCESS
    while True:
        port = PORTS[(first + next(_used) % PORTS_OF_A_PROCESS) % len(PORTS)]
        with socket.socket() as probe, suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return port


class Process:
    """One `svc …` process. It ends with the test run, even when that is killed (see
    `cli/children`).

    It is forked and has its imports already, unless it is to be `fresh`: started as an operator
    does. `script` is run in the place of `python -m cli`.
    """

    def __init__(
        self,
        name: str,
        words: Sequence[str],
        *,
        environment: Mapping[str, str],
        log: Path,
        script: Path | None = None,
        fresh: bool = False,
    ) -> None:
        self.name = name
        self._log = log
        started = {**environment, "PYTHONPATH": str(ROOT)}
        self._child = (
            ChildProcess(
                name,
                [*SVC, *words],
                environment=started,
                folder=log.parent,
                log=log,
                patience=PATIENCE,
            )
            if fresh
            else ForkedChild(
                name, words, environment=started, log=log, patience=PATIENCE, script=script
            )
        )
        self._child.start()

    @property
    def running(self) -> bool:
        """Whether the process is there."""
        return self._child.running

    @property
    def lines(self) -> str:
        """What it has written so far."""
        return self._log.read_text(errors="replace")

    def logged(self, event: str) -> list[dict[str, Any]]:
        """Its structured log lines of one kind."""
        found = [
            line
            for line in self.lines.splitlines()
            if line.startswith("{") and f'"{event}"' in line
        ]
        return [entry for line in found if (entry := json.loads(line)).get("event") == event]

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        self._child.send(number)

    @property
    def all_of_it(self) -> list[psutil.Process]:
        """The process and those that it has started."""
        guard = self._child._guard
        assert guard is not None
        return psutil.Process(guard.pid).children(recursive=True)

    async def ended(self) -> int:
        """Wait until it has ended: its exit status."""
        return await asyncio.to_thread(self._child.wait)

    async def kill(self) -> None:
        """kill -9, and it is gone."""
        self._child.send(signal.SIGKILL)
        await asyncio.to_thread(self._child.wait)

    async def terminate(self) -> tuple[int, float]:
        """SIGTERM: its exit status and the seconds until it had ended."""
        started = time.monotonic()
        self._child.send(signal.SIGTERM)
        status = await asyncio.to_thread(self._child.wait)
        return status, time.monotonic() - started


async def svc(
    words: Sequence[str], *, environment: Mapping[str, str], typed: str = "", fresh: bool = False
) -> tuple[int, str, str]:
    """Run one command to its end: exit status, standard output, standard error. `typed` is its
    standard input.

    Its process is forked and has its imports already, unless it is to be `fresh`: started as an
    operator does.
    """
    if fresh:
        return await _started(words, environment, typed)
    with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as err:
        given.write(typed.encode())
        given.seek(0)
        streams = [file.fileno() for file in (given, out, err)]
        process = await asyncio.to_thread(
            Forked, words, environment=environment, folder=ROOT, streams=streams
        )
        status = await asyncio.to_thread(process.wait)
        out.seek(0)
        err.seek(0)
        return status, out.read().decode(), err.read().decode()


async def _started(
    words: Sequence[str], environment: Mapping[str, str], typed: str
) -> tuple[int, str, str]:
    process = await asyncio.create_subprocess_exec(
        *SVC,
        *words,
        cwd=ROOT,
        env=dict(environment),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate(typed.encode())
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


async def listening(port: int, process: Process) -> None:
    """Wait until the process accepts connections at the port."""

    def accepts() -> bool:
        assert process.running, f"{process.name} ended:\n{process.lines}"
        with socket.socket() as probe:
            probe.settimeout(1)
            return probe.connect_ex(("127.0.0.1", port)) == 0

    await eventually(accepts, lambda: f"{process.name} listens on {port}\n{process.lines}")
