"""Downloading the file of a received message into our own store."""

import asyncio

import structlog

from core import messaging
from core.foundation import files
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.errors import PayloadTooLarge
from core.foundation.files import UNKNOWN, PartialUpload, blob_store
from core.foundation.ids import random_base62
from core.foundation.security.caller import Caller, system_caller
from core.media.examine import examine
from core.media.find import MessageMedia, find_media, sender_account_for
from core.media.models import NEVER_EXPIRES, MediaFile
from core.media.receive import MAX_BYTES
from core.media.record import StoredCopy
from core.providers import registry
from core.providers.platform import UpstreamError

TOTAL_TIMEOUT = 600.0
"""One that drips must not keep a worker from the others."""

MAX_EXAMINATIONS = 3
"""Of one file. One that was examined so often, and never to the end, ends the processes that
examine it.
"""

NOT_EXAMINED = "The file could not be examined; it is kept as bytes."
"""`lastError` of a received message whose file was given up."""

log = structlog.get_logger()


async def store_inbound(message_id: str) -> None:
    """Fetch the file of a received message and keep a copy with it. May run twice; nothing to fetch
    is no error.

    A file that the platform does not know any more, or that is larger than any it takes, stays
    without a copy. One that ends the processes that examine it is kept as bytes of no known type.
    Raises UpstreamError and StoreAway for what may go better another time.
    """
    owner = await db.fetchrow("SELECT organization_id, env FROM messages WHERE id = $1", message_id)
    if owner is None:
        return
    caller = system_caller(owner["organization_id"], owner["env"])
    found = await find_media(caller, message_id)
    if found is None:
        return
    if found.uploaded or caller.env == "test":
        await _keep_upload(caller, message_id, found)
        return
    try:
        await _fetch(caller, message_id, found)
    except PayloadTooLarge:
        return
    except UpstreamError as failure:
        if not failure.gone:
            raise


async def _keep_upload(caller: Caller, message_id: str, found: MessageMedia) -> None:
    """The sandbox receives what was uploaded to it."""
    if found.copy is not None:
        async with transaction():
            await (
                MediaFile.visible_to(caller)
                .filter(id=found.media_id)
                .update(expires_at=NEVER_EXPIRES)
            )
            await _keep(caller, message_id, found.copy)


async def _fetch(caller: Caller, message_id: str, found: MessageMedia) -> None:
    platform, sender = (
        registry.for_conversations(),
        await sender_account_for(caller, found.sender_id),
    )
    if found.copy is not None or found.media_id is None or platform is None or sender is None:
        return
    async with blob_store().draft() as draft:
        try:
            async with (
                asyncio.timeout(TOTAL_TIMEOUT),
                platform.download(sender, found.media_id) as pieces,
            ):
                async for piece in pieces:
                    if draft.size + len(piece) > MAX_BYTES:
                        raise PayloadTooLarge
                    await draft.write(piece)
        except TimeoutError:
            raise UpstreamError(
                "network", "The file took too long to arrive.", retryable=True
            ) from None
        await draft.finish()
        await _store(caller, message_id, found, draft)


async def _store(
    caller: Caller, message_id: str, found: MessageMedia, draft: PartialUpload
) -> None:
    mime_type = await _examined(caller, message_id, found, draft)
    at = now()
    # Two that fetch at once must not write to one key: the later one's copy goes again.
    key = f"{caller.organization_id}/{message_id}_{random_base62(8)}"
    copy: StoredCopy = {
        "mimeType": mime_type or UNKNOWN,
        "size": draft.size,
        "storedAt": wire_time(at),
        "key": key,
        "filename": found.filename,
    }
    await files.announce(caller, key)
    await blob_store().put_draft(key, draft)
    async with transaction():
        if await _keep(caller, message_id, copy, error=None if mime_type else NOT_EXAMINED):
            await files.adopt(key)
            return
    await files.remove_now([key])


async def _examined(
    caller: Caller, message_id: str, found: MessageMedia, draft: PartialUpload
) -> str | None:
    """The type of the file; None for one that is not looked at any more.

    That it is looked at is committed first: a process that dies of it leaves its mark.
    """
    if await messaging.begin_examination(caller, message_id) > MAX_EXAMINATIONS:
        log.warning("file_given_up", message=message_id)
        return None
    nature = examine(draft.head, size=draft.size, declared=found.declared_type)
    await messaging.end_examination(caller, message_id)
    return nature.mime_type


async def _keep(
    caller: Caller, message_id: str, copy: StoredCopy, *, error: str | None = None
) -> bool:
    return await messaging.keep_copy(caller, message_id, copy, error=error, at=now())
