"""Partial uploads: on disk, hashed on the way, and removed unless they are stored."""

import asyncio
import hashlib
import os
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import IO, TypeVar

from core.foundation.files.contents import READ
from core.foundation.files.errors import disk_away

GATHER = 1_048_576
"""Bytes that go to the disk at once: a hand-over to a thread for each packet would cost more than
its writing.
"""
FORGOTTEN_SECONDS = 7_200.0
"""A draft that was not written to for so long was left by a process that died."""
PREFIX = "draft-"

Done = TypeVar("Done")

# Threads of their own: a slow disk must not keep the loop's own ones (name look-ups, for instance)
# from working.
_threads = ThreadPoolExecutor(4, thread_name_prefix="drafts")
_looked: dict[Path, float] = {}


class PartialUpload:
    """A file that grows. `head` is its beginning, enough to tell what it is; `size` in bytes."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self.path = path
        self.size = 0
        self.head = b""
        self._file = file
        self._digest = hashlib.sha256()
        self._gathered: list[bytes] = []
        self._bytes_gathered = 0
        self._writing: asyncio.Future[None] | None = None
        self._lock = threading.Lock()

    async def write(self, chunk: bytes) -> None:
        """Take the next bytes; the disk is written beside the loop. Raises StoreAway."""
        if len(self.head) < READ:
            self.head += chunk[: READ - len(self.head)]
        self.size += len(chunk)
        self._gathered.append(chunk)
        self._bytes_gathered += len(chunk)
        if self._bytes_gathered >= GATHER:
            await self._hand_over()

    async def finish(self) -> str:
        """Wait until all of it is on the disk. Answers its SHA-256 in hexadecimal. Raises
        StoreAway.
        """
        await self._hand_over()
        await self._written()
        await _beside(self._sync)
        return self._digest.hexdigest()

    async def _hand_over(self) -> None:
        await self._written()
        chunks, self._gathered, self._bytes_gathered = self._gathered, [], 0
        self._writing = asyncio.get_running_loop().run_in_executor(_threads, self._append, chunks)

    async def _written(self) -> None:
        if self._writing is not None:
            writing, self._writing = self._writing, None
            with disk_away():
                await writing

    def _append(self, chunks: Sequence[bytes]) -> None:
        with self._lock:
            if not self._file.closed:  # given up meanwhile
                for chunk in chunks:
                    self._digest.update(chunk)
                    self._file.write(chunk)

    def _sync(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())

    def remove(self) -> None:
        """Close it, and unlink it where it still lies."""
        with self._lock, suppress(OSError):
            self.path.unlink(missing_ok=True)
            self._file.close()


@asynccontextmanager
async def open_draft(folder: Path) -> AsyncIterator[PartialUpload]:
    """A new draft in this folder; when the block ends, it is gone, unless the store took it. Raises
    StoreAway.
    """
    draft = await _beside(lambda: _create(folder))
    try:
        yield draft
    finally:
        _threads.submit(draft.remove)


def _create(folder: Path) -> PartialUpload:
    folder.mkdir(parents=True, exist_ok=True)
    at = time.time()
    if at - _looked.get(folder, 0.0) > FORGOTTEN_SECONDS / 2:
        _looked[folder] = at
        remove_forgotten(folder, at=at)
    handle, path = tempfile.mkstemp(dir=folder, prefix=PREFIX)
    return PartialUpload(Path(path), os.fdopen(handle, "wb"))


def remove_forgotten(folder: Path, *, at: float) -> None:
    """Remove the drafts that a process left behind when it was killed."""
    for path in folder.glob(f"{PREFIX}*"):
        with suppress(OSError):  # another process may be at it
            if path.stat().st_mtime < at - FORGOTTEN_SECONDS:
                path.unlink()


async def _beside(work: Callable[[], Done]) -> Done:
    with disk_away():
        return await asyncio.get_running_loop().run_in_executor(_threads, work)
