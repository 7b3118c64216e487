"""The files of messages: used, kept, received, handed out and let go."""

from dataclasses import replace
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest

from core import media
from core.foundation import files as file_store
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import Forbidden, NotFound
from core.foundation.security.caller import Caller, Scope
from core.media.models import NEVER_EXPIRES
from core.media.use import PLATFORM_TTL
from core.messaging import Channel, Message
from core.numbers import Number, sender_account_of
from core.providers.platform import UpstreamError
from tests.factories.media import MARKUP, PDF, PNG, Arriving, a_file
from tests.factories.numbers import a_number, an_instagram_account
from tests.factories.organizations import a_caller
from tests.factories.stored_messages import stored_conversation, stored_message
from tests.fakes.files import FilesOfPlatform

pytestmark = pytest.mark.usefixtures("clean_slate")

store_inbound = import_module("core.media.store_inbound")

LATER = media.UPLOAD_TTL + timedelta(minutes=1)


async def aged(file: media.MediaFile, by: timedelta) -> media.MediaFile:
    """The same file, uploaded so long ago."""
    expires_at = file.expires_at if file.expires_at == NEVER_EXPIRES else file.expires_at - by
    await media.MediaFile.filter(id=file.id).update(
        created_at=file.created_at - by, expires_at=expires_at
    )
    return await media.MediaFile.get(id=file.id)


async def is_stored(key: str) -> bool:
    try:
        async with file_store.blob_store().read(key):
            return True
    except file_store.NoSuchBlob:
        return False


async def a_message(caller: Caller, **fields: Any) -> str:
    return await stored_conversation(caller, now(), **{"type": "media", **fields})


def payload(id: Any, **more: Any) -> dict[str, Any]:
    return {"kind": "document", "media": {"id": id, **more}}


async def read(caller: Caller, message_id: str, **asked: Any) -> tuple[media.FileContent, bytes]:
    async with media.opened_media(
        caller, message_id, media.MediaQuery.model_validate(asked)
    ) as found:
        assert isinstance(found, media.FileContent)
        async with found.read(0, None) as pieces:
            return found, b"".join([piece async for piece in pieces])


# Used in messages ---------------------------------------------------------------------------------


async def usable(caller: Caller, sender_id: str, id: str) -> bool:
    found = (await media.files_for_sending(caller, {(sender_id, id)}))[sender_id, id]
    if isinstance(found, media.MediaNotUsable):
        assert [error.where for error in found.errors] == ["/payload/media/id"]
        return False
    return found.id == id


async def test_a_file_can_be_used_by_its_number_for_30_days() -> None:
    caller = await a_caller()
    file = await a_file(caller)

    assert await usable(caller, file.number_id, file.id)
    await aged(file, media.UPLOAD_TTL)
    assert not await usable(caller, file.number_id, file.id)


async def test_an_instagram_account_may_send_the_files_of_any_number_of_its_organization() -> None:
    caller, other = await a_caller(), await a_caller()
    file = await a_file(caller)

    assert await usable(caller, (await an_instagram_account(caller)).id, file.id)
    assert not await usable(other, (await an_instagram_account(other)).id, file.id)


async def test_a_file_of_others_cannot_be_used() -> None:
    caller = await a_caller()
    file = await a_file(caller)
    other_number = await a_number(caller)

    for asking, number_id, id in (
        (await a_caller(), file.number_id, file.id),
        (replace(caller, env="live"), file.number_id, file.id),
        (caller, other_number.id, file.id),
        (caller, file.number_id, "med_x"),
    ):
        assert not await usable(asking, number_id, id)
        if asking is not caller:
            assert await media.lock_files(asking, {id}) == set()


async def test_the_copy_of_an_unused_file_goes_after_30_days_and_that_of_a_sent_one_stays() -> None:
    caller = await a_caller()
    unused, used = await a_file(caller), await a_file(caller)
    await media.keep_files(caller, await media.lock_files(caller, {used.id}))

    assert await media.expire_files(at=now() + media.UPLOAD_TTL - timedelta(minutes=1)) == 0
    assert await media.expire_files(at=now() + LATER) == 1

    assert unused.blob_key
    assert used.blob_key
    assert not await is_stored(unused.blob_key)
    assert await is_stored(used.blob_key)
    assert (await media.MediaFile.get(id=unused.id)).blob_key is None
    assert await media.expire_files(at=now() + LATER) == 0
    assert await db.fetchval("SELECT count(*) FROM unheld_blobs") == 0


