"""What both embedded servers have in common: a folder, its locks, one program, an address."""

import shutil
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar, Self

from cli.children.child import ChildProcess
from cli.embedded.errors import EmbeddedServerError
from cli.embedded.folder_lock import FolderLock
from cli.embedded.sockets import socket_folder

START_TIMEOUT = 120.0
"""A start after a crash first replays what was written since the last checkpoint."""

HANDOVER_TIMEOUT = 60.0
"""How long the server of an owner that was killed may take to end."""


class EmbeddedServer(ABC):
    """A server whose data lives in `folder`; one owner at a time.

    Two locks: ours is refused at once to a second owner; the program's is held by the program
    itself as long as it lives, and waited for: after a kill -9 the old server may still be ending.
    """

    name: ClassVar[str]
    socket_name: ClassVar[str]

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.log = self.folder / "server.log"
        self.sockets = socket_folder(self.folder, self.socket_name)
        self._owner_lock = FolderLock(self.folder / "owner.lock")
        self._program_lock = FolderLock(self.folder / "program.lock")
        self._program: ChildProcess | None = None

    @property
    @abstractmethod
    def address(self) -> str:
        """Where clients find the server; the same after a restart."""

    @abstractmethod
    def _prepare(self) -> None:
        """Bring the folder into a state in which the program can start."""

    @abstractmethod
    def _make_program(self, lock: int) -> ChildProcess:
        """The program, not yet started, that keeps the descriptor `lock` open."""

    @abstractmethod
    def _is_ready(self) -> bool:
        """Whether the program accepts clients."""

    def start(self) -> str:
        """Start the server and wait until it accepts clients; answers its address.

        Raises FolderInUse when another owner has the folder, EmbeddedServerError when it does not
        start.
        """
        self._owner_lock.take()
        try:
            self._launch()
        except BaseException:
            self.stop()
            raise
        return self.address

    def stop(self) -> None:
        """End the server in order; its data stays."""
        if not self._owner_lock.held:
            return
        if self._program:
            self._program.stop()
            self._program = None
        if self.sockets.parent != self.folder:
            shutil.rmtree(self.sockets, ignore_errors=True)
        self._program_lock.release()
        self._owner_lock.release()

    def restart(self) -> str:
        """End the server in order and start it again at the same address."""
        if self._program:
            self._program.stop()
        self._launch()
        return self.address

    @property
    def running(self) -> bool:
        """Whether the program is there."""
        return self._program is not None and self._program.running

    @property
    def ending(self) -> str:
        """How the program ended, in words."""
        return self._program.ending if self._program else "not started"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _launch(self) -> None:
        self._program_lock.release()
        self._program_lock.take(wait=HANDOVER_TIMEOUT)
        self._prepare()
        self._program = self._make_program(self._program_lock.descriptor)
        self._program.start()
        deadline = time.monotonic() + START_TIMEOUT
        while not self._is_ready():
            if not self._program.running:
                raise EmbeddedServerError(f"{self.name} does not start: {self._last_words()}")
            if time.monotonic() > deadline:
                raise EmbeddedServerError(f"{self.name} is not ready in time: see {self.log}")
            time.sleep(0.01)

    def _last_words(self) -> str:
        lines = [
            line.strip()
            for line in self.log.read_text(errors="replace").splitlines()
            if line.strip()
        ]
        return f"{lines[-1]} (see {self.log})" if lines else f"see {self.log}"
