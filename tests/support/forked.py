"""Processes of the service that skip its imports: forked from one that has made them, see
`forking.py`.

The tests start hundreds of commands, APIs and workers, and most of what these did was to import the
same modules. Each is still a process of its own, with its own arguments, environment, streams,
signals and exit status.
"""

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO, cast

from cli.children.child import ChildProcess

ROOT = Path(__file__).resolve().parents[2]
FORKING = Path(__file__).with_name("forking.py")
THROUGH = Path(__file__).with_name("through.py")
"""A script for shells: the command of the words after the address, with the streams of the shell.
"""


class Forked:
    """A forked process, to be used like one of `subprocess`.

    `script` is run in the place of `python -m cli`. With `guard` (patience and signal of a stop) it
    is the guard of the program that it forks: see `cli/children/guard.py`.
    """

    def __init__(
        self,
        words: Sequence[str],
        *,
        environment: Mapping[str, str],
        folder: Path,
        streams: Sequence[int],
        script: Path | None = None,
        guard: tuple[float, int] | None = None,
    ) -> None:
        self.stdin: IO[bytes] | None = None
        self.returncode: int | None = None
        self._turn = threading.Lock()
        self._told = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._told.connect(address())
        what = {"words": list(words), "script": script and str(script), "guard": guard}
        where = {"environment": dict(environment), "folder": str(folder)}
        socket.send_fds(self._told, [json.dumps(what | where).encode()], list(streams))
        self.pid = _number(self._told.recv(64))

    def poll(self) -> int | None:
        """The exit status, or None while it runs."""
        with self._turn:
            if self.returncode is None:
                try:
                    told = self._told.recv(64, socket.MSG_DONTWAIT)
                except BlockingIOError:
                    return None
                self.returncode = _number(told)
                self._told.close()
            return self.returncode

    def wait(self) -> int:
        """Wait for the exit status."""
        while (status := self.poll()) is None:
            select.select([self._told], [], [], 1)
        return status


class ForkedChild(ChildProcess):
    """A program behind its guard, both of them forked."""

    def __init__(
        self,
        name: str,
        words: Sequence[str],
        *,
        environment: Mapping[str, str],
        log: Path,
        patience: float,
        script: Path | None = None,
    ) -> None:
        super().__init__(
            name, words, environment=environment, folder=log.parent, log=log, patience=patience
        )
        self._words, self._script, self._patience = words, script, patience

    def start(self) -> None:
        """Start the program; it may need a while to be of use."""
        assert self._log is not None
        assert self._folder is not None
        lifeline, ours = os.pipe()
        output = os.open(self._log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            guard = Forked(
                self._words,
                environment=self._environment,
                folder=self._folder,
                streams=(lifeline, output, output),
                script=self._script,
                guard=(self._patience, signal.SIGTERM),
            )
        finally:
            os.close(lifeline)
            os.close(output)
        guard.stdin = os.fdopen(ours, "wb", 0)
        self._guard = cast("subprocess.Popen[bytes]", guard)


@cache
def address() -> str:
    """Where the process listens that forks the others. The first call starts it; it ends with this
    process.
    """
    folder = tempfile.TemporaryDirectory(prefix="svc-forking-")
    path = f"{folder.name}/socket"
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(path)
        listener.listen(64)
        process = subprocess.Popen(
            [sys.executable, "-P", str(FORKING), str(listener.fileno())],
            cwd=ROOT,
            env={**plain_environment(), "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            pass_fds=[listener.fileno()],
        )

    def end() -> None:
        process.communicate()
        folder.cleanup()

    atexit.register(end)
    return path


def plain_environment() -> dict[str, str]:
    """Ours without any setting of the service, and with leave to keep compiled modules: hundreds of
    them start.
    """
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("SVC_")
        and name not in ("DATABASE_URL", "REDIS_URL", "PYTHONDONTWRITEBYTECODE")
    }


def _number(told: bytes) -> int:
    assert told, "the process that forks the others has ended"
    return int(told)
