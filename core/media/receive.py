"""Receiving an upload chunk by chunk, with slots, timeouts and a least speed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Protocol
from weakref import WeakValueDictionary

from core.foundation.errors import PayloadTooLarge
from core.foundation.files import PartialUpload, blob_store
from core.foundation.security.caller import Caller
from core.media.errors import UploadsBusy, UploadStalled

MAX_BYTES = 105_000_000
"""What 140,000,000 characters of base64 say."""
MAX_CONCURRENT_UPLOADS = 32
"""Files that arrive in one process at once: each holds a few megabytes of memory and a file on the
disk.
"""
MAX_UPLOADS_PER_ORGANIZATION = 16
"""Of these, an organization's: one that uploads a lot, or slowly, leaves slots for the others."""
SLOT_TIMEOUT = 20.0
CHUNK_TIMEOUT = 30.0
TOTAL_TIMEOUT = 1_800.0
MIN_BYTES_PER_SECOND = 10_000
"""FileContent in a second, after the first CHUNK_TIMEOUT: less holds a place for what may never come."""

_slots = asyncio.Semaphore(MAX_CONCURRENT_UPLOADS)
_organization_slots: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()


class IncomingFile(Protocol):
    """A file on its way in: iterate over its bytes; then its name and the type that its sender
    tells are known.

    Iterating raises BadRequest, ValidationFailed or PayloadTooLarge for what is wrong with the
    request.
    """

    name: str
    declared_type: str

    def __aiter__(self) -> AsyncIterator[bytes]: ...


@asynccontextmanager
async def received(caller: Caller, incoming: IncomingFile) -> AsyncIterator[PartialUpload]:
    """All of the file in a draft, not yet on the disk for certain. Raises UploadsBusy,
    UploadStalled, StoreAway.
    """
    async with _slot(caller.organization_id), blob_store().draft() as draft:
        clock = asyncio.get_running_loop().time
        begun = clock()
        try:
            async with asyncio.timeout(CHUNK_TIMEOUT) as patience:
                async for piece in incoming:
                    if draft.size + len(piece) > MAX_BYTES:
                        raise PayloadTooLarge
                    await draft.write(piece)
                    earned = min(CHUNK_TIMEOUT + draft.size / MIN_BYTES_PER_SECOND, TOTAL_TIMEOUT)
                    patience.reschedule(min(clock() + CHUNK_TIMEOUT, begun + earned))
        except TimeoutError:
            raise UploadStalled from None
        yield draft


@asynccontextmanager
async def _slot(organization_id: str) -> AsyncIterator[None]:
    share = _organization_slots.setdefault(
        organization_id, asyncio.Semaphore(MAX_UPLOADS_PER_ORGANIZATION)
    )
    async with AsyncExitStack() as held:
        try:
            async with asyncio.timeout(SLOT_TIMEOUT):
                await held.enter_async_context(share)
                await held.enter_async_context(_slots)
        except TimeoutError:
            raise UploadsBusy from None
        yield
