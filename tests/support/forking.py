"""The process that has imported the service and forks a process for every request: the other end of
`forked.py`.

Run as a script with a listening socket. A request is one packet, with the three streams of the
process beside it; the answers are its id and, when it has ended, its exit status. It ends when its
own standard input does.
"""

import atexit
import contextlib
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn

from cli.children import guard

IMPORTED = (
    "cli.app",
    "cli.checks",
    "cli.failures",
    "cli.session",
    "cli.tables",
    "core.operations",
    "core.privacy",
    "cli.seed.organization",
    "rest_api.app",
    "rest_api.server",
    "tortoise.backends.asyncpg",
    "uvicorn.lifespan.on",
    "uvicorn.protocols.http.httptools_impl",
    "uvicorn.protocols.websockets.websockets_sansio_impl",
    "uvloop",
    "workers.main",
)
"""What takes long; a process imports by itself what is missing here."""

LIFELINE = 0
FIRST_OF_OURS = 3
"""The file descriptors from here on are not the forked process's."""


@dataclass
class Request:
    """One process that is wanted."""

    words: list[str]
    script: str | None
    guard: tuple[float, int] | None
    environment: dict[str, str]
    folder: str


@dataclass
class Forks:
    """The processes that run, each with the connection that is told of its end."""

    listener: socket.socket
    running: dict[int, socket.socket] = field(default_factory=dict)

    def serve(self) -> Request:
        """Fork until nobody wants more. Comes back in the forked processes alone."""
        woken, waker = os.pipe()
        os.set_blocking(waker, False)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        sources: list[int | socket.socket] = [LIFELINE, self.listener, woken]
        while True:
            ready, _, _ = select.select(sources, [], [])
            if woken in ready:
                os.read(woken, 512)
                self._tell_of_ends()
            if self.listener in ready and (request := self._fork()):
                return request
            if LIFELINE in ready:
                sys.exit()

    def _fork(self) -> Request | None:
        connection, _ = self.listener.accept()
        asked, streams, _, _ = socket.recv_fds(connection, 1 << 20, 3)
        pid = os.fork()
        if pid == 0:
            self._become(streams, connection)
            return Request(**json.loads(asked))
        for stream in streams:
            os.close(stream)
        self.running[pid] = connection
        self._tell(connection, pid)
        return None

    def _become(self, streams: list[int], connection: socket.socket) -> None:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        for held in (self.listener, connection, *self.running.values()):
            held.detach()
        os.closerange(FIRST_OF_OURS, os.sysconf("SC_OPEN_MAX"))

    def _tell_of_ends(self) -> None:
        while self.running:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            with self.running.pop(pid) as connection:
                self._tell(connection, os.waitstatus_to_exitcode(status))

    @staticmethod
    def _tell(connection: socket.socket, number: int) -> None:
        with contextlib.suppress(OSError):  # who wanted it is gone
            connection.send(str(number).encode())


class Begun(Exception):
    """This process is the program that a guard was to execute."""


def guarded(patience: float, stop_signal: int) -> None:
    """Be the guard until the program has ended. Comes back in the program alone."""
    os.setsid()

    def begin(*_: Any) -> None:
        raise Begun

    execute: Callable[..., Any] = os.execv
    os.execv = begin  # type: ignore[assignment]
    try:
        status = guard.main(patience, stop_signal, "", ["svc"])
    except Begun:
        os.execv = execute
        # As it is at the start of a Python.
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_IGN)
        os.closerange(FIRST_OF_OURS, os.sysconf("SC_OPEN_MAX"))
    else:
        os._exit(status if status >= 0 else 128 - status)


def run(request: Request) -> NoReturn:
    """Do what was asked for, as if Python had just started for it, and end."""
    os.environ.clear()
    os.environ.update(request.environment)
    os.chdir(request.folder)
    if request.guard:
        guarded(*request.guard)
    sys.argv = [request.script or "svc", *request.words]
    status: str | int | None = None
    try:
        if request.script:
            runpy.run_path(request.script, run_name="__main__")
        else:
            runpy.run_module("cli", run_name="__main__")
    except SystemExit as ended:
        status = ended.code
    except BaseException:
        traceback.print_exc()
        status = 1
    end(status)


def end(status: str | int | None) -> NoReturn:
    """End as Python does, but for taking apart every module: each page of them would be copied for
    that.
    """
    if isinstance(status, str):
        print(status, file=sys.stderr)  # noqa: T201 (as Python does)
        status = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    gc.collect()  # what was never awaited is told
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status or 0)


if __name__ == "__main__":
    for name in IMPORTED:
        importlib.import_module(name)
    assert threading.active_count() == 1, "a thread would be missing in the forked processes"
    gc.collect()
    gc.freeze()  # pages that nobody writes to stay shared
    with socket.socket(fileno=int(sys.argv[1])) as listener:
        wanted = Forks(listener).serve()
    run(wanted)
