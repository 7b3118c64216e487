"""One process at a time works with a folder."""

import fcntl
import os
import time
from pathlib import Path
from typing import Self

from cli.embedded.errors import EmbeddedServerError, FolderInUse


class FolderLock:
    """A lock on a file of the folder. The kernel gives it back when its holder ends, however that
    happens.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._descriptor: int | None = None

    def take(self, *, wait: float = 0.5) -> None:
        """Take the lock or raise FolderInUse after `wait` seconds."""
        descriptor = self._open()
        deadline = time.monotonic() + wait
        while not _locked(descriptor, fcntl.LOCK_EX):
            if time.monotonic() > deadline:
                holder = os.read(descriptor, 20).decode() or "another one"
                os.close(descriptor)
                raise FolderInUse(
                    f"the folder {self._file.parent} is in use by process {holder}: stop that "
                    f"one first, "
                    "or name another folder in SVC_DATA_DIR"
                )
            time.sleep(0.02)
        os.truncate(descriptor, 0)
        os.write(descriptor, str(os.getpid()).encode())
        self._descriptor = descriptor

    def taken(self) -> bool:
        """Whether some process holds the lock."""
        if not self._file.exists():
            return False
        descriptor = os.open(self._file, os.O_RDONLY)
        try:
            return not _locked(descriptor, fcntl.LOCK_SH)
        finally:
            os.close(descriptor)

    @property
    def held(self) -> bool:
        """Whether this object holds the lock."""
        return self._descriptor is not None

    @property
    def descriptor(self) -> int:
        """For a child that shall hold the lock as well: it is free again when both have ended."""
        assert self._descriptor is not None
        return self._descriptor

    def release(self) -> None:
        """Let go; a child that holds the lock too keeps it."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        self.take()
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def _open(self) -> int:
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            return os.open(self._file, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise EmbeddedServerError(
                f"the folder {self._file.parent} cannot be written ({error.strerror}): "
                "it may belong to another user; delete it or name another one in SVC_DATA_DIR"
            ) from error


def _locked(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
