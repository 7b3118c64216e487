"""Use case: upload a file for a number's messages."""

from contextlib import suppress
from datetime import timedelta

from tortoise.exceptions import IntegrityError

from core.cells import come_after
from core.foundation import files
from core.foundation.absent import existing
from core.foundation.clock import now
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import transaction
from core.foundation.dry_run import refuse_dry_run
from core.foundation.errors import NotFound
from core.foundation.files import PartialUpload, blob_store
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.media.errors import PlatformFailed
from core.media.examine import DetectedFile, examine
from core.media.models import MediaFile
from core.media.receive import IncomingFile, received
from core.media.record import MediaRecord, media_record
from core.messaging import NoProvider
from core.numbers import Number, usable_sender_account
from core.providers import registry
from core.providers.platform import ConversationPlatform, UpstreamError

UPLOAD_TTL = timedelta(days=30)
"""How long new messages can use a file."""


async def upload_media(
    caller: Caller, number_id: str, incoming: IncomingFile, *, as_id: str | None = None
) -> MediaRecord:
    """The media upload result. What is refused leaves nothing behind. `as_id`: the id that a ticket
    was given for its file; where there is one of it, the ticket is used up.

    Raises NotFound, NoProvider, PlatformFailed, PayloadTooLarge, UploadsBusy, UploadStalled,
    StoreAway, TooLate, and what `incoming` raises.
    """
    caller.require(Scope.MEDIA_WRITE)
    refuse_dry_run()
    number = await Number.own_or_none(caller, "num", number_id)
    if number is None or (as_id is not None and await _is_there(caller, as_id)):
        raise NotFound
    platform = None
    if caller.env == "live":
        platform = existing(registry.for_conversations(), NoProvider)
    async with received(caller, incoming) as draft:
        digest = await draft.finish()
        nature = examine(draft.head, size=draft.size, declared=incoming.declared_type)
        platform_id = (
            await _hand_on(platform, number, draft, nature, incoming.name) if platform else None
        )
        await come_after(caller.organization_id)  # minutes may have passed
        file = MediaFile(
            id=as_id or new_id("med"),
            number_id=number.id,
            kind=nature.kind,
            mime_type=nature.mime_type,
            filename=incoming.name,
            size=draft.size,
            sha256=digest,
            voice=nature.voice,
            platform_id=platform_id,
            created_at=now(),
            **owned_by(caller),
        )
        await _store(caller, file, draft)
    return media_record(file)


async def _hand_on(
    platform: ConversationPlatform,
    number: Number,
    draft: PartialUpload,
    nature: DetectedFile,
    filename: str,
) -> str:
    try:
        return await platform.upload(
            usable_sender_account(number), draft.path, mime_type=nature.mime_type, filename=filename
        )
    except UpstreamError as failure:
        raise PlatformFailed(failure) from None


async def _is_there(caller: Caller, id: str) -> bool:
    return await MediaFile.visible_to(caller).filter(id=id).exists()


async def _announce(caller: Caller, file: MediaFile, key: str) -> None:
    """Whoever has the line of the key writes its bytes. Of two with one ticket the later one waits
    for the line, and finds it taken, or the file there. Raises NotFound.
    """
    try:
        async with transaction():
            await files.announce(caller, key)
            if await _is_there(caller, file.id):
                raise NotFound
    except IntegrityError:
        raise NotFound from None


async def _store(caller: Caller, file: MediaFile, draft: PartialUpload) -> None:
    key = f"{caller.organization_id}/{file.id}"
    file.blob_key, file.expires_at = key, file.created_at + UPLOAD_TTL
    await _announce(caller, file, key)
    try:
        await blob_store().put_draft(key, draft)
        async with transaction():
            await files.adopt(key)
            await file.save(force_create=True)
    except Exception:
        with suppress(Exception):  # the sweep finds it too
            await files.remove_now([key])
        raise
