"""Files in a folder of the machine: for one machine, or several that share a volume."""

import asyncio
import hmac
import os
import re
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import IO
from urllib.parse import quote_plus

from core.foundation.files.errors import NoSuchBlob, disk_away
from core.foundation.files.partial_uploads import PartialUpload, open_draft
from core.foundation.files.store import PIECE, Served
from core.foundation.security.secrets import KeyedHasher

ROUTE = "/blobs"
PLAIN = re.compile(r"[A-Za-z0-9_.~/-]*")
DRAFTS = ".drafts"
"""In the folder itself: a file is renamed within one file system, and whoever shares the folder
sees what was left.
"""


class FolderStore:
    """One file per key below `folder`. The service itself serves them, to addresses that it has
    signed.
    """

    def __init__(self, folder: Path, *, base_url: str, secret: str) -> None:
        self._folder = folder
        self._base_url = base_url
        key = hmac.digest(secret.encode(), b"signed addresses of files", "sha256")
        self._signer = KeyedHasher(key)

    async def put(self, key: str, content: bytes) -> None:
        with disk_away():
            await asyncio.to_thread(_write_whole, self._folder / key, content)

    def draft(self) -> AbstractAsyncContextManager[PartialUpload]:
        return open_draft(self._folder / DRAFTS)

    async def put_draft(self, key: str, draft: PartialUpload) -> None:
        with disk_away():
            await asyncio.to_thread(_move, draft.path, self._folder / key)

    @asynccontextmanager
    async def read(
        self, key: str, *, start: int = 0, end: int | None = None
    ) -> AsyncIterator[AsyncIterator[bytes]]:
        with disk_away():
            try:
                file = await asyncio.to_thread(_open, self._folder / key, start)
            except FileNotFoundError:
                raise NoSuchBlob from None
        try:
            yield _pieces(file, None if end is None else end - start)
        finally:
            file.close()

    @asynccontextmanager
    async def on_disk(self, key: str) -> AsyncIterator[Path]:
        path = self._folder / key
        if not await asyncio.to_thread(path.is_file):
            raise NoSuchBlob
        yield path

    async def stored_keys(self) -> AsyncIterator[str]:
        with disk_away():
            keys = await asyncio.to_thread(_keys_below, self._folder)
        for key in keys:
            yield key

    async def delete(self, keys: Sequence[str]) -> None:
        with disk_away():
            await asyncio.to_thread(_unlink_all, [self._folder / key for key in keys])

    async def signed_url(self, key: str, served: Served, *, seconds: int) -> str:
        save = "&save=1" if served.to_save else ""
        return self._signed([(key, served.name, served.mime_type)], save, seconds)[0]

    async def signed_urls(
        self, files: Sequence[tuple[str, str, str]], *, seconds: int
    ) -> list[str]:
        return self._signed(files, "", seconds)

    def _signed(self, files: Sequence[tuple[str, str, str]], save: str, seconds: int) -> list[str]:
        start, expires, sign = (
            f"{self._base_url}{ROUTE}/",
            int(time.time()) + seconds,
            self._signer.of,
        )
        names, urls = [name for _, name, _ in files], []
        if not _needs_no_quotes("".join(names)):
            names = [_quoted(name) for name in names]
        types = {kind: _quoted(kind) for kind in {kind for _, _, kind in files}}
        for (key, _, mime_type), name in zip(files, names, strict=True):
            asked, kind = f"expires={expires}&name={name}", types[mime_type]
            # In the order of their names, as `_sign` has them; of a key only its slashes are quoted.
            signed = f"key={key.replace('/', '%2F')}&{asked}{save}&type={kind}"
            signature = sign(signed.encode()).hexdigest()
            urls.append(f"{start}{key}?{asked}&type={kind}{save}&signature={signature}")
        return urls

    async def close(self) -> None:
        pass

    def path_of(self, key: str, values: dict[str, str], *, at: float) -> tuple[Path, Served] | None:
        """The file of an address that `signed_url` made and whose time is not over; None for any
        other.
        """
        given = values.pop("signature", "")
        if not given.isascii() or not hmac.compare_digest(given, self._sign(key, values)):
            return None
        if int(values["expires"]) < at:
            return None
        return self._folder / key, Served(values["name"], values["type"], to_save="save" in values)

    def _sign(self, key: str, values: dict[str, str]) -> str:
        named = [("key", key), *sorted(values.items())]
        signed = "&".join(f"{_quoted(name)}={_quoted(value)}" for name, value in named)
        return self._signer.of(signed.encode()).hexdigest()


def _quoted(text: str) -> str:
    """As in a query. Most is plain, which is a fifth of the work."""
    if PLAIN.fullmatch(text):
        return text.replace("/", "%2F")
    return quote_plus(text, errors="surrogateescape")


def _needs_no_quotes(text: str) -> bool:
    """Whether a query has it as it is; one look at all the names of a page."""
    return "/" not in text and PLAIN.fullmatch(text) is not None


def _write_whole(path: Path, content: bytes) -> None:
    """Under another name first: a reader, and a machine that stops, finds the whole file or none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".draft-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise


def _move(path: Path, target: Path) -> None:
    """The draft is on the disk whole; its new name must be, too, before a record tells of it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    path.replace(target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _keys_below(folder: Path) -> list[str]:
    """Without drafts, whose names begin with a dot, or that of their folder does."""
    found: list[str] = []
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        inside = Path(place).relative_to(folder)
        found += [(inside / name).as_posix() for name in files if not name.startswith(".")]
    return found


def _open(path: Path, start: int) -> IO[bytes]:
    file = path.open("rb", buffering=0)
    file.seek(start)
    return file


async def _pieces(file: IO[bytes], left: int | None) -> AsyncIterator[bytes]:
    while left is None or left > 0:
        with disk_away():
            piece = await asyncio.to_thread(file.read, PIECE if left is None else min(PIECE, left))
        if not piece:
            return
        if left is not None:
            left -= len(piece)
        yield piece


def _unlink_all(paths: list[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)
