"""Use case: serve the file of a message, by redirect or by streaming it."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from core.foundation.absent import existing
from core.foundation.errors import NotFound
from core.foundation.files import (
    READ,
    UNKNOWN,
    NoSuchBlob,
    Served,
    StoreAway,
    blob_store,
    clean_file_name,
    mime_type_of,
    opens_in_place,
)
from core.foundation.security.caller import Caller, Scope
from core.media.errors import PlatformFailed
from core.media.extensions import extension_of
from core.media.find import MessageMedia, find_media, sender_account_for
from core.media.inputs import MediaQuery
from core.media.record import StoredCopy
from core.providers import registry
from core.providers.platform import UpstreamError

URL_TTL_SECONDS = 5_400
"""The interface: at least one hour, at most two."""


@dataclass(frozen=True, slots=True)
class FileRedirect:
    """The file lies at this address, which needs no credential."""

    url: str


@dataclass(frozen=True, slots=True)
class FileContent:
    """The file itself. `size`: None where nobody told it; then only the whole can be read.
    `read(start, end)`.
    """

    served: Served
    size: int | None
    read: Callable[[int, int | None], AbstractAsyncContextManager[AsyncIterator[bytes]]]


@asynccontextmanager
async def opened_media(
    caller: Caller, message_id: str, asked: MediaQuery
) -> AsyncIterator[FileRedirect | FileContent]:
    """The file in a message of the caller's, as long as the block lasts.

    `redirect` leads to our copy where we have one. Raises NotFound and PlatformFailed; reading
    raises them too.
    """
    caller.require(Scope.MEDIA_READ)
    found = existing(await find_media(caller, message_id))
    if found.copy is not None:
        served = _served(message_id, found, asked, real_type=found.copy["mimeType"])
        if asked.redirect:
            yield FileRedirect(await _address_of(found.copy, served))
        else:
            yield _stored(found.copy, served)
        return
    async with AsyncExitStack() as stack:
        head, rest = await stack.enter_async_context(_from_platform(caller, found))
        real_type = mime_type_of(head, declared=found.declared_type, whole=len(head) < READ)
        served = _served(message_id, found, asked, real_type=real_type)
        yield FileContent(served, None, lambda *_: _whole(head, rest))


def _served(message_id: str, found: MessageMedia, asked: MediaQuery, *, real_type: str) -> Served:
    """The name is that of the query, else the original one, else the message's id; never one that
    leaves its folder.
    """
    declared = found.declared_type.partition(";")[0].strip().lower()
    in_place = opens_in_place(real_type) and not _is_markup(declared)
    shown = real_type if in_place else UNKNOWN
    names = (clean_file_name(name) for name in (asked.filename, found.filename) if name)
    name = next((name for name in names if name), f"{message_id}.{extension_of(real_type)}")
    return Served(name, shown, to_save=asked.download)


async def address_of_copy(
    message_id: str, copy: StoredCopy, *, declared_type: str, filename: str | None
) -> str:
    """Where our copy of a message's file opens, for 90 minutes, without a credential."""
    found = MessageMedia(copy, None, declared_type, filename, uploaded=False, sender_id=None)
    return await _address_of(
        copy, _served(message_id, found, MediaQuery(), real_type=copy["mimeType"])
    )


async def _address_of(copy: StoredCopy, served: Served) -> str:
    try:
        return await blob_store().signed_url(copy["key"], served, seconds=URL_TTL_SECONDS)
    except StoreAway:
        raise PlatformFailed from None


def _is_markup(declared: str) -> bool:
    return any(word in declared for word in ("html", "svg", "xml"))


def _stored(copy: StoredCopy, served: Served) -> FileContent:
    @asynccontextmanager
    async def read(start: int, end: int | None) -> AsyncIterator[AsyncIterator[bytes]]:
        try:
            async with blob_store().read(copy["key"], start=start, end=end) as pieces:
                yield pieces
        except NoSuchBlob:
            raise NotFound from None
        except StoreAway:
            raise PlatformFailed from None

    return FileContent(served, copy["size"], read)


@asynccontextmanager
async def _from_platform(
    caller: Caller, found: MessageMedia
) -> AsyncIterator[tuple[bytes, AsyncIterator[bytes]]]:
    """The beginning of the platform's file, and what follows. A file that was uploaded to us is
    ours or nobody's.
    """
    platform = registry.for_conversations()
    async with AsyncExitStack() as stack:
        try:
            sender = (
                None
                if found.uploaded or caller.env == "test"
                else await sender_account_for(caller, found.sender_id)
            )
            if sender is None or found.media_id is None:
                raise NotFound
            if platform is None:
                raise PlatformFailed
            pieces = await stack.enter_async_context(platform.download(sender, found.media_id))
            head = b""
            while len(head) < READ and (piece := await anext(pieces, None)) is not None:
                head += piece
        except UpstreamError as failure:
            if failure.gone:
                raise NotFound from None
            raise PlatformFailed(failure) from None
        yield head, pieces


@asynccontextmanager
async def _whole(head: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[AsyncIterator[bytes]]:
    async def pieces() -> AsyncIterator[bytes]:
        yield head
        async for piece in rest:
            yield piece

    yield pieces()
