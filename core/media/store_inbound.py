"""Keeping a copy of a file that somebody sent."""

import asyncio
from typing import Any

from core.foundation import blobs, db
from core.foundation.blobs import Draft, blob_store
from core.foundation.caller import Caller, system_caller
from core.foundation.clock import now, wire_time
from core.foundation.errors import PayloadTooLarge
from core.foundation.ids import random_base62
from core.foundation.transactions import transaction
from core.media.examine import examine
from core.media.find import MessageMedia, find_media, line_for
from core.media.models import KEPT, MediaFile
from core.media.receive import MOST_BYTES
from core.providers import registry
from core.providers.platform import Upstream

WHOLE_SECONDS = 600.0
"""One that drips must not keep a worker from the others."""

KEEP = """
UPDATE messages SET media = $4, updated_at = $5
WHERE organization_id = $1 AND env = $2 AND id = $3 AND media IS NULL
"""


async def store_inbound(message_id: str) -> None:
    """Fetch the file of a received message and keep a copy with it. May run twice; nothing to fetch is no error.

    A file that the platform does not know any more, or that is larger than any it takes, stays without a copy.
    Raises Upstream and StoreAway for what may go better another time.
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
    except Upstream as failure:
        if not failure.gone:
            raise


async def _keep_upload(caller: Caller, message_id: str, found: MessageMedia) -> None:
    """The sandbox receives what was uploaded to it."""
    if found.copy is not None:
        async with transaction():
            await MediaFile.visible_to(caller).filter(id=found.media_id).update(expires_at=KEPT)
            await _keep(caller, message_id, found.copy)


async def _fetch(caller: Caller, message_id: str, found: MessageMedia) -> None:
    platform, line = registry.for_conversations(), await line_for(caller, found.sender_id)
    if found.copy is not None or found.media_id is None or platform is None or line is None:
        return
    async with blob_store().draft() as draft:
        try:
            async with asyncio.timeout(WHOLE_SECONDS), platform.download(line, found.media_id) as pieces:
                async for piece in pieces:
                    if draft.size + len(piece) > MOST_BYTES:
                        raise PayloadTooLarge
                    await draft.write(piece)
        except TimeoutError:
            raise Upstream("network", "The file took too long to arrive.", retryable=True) from None
        await draft.finish()
        await _store(caller, message_id, found, draft)


async def _store(caller: Caller, message_id: str, found: MessageMedia, draft: Draft) -> None:
    at = now()
    # Two that fetch at once must not write to one key: the later one's copy goes again.
    key = f"{caller.organization_id}/{message_id}_{random_base62(8)}"
    copy = {
        "mimeType": examine(draft.head, size=draft.size, declared=found.declared_type).mime_type,
        "size": draft.size,
        "storedAt": wire_time(at),
        "key": key,
        "filename": found.filename,
    }
    await blobs.announce(caller, key)
    await blob_store().put_draft(key, draft)
    async with transaction():
        if await _keep(caller, message_id, copy):
            await blobs.adopt(key)
            return
    await blobs.remove_now([key])


async def _keep(caller: Caller, message_id: str, copy: dict[str, Any]) -> bool:
    return bool(await db.execute(KEEP, caller.organization_id, caller.env, message_id, copy, now()))
