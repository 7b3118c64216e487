"""Using an uploaded file in messages."""

from collections import OrderedDict
from datetime import datetime, timedelta

from core.foundation.blobs import NoSuchBlob, blob_store
from core.foundation.caller import Caller
from core.foundation.clock import now
from core.foundation.ids import is_id
from core.media.errors import MediaNotUsable
from core.media.models import KEPT, MediaFile
from core.media.upload import LIFE
from core.providers import registry
from core.providers.platform import Line, Upstream

PLATFORM_LIFE = timedelta(days=29)
"""The platform forgets a file after 30 days; a message may wait a little before it leaves."""
MOST_REMEMBERED = 1_000

# Files that were handed to the platform again: for their last day only, so a process's own memory will do.
_again: OrderedDict[str, tuple[str, datetime]] = OrderedDict()


async def file_for_sending(caller: Caller, number_id: str, media_id: str) -> MediaFile:
    """The caller's file, which a message of this number may carry from now on; our copy then stays with the message.

    Call it where the message is written, or shortly before. Raises MediaNotUsable.
    """
    file = await MediaFile.visible_to(caller).get_or_none(id=media_id) if is_id("med", media_id) else None
    if file is None or file.number_id != number_id or file.blob_key is None or file.created_at + LIFE <= now():
        raise MediaNotUsable
    if file.expires_at != KEPT:
        # The sweep looks again under the lock of the row: it leaves the copy, or we come too late.
        kept = await MediaFile.filter(id=file.id, blob_key__isnull=False).update(expires_at=KEPT)
        if not kept:
            raise MediaNotUsable
        file.expires_at = KEPT
    return file


async def platform_id_of(line: Line, file: MediaFile) -> str:
    """The platform's id of the file; it is handed over again when it has none, or one that the platform forgets.

    Not inside a transaction. In the sandbox it is our own id. Raises Upstream and StoreAway.
    """
    if file.env == "test":
        return file.id
    at = now()
    if file.platform_id is not None and at < file.created_at + PLATFORM_LIFE:
        return file.platform_id
    id, since = _again.get(file.id, ("", file.created_at))
    if id and at < since + PLATFORM_LIFE:
        return id
    id = await _hand_over(line, file)
    if at < file.created_at + PLATFORM_LIFE:
        await MediaFile.filter(id=file.id).update(platform_id=id)
    _again[file.id] = (id, at)
    while len(_again) > MOST_REMEMBERED:
        _again.popitem(last=False)
    return id


async def _hand_over(line: Line, file: MediaFile) -> str:
    platform = registry.for_conversations()
    if platform is None:
        raise Upstream("no_platform", "No platform is configured", retryable=True)
    if file.blob_key is None:
        raise Upstream("media_gone", "The file is not stored any more", gone=True)
    try:
        async with blob_store().on_disk(file.blob_key) as path:
            return await platform.upload(line, path, mime_type=file.mime_type, filename=file.filename)
    except NoSuchBlob:
        raise Upstream("media_gone", "The file is not stored any more", gone=True) from None
