"""Taking in a file that arrives in pieces."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Protocol
from weakref import WeakValueDictionary

from core.foundation.errors import PayloadTooLarge
from core.foundation.files import PartialUpload, blob_store
from core.foundation.security.caller import Caller
from core.media.errors import UploadsBusy, UploadStalled

MOST_BYTES = 105_000_000
"""What 140,000,000 characters of base64 say."""
AT_ONCE = 32
"""Files that arrive in one process at once: each holds a few megabytes of memory and a file on the
disk.
"""
SHARE = 16
"""Of these, an organization's: one that uploads a lot, or slowly, leaves room for the others."""
ROOM_SECONDS = 20.0
PIECE_SECONDS = 30.0
WHOLE_SECONDS = 1_800.0
SLOWEST = 10_000
"""Bytes in a second, after the first PIECE_SECONDS: less holds a place for what may never come."""

_room = asyncio.Semaphore(AT_ONCE)
_shares: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()


class Incoming(Protocol):
    """A file on its way in: iterate over its bytes; then its name and the type that its sender
    tells are known.

    Iterating raises BadRequest, ValidationFailed or PayloadTooLarge for what is wrong with the
    request.
    """

    name: str
    declared_type: str

    def __aiter__(self) -> AsyncIterator[bytes]: ...


@asynccontextmanager
async def received(caller: Caller, incoming: Incoming) -> AsyncIterator[PartialUpload]:
    """All of the file in a draft, not yet on the disk for certain. Raises UploadsBusy,
    UploadStalled, StoreAway.
    """
    async with _a_place(caller.organization_id), blob_store().draft() as draft:
        clock = asyncio.get_running_loop().time
        begun = clock()
        try:
            async with asyncio.timeout(PIECE_SECONDS) as patience:
                async for piece in incoming:
                    if draft.size + len(piece) > MOST_BYTES:
                        raise PayloadTooLarge
                    await draft.write(piece)
                    earned = min(PIECE_SECONDS + draft.size / SLOWEST, WHOLE_SECONDS)
                    patience.reschedule(min(clock() + PIECE_SECONDS, begun + earned))
        except TimeoutError:
            raise UploadStalled from None
        yield draft


@asynccontextmanager
async def _a_place(organization_id: str) -> AsyncIterator[None]:
    share = _shares.setdefault(organization_id, asyncio.Semaphore(SHARE))
    async with AsyncExitStack() as held:
        try:
            async with asyncio.timeout(ROOM_SECONDS):
                await held.enter_async_context(share)
                await held.enter_async_context(_room)
        except TimeoutError:
            raise UploadsBusy from None
        yield