async def test_the_platform_is_given_a_file_again_only_when_it_forgets_it(
    platform: FilesOfPlatform,
) -> None:
    caller, number_id = await platform.a_live_number()
    line = sender_account_of(await Number.get(id=number_id))
    file = await a_file(caller, number_id=number_id)

    assert await media.platform_id_of(line, file) == "upstream-1"

    file = await aged(file, PLATFORM_TTL)
    assert [await media.platform_id_of(line, file) for _ in range(2)] == ["upstream-2"] * 2
    assert [content for _, content, _, _ in platform.uploaded] == [PDF, PDF]


async def test_in_the_sandbox_the_platform_knows_a_file_by_our_id() -> None:
    caller = await a_caller()
    file = await a_file(caller)

    assert (
        await media.platform_id_of(sender_account_of(await Number.get(id=file.number_id)), file)
        == file.id
    )


# Received -----------------------------------------------------------------------------------------


async def a_received_file(platform: FilesOfPlatform, content: list[bytes]) -> tuple[Caller, str]:
    caller, number_id = await platform.a_live_number()
    platform.kept["up-9"] = content
    told = payload("up-9", mime_type="image/png", filename="foto.png")
    return caller, await a_message(
        caller, direction="inbound", number_id=number_id, content=told, attempts=0
    )


async def test_a_received_file_is_kept_with_its_message(platform: FilesOfPlatform) -> None:
    caller, id = await a_received_file(platform, [PDF[:5], PDF[5:]])

    await media.store_inbound(id)
    platform.kept.clear()
    await media.store_inbound(id)  # twice is once

    copy = (await Message.get(id=id)).media
    assert copy is not None
    assert (copy["mimeType"], copy["size"], copy["filename"]) == (
        "application/pdf",
        len(PDF),
        "foto.png",
    )
    found, content = await read(caller, id)
    assert (content, found.served.mime_type, found.size) == (PDF, "application/pdf", len(PDF))
    assert await db.fetchval("SELECT count(*) FROM unheld_blobs") == 0


async def test_a_file_that_the_platform_forgot_stays_without_a_copy(
    platform: FilesOfPlatform,
) -> None:
    _, id = await a_received_file(platform, [PDF])
    platform.kept.clear()

    await media.store_inbound(id)

    assert (await Message.get(id=id)).media is None


class Killed(BaseException):
    """The end of the process."""


