"""A platform of conversations of which only the files are asked."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from core.foundation.security.caller import Caller
from core.providers import registry
from core.providers.platform import ConversationPlatform, SenderAccount, UpstreamError
from tests.factories.numbers import a_number
from tests.factories.organizations import a_caller


class FilesOfPlatform(ConversationPlatform):
    """Remembers what it is given: `uploaded` holds (our sender, bytes, type, name). `kept`: what it
    has, by its id.

    `failure` is raised by whatever is asked; `breaks_off`: in the middle of a download; `drips`: it
    never ends.
    """

    def __init__(self) -> None:
        self.uploaded: list[tuple[str, bytes, str, str]] = []
        self.kept: dict[str, list[bytes]] = {}
        self.failure: UpstreamError | None = None
        self.breaks_off = False
        self.drips = False

    async def a_live_number(self) -> tuple[Caller, str]:
        """A live caller and the id of a number of its own; from now on the platform is there."""
        caller = await a_caller("live")
        number = await a_number(caller)
        registry.converse_by(self)
        return caller, number.id

    @property
    def name(self) -> str:
        return "meta"

    async def upload(
        self, sender: SenderAccount, file: Path, *, mime_type: str, filename: str
    ) -> str:
        if self.failure:
            raise self.failure
        self.uploaded.append((sender.id, file.read_bytes(), mime_type, filename))  # noqa: ASYNC240 - a few bytes
        return f"upstream-{len(self.uploaded)}"

    @asynccontextmanager
    async def download(
        self, _: SenderAccount, media_id: str
    ) -> AsyncIterator[AsyncIterator[bytes]]:
        if self.failure:
            raise self.failure
        if media_id not in self.kept:
            raise UpstreamError("131052", "Media download error", gone=True)
        yield self._pieces(self.kept[media_id])

    async def _pieces(self, pieces: list[bytes]) -> AsyncIterator[bytes]:
        for piece in pieces:
            yield piece
        if self.drips:
            await asyncio.Event().wait()
        if self.breaks_off:
            raise UpstreamError("network", "The connection broke off", retryable=True)

    async def send(self, *_: Any, **__: Any) -> Any:
        raise UpstreamError("not_asked", "Only files are asked for")

    health = submit_template = template_status = remove_template = publish_flow = deprecate_flow = (
        send
    )
