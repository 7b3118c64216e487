"""Files that are too large to hold: received into drafts, stored, and read in parts, in a folder
and in a bucket.
"""

import asyncio
import hashlib
import os
import time
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from core.foundation.files import (
    BlobStore,
    FolderStore,
    NoSuchBlob,
    PartialUpload,
    StoreAway,
    partial_uploads,
)
from core.foundation.files.bucket import S3Store
from core.foundation.files.partial_uploads import (
    FORGOTTEN_SECONDS,
    GATHER,
    open_draft,
    remove_forgotten,
)
from tests.core.foundation.files.test_stores import bucket, bucket_server

__all__ = ["bucket", "bucket_server"]

CONTENT = bytes(range(256)) * (3 * GATHER // 256) + b"the end"


@pytest.fixture(params=["folder", "bucket"])
def store(request: pytest.FixtureRequest, bucket: S3Store, tmp_path: Path) -> BlobStore:
    """Either store."""
    if request.param == "folder":
        return FolderStore(tmp_path / "blobs", base_url="http://svc.test", secret="a secret")
    bucket._drafts = tmp_path / "drafts"
    return bucket


async def put(store: BlobStore, key: str, content: bytes = CONTENT) -> tuple[str, PartialUpload]:
    async with store.draft() as draft:
        for at in range(0, len(content), 100_000):
            await draft.write(content[at : at + 100_000])
        digest = await draft.finish()
        await store.put_draft(key, draft)
    return digest, draft


async def read(store: BlobStore, key: str, start: int = 0, end: int | None = None) -> bytes:
    async with store.read(key, start=start, end=end) as pieces:
        return b"".join([piece async for piece in pieces])


async def no_drafts(folder: Path) -> bool:
    """They go beside the loop."""

    def left() -> list[Path]:
        return [path for path in folder.rglob("draft-*") if path.is_file()]

    for _ in range(500):
        if not await asyncio.to_thread(left):
            return True
        await asyncio.sleep(0.01)
    return False


async def test_a_draft_is_hashed_stored_and_read_whole_or_in_part(
    store: BlobStore, tmp_path: Path
) -> None:
    digest, draft = await put(store, "org_1/med_1")

    assert digest == hashlib.sha256(CONTENT).hexdigest()
    assert (draft.size, draft.head) == (len(CONTENT), CONTENT[: len(draft.head)])
    assert await read(store, "org_1/med_1") == CONTENT
    assert await read(store, "org_1/med_1", 5, 6) == CONTENT[5:6]
    assert await read(store, "org_1/med_1", len(CONTENT) - 7) == b"the end"
    async with store.on_disk("org_1/med_1") as path:
        assert path.read_bytes() == CONTENT
    assert await no_drafts(tmp_path)


async def test_an_empty_draft_is_an_empty_file(store: BlobStore) -> None:
    digest, _ = await put(store, "org_1/med_2", b"")

    assert digest == hashlib.sha256(b"").hexdigest()
    assert await read(store, "org_1/med_2") == b""


async def test_what_is_not_there_is_said_to_be_so(store: BlobStore) -> None:
    with pytest.raises(NoSuchBlob):
        await read(store, "org_1/never")
    with pytest.raises(NoSuchBlob):
        async with store.on_disk("org_1/never"):
            pass


async def test_a_draft_that_is_given_up_is_gone(store: BlobStore, tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        async with store.draft() as draft:
            await draft.write(CONTENT)
            raise KeyError

    assert await no_drafts(tmp_path)


async def test_a_draft_of_a_task_that_is_cancelled_is_gone(tmp_path: Path) -> None:
    store = FolderStore(tmp_path / "blobs", base_url="http://svc.test", secret="a secret")
    begun = asyncio.Event()

    async def receive() -> None:
        async with store.draft() as draft:
            await draft.write(CONTENT)
            begun.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(receive())
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert await no_drafts(tmp_path)


async def test_a_disk_that_refuses_is_an_outage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in the way").write_text("a file")
    with pytest.raises(StoreAway), capture_logs() as logs:
        async with open_draft(tmp_path / "in the way"):
            pass
    assert logs == [{"event": "files_away", "log_level": "warning", "error": "EEXIST"}]

    def full(self: PartialUpload, chunks: list[bytes]) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(PartialUpload, "_append", full)
    with pytest.raises(StoreAway), capture_logs() as logs:
        async with open_draft(tmp_path) as draft:
            await draft.write(CONTENT)
            await draft.finish()
    assert logs == [{"event": "files_away", "log_level": "warning", "error": "ENOSPC"}]
    assert await no_drafts(tmp_path)


def test_drafts_that_a_killed_process_left_are_removed(tmp_path: Path) -> None:
    at = time.time()
    for name, age in (
        ("draft-old", FORGOTTEN_SECONDS + 1),
        ("draft-new", 5),
        ("kept", FORGOTTEN_SECONDS + 1),
    ):
        (tmp_path / name).write_bytes(b"x")
        os.utime(tmp_path / name, (at - age, at - age))

    remove_forgotten(tmp_path, at=at)

    assert {path.name for path in tmp_path.iterdir()} == {"draft-new", "kept"}


async def test_the_first_draft_of_a_process_looks_for_those_that_were_left(tmp_path: Path) -> None:
    (tmp_path / "draft-old").write_bytes(b"x")
    os.utime(tmp_path / "draft-old", (0, 0))
    partial_uploads._looked.pop(tmp_path, None)

    async with open_draft(tmp_path):
        assert not (tmp_path / "draft-old").exists()