async def test_a_file_that_ends_its_worker_is_given_up_and_kept_as_bytes(
    platform: FilesOfPlatform, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller, id = await a_received_file(platform, [PDF])

    def kill(*_: Any, **__: Any) -> None:
        raise Killed

    with monkeypatch.context() as poisoned:
        poisoned.setattr(store_inbound, "examine", kill)
        for attempt in range(1, store_inbound.MAX_EXAMINATIONS + 1):
            with pytest.raises(Killed):
                await media.store_inbound(id)
            assert (await Message.get(id=id)).attempts == attempt
        await media.store_inbound(id)

    message = await Message.get(id=id)
    assert message.media is not None
    assert message.media["mimeType"] == "application/octet-stream"
    assert message.last_error == "The file could not be examined; it is kept as bytes."
    found, content = await read(caller, id)
    assert (content, found.served.in_place) == (PDF, False)


async def test_a_store_that_is_away_is_no_examination_without_an_end(
    platform: FilesOfPlatform, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, id = await a_received_file(platform, [PDF])
    with monkeypatch.context() as away:
        away.setattr(store_inbound.files, "announce", failing(file_store.StoreAway))
        for _ in range(store_inbound.MAX_EXAMINATIONS + 1):
            with pytest.raises(file_store.StoreAway):
                await media.store_inbound(id)

    await media.store_inbound(id)

    copy = (await Message.get(id=id)).media
    assert copy is not None
    assert copy["mimeType"] == "application/pdf"


def failing(error: type[Exception]) -> Any:
    async def fail(*_: Any) -> None:
        raise error

    return fail


async def test_a_download_that_breaks_off_keeps_nothing_and_may_be_tried_again(
    platform: FilesOfPlatform,
) -> None:
    _, id = await a_received_file(platform, [PDF])
    platform.breaks_off = True

    with pytest.raises(UpstreamError):
        await media.store_inbound(id)
    assert (await Message.get(id=id)).media is None

    platform.breaks_off = False
    await media.store_inbound(id)
    assert (await Message.get(id=id)).media is not None


async def test_a_download_that_takes_too_long_may_be_tried_again(
    platform: FilesOfPlatform, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, id = await a_received_file(platform, [PDF])
    monkeypatch.setattr(store_inbound, "TOTAL_TIMEOUT", 0)
    platform.drips = True

    with pytest.raises(UpstreamError) as raised:
        await media.store_inbound(id)

    assert raised.value.retryable
    assert (await Message.get(id=id)).media is None


async def test_what_the_sandbox_receives_was_uploaded_to_it() -> None:
    caller = await a_caller()
    file = await a_file(caller)
    id = await a_message(
        caller, direction="inbound", number_id=file.number_id, content=payload(file.id)
    )

    await media.store_inbound(id)

    assert (await Message.get(id=id)).media == media.stored_copy(file)
    assert (await media.MediaFile.get(id=file.id)).expires_at == NEVER_EXPIRES


async def test_what_is_no_text_in_a_received_payload_is_not_told() -> None:
    caller = await a_caller()
    file = await a_file(caller, name="nota.pdf")
    odd_id = await a_message(
        caller, direction="inbound", number_id=file.number_id, content=payload(5)
    )
    odd_words = payload(file.id, filename=5, mime_type=["text/html"])
    named = await a_message(
        caller, direction="inbound", number_id=file.number_id, content=odd_words
    )

    await media.store_inbound(odd_id)
    with pytest.raises(NotFound):
        await read(caller, odd_id)
    found, content = await read(caller, named)

    assert (content, found.served.disposition) == (
        PDF,
        "inline; filename=\"nota.pdf\"; filename*=UTF-8''nota.pdf",
    )


# Handed out ---------------------------------------------------------------------------------------


async def test_a_sent_file_is_read_by_its_message() -> None:
    caller = await a_caller()
    file = await a_file(caller, name="nota.pdf")
    by_payload = await a_message(caller, number_id=file.number_id, content=payload(file.id))
    by_copy = await a_message(
        caller, type="template", content={"name": "x"}, media=media.stored_copy(file)
    )

    for id in (by_payload, by_copy):
        found, content = await read(caller, id)
        assert content == PDF
        assert (
            found.served.disposition == "inline; filename=\"nota.pdf\"; filename*=UTF-8''nota.pdf"
        )


async def test_what_the_platform_has_is_streamed_from_there(platform: FilesOfPlatform) -> None:
    caller, id = await a_received_file(platform, [PNG[:3], PNG[3:], b"more"])

    found, content = await read(caller, id)

    assert (content, found.size) == (PNG + b"more", None)
    assert (found.served.content_type, found.served.name) == ("image/png", "foto.png")


async def test_what_is_declared_or_found_to_be_markup_never_opens_in_place(
    platform: FilesOfPlatform,
) -> None:
    caller, id = await a_received_file(platform, [MARKUP])
    number_id = (await Message.get(id=id)).number_id
    platform.kept["up-10"] = [PNG]
    declared = [
        "text/html",
        "image/svg+xml",
        "application/xml; charset=utf-8",
        "video/x+xml",
        "AUDIO/X+XML",
    ]
    declared += [
        "image/svg",
        "application/xhtml+xml",
        "text/xml-external-parsed-entity",
        "multipart/x-html",
    ]
    ids = [id] + [
        await a_message(caller, number_id=number_id, content=payload("up-10", mime_type=kind))
        for kind in declared
    ]

    for one in ids:
        found, _ = await read(caller, one)
        assert found.served.content_type == "application/octet-stream"
        assert found.served.disposition.startswith("attachment; ")


async def test_a_platform_that_fails_is_502_and_one_that_forgot_is_404(
    platform: FilesOfPlatform,
) -> None:
    caller, id = await a_received_file(platform, [PNG])
    platform.kept.clear()
    with pytest.raises(NotFound):
        await read(caller, id)

    platform.failure = UpstreamError("1", "Down")
    with pytest.raises(media.PlatformFailed):
        await read(caller, id)


async def test_a_token_that_no_key_opens_is_a_failure_of_the_platform(
    platform: FilesOfPlatform,
) -> None:
    caller, id = await a_received_file(platform, [PNG])
    number_id = (await Message.get(id=id)).number_id
    assert number_id
    await Number.filter(id=number_id).update(credentials="v9.unreadable")

    with pytest.raises(media.PlatformFailed) as raised:
        await read(caller, id)
    assert raised.value.meta == {"upstreamCode": "TOKEN_ILEGIVEL"}
    with pytest.raises(media.PlatformFailed):
        await media.upload_media(caller, number_id, Arriving([PDF]))
    with pytest.raises(UpstreamError):
        await media.store_inbound(id)


async def test_a_message_of_others_of_another_channel_or_without_a_file_is_not_found() -> None:
    caller = await a_caller()
    file = await a_file(caller)
    theirs = await a_message(caller, number_id=file.number_id, content=payload(file.id))
    strangers_file = await a_file(await a_caller())
    stolen = await a_message(caller, content=payload(strangers_file.id))
    text = await stored_conversation(caller, now())
    letter = await stored_message(
        caller, now(), channel=Channel.EMAIL, media=media.stored_copy(file)
    )

    for asking, id in (
        (await a_caller(), theirs),
        (replace(caller, env="live"), theirs),
        (caller, stolen),
        (caller, text),
        (caller, letter),
        (caller, "msg_x"),
    ):
        with pytest.raises(NotFound):
            await read(asking, id)


async def test_reading_needs_its_scope() -> None:
    caller = await a_caller(scopes=frozenset({Scope.MEDIA_WRITE}))

    with pytest.raises(Forbidden):
        await read(caller, "msg_x")


async def test_a_copy_that_is_gone_is_not_found() -> None:
    caller = await a_caller()
    file = await a_file(caller)
    id = await a_message(caller, content=payload(file.id), media=media.stored_copy(file))
    assert file.blob_key
    await file_store.blob_store().delete([file.blob_key])

    with pytest.raises(NotFound):
        await read(caller, id)


# Erased -------------------------------------------------------------------------------------------


@pytest.fixture
async def sent_twice() -> tuple[Caller, media.MediaFile, list[str]]:
    caller = await a_caller()
    file = await a_file(caller)
    await media.keep_files(caller, {file.id})
    copy = media.stored_copy(file)
    ids = [
        await a_message(caller, number_id=file.number_id, content=payload(file.id), media=copy)
        for _ in range(2)
    ]
    return caller, file, ids


async def test_a_file_stays_as_long_as_another_message_holds_it(
    sent_twice: tuple[Caller, media.MediaFile, list[str]],
) -> None:
    caller, file, (first, second) = sent_twice
    assert file.blob_key

    assert await media.forget_media_of(caller, [first]) == []
    assert (await Message.get(id=first)).media is None
    assert await is_stored(file.blob_key)

    keys = await media.forget_media_of(caller, [second])
    await file_store.remove_now(keys)
    assert keys == [file.blob_key]
    assert not await is_stored(file.blob_key)
    assert (await media.MediaFile.get(id=file.id)).blob_key is None


async def test_a_received_file_goes_with_its_message_and_only_for_its_owner(
    platform: FilesOfPlatform,
) -> None:
    caller, id = await a_received_file(platform, [PDF])
    await media.store_inbound(id)
    copy = (await Message.get(id=id)).media
    assert copy is not None

    assert await media.forget_media_of(await a_caller("live"), [id]) == []
    assert await media.forget_media_of(caller, [id]) == [copy["key"]]
    assert (await Message.get(id=id)).media is None
