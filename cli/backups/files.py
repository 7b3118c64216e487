"""The files of customers: copied out of their store, and back, each with its checksum."""

import asyncio
import hashlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from pathlib import Path

from cli.backups.manifest import CHECKSUMS, FILES, sha256_of
from cli.failures import Failure
from core.foundation.files import BlobStore, NoSuchBlob

MAX_CONCURRENT = 8
"""A bucket answers each in some time, and many at once."""

KEY = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*")
"""Nothing in it leads out of the folder."""
LINE = re.compile(rf"([0-9a-f]{{64}})  {FILES}/({KEY.pattern})")

Tell = Callable[[int, int], None]
"""Takes how many are done, and how many there are."""


async def copy_out(store: BlobStore, folder: Path, tell: Tell) -> tuple[int, int]:
    """Copy what is stored into the folder: how many files, how many bytes. What goes meanwhile is
    left out.
    """
    keys = sorted([key async for key in store.stored_keys()])
    if strange := [key for key in keys if not KEY.fullmatch(key)]:
        raise Failure(
            f"the store of files holds {len(strange)} files that are none of ours: move them "
            f"elsewhere"
        )
    sums: dict[str, str] = {}
    sizes: list[int] = []

    async def copy(key: str) -> None:
        path = folder / FILES / key
        try:
            async with store.read(key) as pieces:
                sums[key], size = await _write(pieces, path)
        except NoSuchBlob:  # its owner has removed it
            path.unlink(missing_ok=True)
        else:
            sizes.append(size)

    await _each(keys, copy, tell)
    lines = [f"{sums[key]}  {FILES}/{key}\n" for key in sorted(sums)]
    (folder / CHECKSUMS).write_text("".join(lines), encoding="utf-8")
    return len(sizes), sum(sizes)


def listed(folder: Path) -> dict[str, str]:
    """The files of a backup and their checksums. Raises Failure on a line that we do not write."""
    found: dict[str, str] = {}
    for line in (folder / CHECKSUMS).read_text(encoding="utf-8").splitlines():
        read = LINE.fullmatch(line)
        if read is None:
            raise Failure(f"{folder / CHECKSUMS} was changed: it has a line that is none of ours")
        found[read[2]] = read[1]
    return found


async def check(folder: Path, sums: dict[str, str], tell: Tell) -> None:
    """Raises Failure where a file of the backup is missing or is not what was written."""

    async def look(key: str) -> None:
        path = folder / FILES / key
        if not path.is_file() or await asyncio.to_thread(sha256_of, path) != sums[key]:
            raise Failure(f"{path} is missing or was changed: use another backup")

    await _each(sums, look, tell)


async def copy_back(store: BlobStore, folder: Path, sums: dict[str, str], tell: Tell) -> None:
    """Store every file and read it again. Raises Failure where the store gives back something else."""

    async def copy(key: str) -> None:
        async with store.draft() as draft:
            with (folder / FILES / key).open("rb") as file:
                while piece := await asyncio.to_thread(file.read, 1 << 20):
                    await draft.write(piece)
            await draft.finish()
            await store.put_draft(key, draft)
        if await _sha256_stored(store, key) != sums[key]:
            raise Failure(
                f"the store of files gave something else back for {key} than it was given"
            )

    await _each(sums, copy, tell)


async def _sha256_stored(store: BlobStore, key: str) -> str:
    digest = hashlib.sha256()
    async with store.read(key) as pieces:
        async for piece in pieces:
            digest.update(piece)
    return digest.hexdigest()


async def _write(pieces: AsyncIterator[bytes], path: Path) -> tuple[str, int]:
    """Write a file: its checksum and its size."""
    path.parent.mkdir(parents=True, exist_ok=True)
    digest, size = hashlib.sha256(), 0
    with path.open("wb") as file:
        async for piece in pieces:
            digest.update(piece)
            size += await asyncio.to_thread(file.write, piece)
    return digest.hexdigest(), size


async def _each(keys: Iterable[str], work: Callable[[str], Awaitable[None]], tell: Tell) -> None:
    """Do it for all of them, some at once. The first failure ends it."""
    waiting = list(keys)
    total, done = len(waiting), 0

    async def take() -> None:
        nonlocal done
        while waiting:
            await work(waiting.pop())
            done += 1
            tell(done, total)

    workers = [asyncio.create_task(take()) for _ in range(MAX_CONCURRENT)]
    try:
        await asyncio.gather(*workers)
    finally:
        for worker in workers:
            worker.cancel()
