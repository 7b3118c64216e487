"""Resolving uploaded files for sends, locking them, and handing them to the platform."""

from collections.abc import Collection
from datetime import datetime, timedelta

from core.foundation.bounded_cache import BoundedCache
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.files import NoSuchBlob, blob_store
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller
from core.media.errors import MediaNotUsable
from core.media.models import NEVER_EXPIRES, MediaFile
from core.media.upload import UPLOAD_TTL
from core.providers import registry
from core.providers.platform import SenderAccount, UpstreamError

PLATFORM_TTL = timedelta(days=29)
"""The platform forgets a file after 30 days; a message may wait a little before it leaves."""

# Files that were handed to the platform again, by sender: old ones, and those that another sender
# sends. They are few, so a process's own memory will do.
_again: BoundedCache[tuple[str, str], tuple[str, datetime]] = BoundedCache(
    max_bytes=1_000_000, weigh=lambda _, handed: 500 + 4 * len(handed[0])
)


async def files_for_sending(
    caller: Caller, keys: Collection[tuple[str, str]]
) -> dict[tuple[str, str], MediaFile | MediaNotUsable]:
    """For any number of (sender, file) the caller's file, which a message of this sender may carry,
    or its refusal.

    Whoever writes such a message holds the file with `lock_files` and `keep_files`.
    """
    ids = sorted({id for _, id in keys if is_id("med", id)})
    files = {
        file.id: file
        for file in (await MediaFile.visible_to(caller).filter(id__in=ids) if ids else ())
    }
    return {
        key: file
        if (file := files.get(key[1])) is not None and _is_usable(file, key[0])
        else MediaNotUsable()
        for key in keys
    }


def _is_usable(file: MediaFile, sender_id: str) -> bool:
    """Files are uploaded for numbers; an Instagram account may send those of any."""
    own = file.number_id == sender_id or sender_id.startswith("iga_")
    return own and file.blob_key is not None and now() < file.created_at + UPLOAD_TTL


async def lock_files(caller: Caller, ids: Collection[str]) -> set[str]:
    """Those of the caller's files whose copy is still there; none goes before the transaction ends."""
    rows = await db.fetch_for(ids, LOCK, caller.organization_id, caller.env, sorted(ids))
    return set(column(rows, "id"))


async def keep_files(caller: Caller, ids: Collection[str]) -> None:
    """Messages were made of these (locked) files: their copies stay with them."""
    await db.execute_for(
        ids,
        "UPDATE media_files SET expires_at = $2 WHERE id = ANY ($1) AND organization_id = $3",
        sorted(ids),
        NEVER_EXPIRES,
        caller.organization_id,
    )


async def file_of_message(caller: Caller, id: str) -> MediaFile:
    """A file that a message holds, however old it is. Raises MediaNotUsable when it is gone."""
    file = await MediaFile.own_or_none(caller, "med", id)
    if file is None or file.blob_key is None:
        raise MediaNotUsable
    return file


async def platform_id_of(sender: SenderAccount, file: MediaFile) -> str:
    """The platform's id of the file for this sender; it is handed over again when it has none, or
    one that the platform forgets.

    Not inside a transaction. In the sandbox it is our own id. Raises UpstreamError and StoreAway.
    """
    if file.env == "test":
        return file.id
    at = now()
    is_own = sender.id == file.number_id and at < file.created_at + PLATFORM_TTL
    if is_own and file.platform_id is not None:
        return file.platform_id
    key = (sender.id, file.id)
    known = _again.get(key)
    if known is not None and at < known[1] + PLATFORM_TTL:
        return known[0]
    id = await _hand_over(sender, file)
    if is_own:
        await MediaFile.filter(id=file.id, organization_id=file.organization_id).update(
            platform_id=id
        )
    _again.put(key, (id, at))
    return id


async def _hand_over(sender: SenderAccount, file: MediaFile) -> str:
    platform = registry.for_conversations()
    if platform is None:
        raise UpstreamError("no_platform", "No platform is configured", retryable=True)
    if file.blob_key is None:
        raise UpstreamError("media_gone", "The file is not stored any more", gone=True)
    try:
        async with blob_store().on_disk(file.blob_key) as path:
            return await platform.upload(
                sender, path, mime_type=file.mime_type, filename=file.filename
            )
    except NoSuchBlob:
        raise UpstreamError("media_gone", "The file is not stored any more", gone=True) from None


# Locked in one order, so that two batches do not wait for each other in a circle.
LOCK = """
SELECT id FROM media_files
WHERE organization_id = $1 AND env = $2 AND id = ANY ($3) AND blob_key IS NOT NULL
ORDER BY id FOR UPDATE
"""
