"""Uploading: what is stored, what is refused, and that a refusal leaves nothing."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from core import media
from core.foundation import settings
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import Forbidden, NotFound, PayloadTooLarge, ValidationFailed
from core.foundation.files import StoreAway, adopt, announce, blob_store, remove_due
from core.foundation.files.orphans import TIME_TO_ADOPT
from core.foundation.ids import new_id
from core.foundation.security.caller import Scope
from core.media import receive
from core.messaging import NoProvider
from core.providers.platform import UpstreamError
from tests.factories.media import PDF, PNG, Arriving, opus, sha256
from tests.factories.numbers import a_number
from tests.factories.organizations import a_caller
from tests.fakes.files import FilesOfPlatform

pytestmark = pytest.mark.usefixtures("clean_slate")


def stored_files() -> set[Path]:
    """Every file of the store, drafts included."""
    return {path for path in (settings.current().data_dir / "blobs").rglob("*") if path.is_file()}


async def nothing_left(before: set[Path]) -> bool:
    """Whether files, records and lines of unheld files are as they were."""
    await asyncio.to_thread(lambda: None)
    for _ in range(200):  # a draft is removed beside the loop
        if stored_files() == before:
            break
        await asyncio.sleep(0.01)
    rows = await db.fetchval(
        "SELECT (SELECT count(*) FROM media_files) + (SELECT count(*) FROM unheld_blobs)"
    )
    return bool(stored_files() == before and rows == 0)


async def content_of(key: str) -> bytes:
    async with blob_store().read(key) as pieces:
        return b"".join([piece async for piece in pieces])


async def test_an_upload_is_stored_and_described_by_its_bytes() -> None:
    caller = await a_caller()
    number = await a_number(caller)

    told = await media.upload_media(
        caller, number.id, Arriving([PNG[:3], PNG[3:]], "foto.pdf", "application/pdf")
    )

    assert told == {
        "mediaId": told["mediaId"],
        "kind": "image",
        "mimeType": "image/png",
        "filename": "foto.pdf",
        "size": len(PNG),
        "sha256": sha256(PNG),
    }
    file = await media.MediaFile.visible_to(caller).get(id=told["mediaId"])
    assert file.blob_key is not None
    assert await content_of(file.blob_key) == PNG
    assert file.expires_at - file.created_at == media.UPLOAD_TTL
    assert await db.fetchval("SELECT count(*) FROM unheld_blobs") == 0


async def test_voice_is_told_where_it_is_true_and_only_there() -> None:
    caller = await a_caller()
    number = await a_number(caller)

    voice = await media.upload_media(caller, number.id, Arriving([opus(1)], "a.ogg", "audio/ogg"))
    music = await media.upload_media(caller, number.id, Arriving([opus(2)], "a.ogg", "audio/ogg"))

    assert voice["voice"] is True
    assert "voice" not in music


async def test_a_number_of_others_is_not_found_before_anything_is_read() -> None:
    caller, before = await a_caller(), stored_files()
    theirs = await a_number(await a_caller())
    elsewhere = await a_number(replace(caller, env="live"))

    class Unread(Arriving):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            raise AssertionError("the body was read")
            yield b""

    for id in (theirs.id, elsewhere.id, "num_x", "", "%"):
        with pytest.raises(NotFound):
            await media.upload_media(caller, id, Unread([]))
    assert await nothing_left(before)


async def test_an_upload_needs_its_scope() -> None:
    caller = await a_caller(scopes=frozenset({Scope.MESSAGES_READ, Scope.MEDIA_READ}))

    with pytest.raises(Forbidden):
        await media.upload_media(caller, "num_x", Arriving([PDF]))


@pytest.mark.parametrize("refusal", [ValidationFailed(), PayloadTooLarge(), ConnectionResetError()])
async def test_what_breaks_off_leaves_nothing(refusal: Exception) -> None:
    caller, before = await a_caller(), stored_files()
    number = await a_number(caller)

    class Breaking(Arriving):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            yield bytes(3_000_000)
            raise refusal

    with pytest.raises(type(refusal)):
        await media.upload_media(caller, number.id, Breaking([]))
    assert await nothing_left(before)


async def test_one_byte_too_many_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    assert receive.MAX_BYTES == 140_000_000 * 3 // 4
    monkeypatch.setattr(receive, "MAX_BYTES", 3_000_000)
    caller, before = await a_caller(), stored_files()
    number = await a_number(caller)

    with pytest.raises(PayloadTooLarge):
        await media.upload_media(caller, number.id, Arriving([bytes(1_000_000)] * 3 + [b"x"]))
    assert await nothing_left(before)
    assert (await media.upload_media(caller, number.id, Arriving([bytes(1_000_000)] * 3)))[
        "size"
    ] == 3_000_000


async def test_a_body_that_stops_arriving_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receive, "CHUNK_TIMEOUT", 0.01)
    caller, before = await a_caller(), stored_files()
    number = await a_number(caller)

    class Stalling(Arriving):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            yield PDF
            await asyncio.Event().wait()

    with pytest.raises(media.UploadStalled):
        await media.upload_media(caller, number.id, Stalling([]))
    assert await nothing_left(before)


async def test_a_body_that_drips_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receive, "CHUNK_TIMEOUT", 0.01)
    monkeypatch.setattr(receive, "MIN_BYTES_PER_SECOND", 10**12)
    monkeypatch.setattr(receive, "MAX_BYTES", 1_000_000)
    caller, before = await a_caller(), stored_files()
    number = await a_number(caller)

    class Dripping(Arriving):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            while True:
                yield b"%"
                await asyncio.sleep(0)

    with pytest.raises(media.UploadStalled):
        await media.upload_media(caller, number.id, Dripping([]))
    assert await nothing_left(before)


async def test_an_organization_takes_its_share_of_the_room_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(receive, "MAX_UPLOADS_PER_ORGANIZATION", 1)
    monkeypatch.setattr(receive, "SLOT_TIMEOUT", 0.01)
    caller, other = await a_caller(), await a_caller()
    number, others = await a_number(caller), await a_number(other)
    begun = asyncio.Event()

    class Endless(Arriving):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            yield PDF
            begun.set()
            await asyncio.Event().wait()

    slow = asyncio.create_task(media.upload_media(caller, number.id, Endless([])))
    await begun.wait()
    with pytest.raises(media.UploadsBusy):
        await media.upload_media(caller, number.id, Arriving([PDF]))
    assert (await media.upload_media(other, others.id, Arriving([PDF])))["size"] == len(PDF)

    slow.cancel()
    with pytest.raises(asyncio.CancelledError):
        await slow
    assert (await media.upload_media(caller, number.id, Arriving([PDF])))["size"] == len(PDF)


async def test_a_process_takes_so_many_files_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receive, "_slots", asyncio.Semaphore(0))
    monkeypatch.setattr(receive, "SLOT_TIMEOUT", 0.01)
    caller, before = await a_caller(), stored_files()
    number = await a_number(caller)

    with pytest.raises(media.UploadsBusy):
        await media.upload_media(caller, number.id, Arriving([PDF]))
    assert await nothing_left(before)


async def test_a_store_that_is_away_leaves_no_record(monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(key: str, draft: object) -> None:
        raise StoreAway

    monkeypatch.setattr(blob_store(), "put_draft", away)
    caller, before = await a_caller(), stored_files()
    number = await a_number(caller)

    with pytest.raises(StoreAway):
        await media.upload_media(caller, number.id, Arriving([PDF]))
    assert await nothing_left(before)


async def test_what_a_crash_left_is_swept(monkeypatch: pytest.MonkeyPatch) -> None:
    class Crash(BaseException):
        pass

    async def dies(key: str) -> None:
        raise Crash

    monkeypatch.setattr("core.foundation.files.adopt", dies)
    caller, before = await a_caller(), stored_files()
    number = await a_number(caller)

    with pytest.raises(Crash):
        await media.upload_media(caller, number.id, Arriving([PDF]))

    assert len(stored_files() - before) == 1
    assert await remove_due(at=now() + TIME_TO_ADOPT) == 1
    assert await nothing_left(before)


async def test_an_id_is_used_once_and_whoever_comes_second_touches_no_bytes() -> None:
    caller = await a_caller()
    number, id = await a_number(caller), new_id("med")
    key = f"{caller.organization_id}/{id}"

    await announce(caller, key)  # somebody else with this ticket is storing its bytes
    with pytest.raises(NotFound):
        await media.upload_media(caller, number.id, Arriving([PNG]), as_id=id)
    await adopt(key)
    told = await media.upload_media(caller, number.id, Arriving([PDF]), as_id=id)
    with pytest.raises(NotFound):
        await media.upload_media(caller, number.id, Arriving([PNG]), as_id=id)

    assert told["mediaId"] == id
    assert await content_of(key) == PDF
    assert await db.fetchval("SELECT count(*) FROM unheld_blobs") == 0


# Live ---------------------------------------------------------------------------------------------


async def test_a_live_upload_is_handed_to_the_platform(platform: FilesOfPlatform) -> None:
    caller, number_id = await platform.a_live_number()

    told = await media.upload_media(caller, number_id, Arriving([PDF], "nota.pdf"))

    assert platform.uploaded == [(number_id, PDF, "application/pdf", "nota.pdf")]
    assert (await media.MediaFile.get(id=told["mediaId"])).platform_id == "upstream-1"


async def test_a_platform_that_refuses_leaves_nothing(platform: FilesOfPlatform) -> None:
    caller, number_id = await platform.a_live_number()
    before = stored_files()
    platform.failure = UpstreamError("131053", "Media upload error")

    with pytest.raises(media.PlatformFailed) as raised:
        await media.upload_media(caller, number_id, Arriving([PDF]))

    assert raised.value.meta == {"upstreamCode": "131053"}
    assert await nothing_left(before)


async def test_without_a_platform_a_live_upload_is_refused() -> None:
    caller = await a_caller("live")
    number_id = (await a_number(caller)).id
    before = stored_files()

    with pytest.raises(NoProvider):
        await media.upload_media(caller, number_id, Arriving([PDF]))
    assert await nothing_left(before)
