"""A platform of conversations that does as it is told and keeps what it was given."""
# ruff: noqa: ARG002  the platform calls with all of these

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from core.providers import registry
from core.providers.platform import (
    ConversationPlatform,
    OutgoingMessage,
    PlatformAcceptance,
    PlatformHealth,
    SenderAccount,
    SendReply,
)
from tests.fakes.healthy_platform import HEALTHY

NAME = "fake-platform"


@dataclass
class ScriptedPlatform:
    """Takes every message unless it is told otherwise.

    `replies`: the next answers, in order, to whatever comes; a callable is called with what was
    handed over and may wait, fail or answer by itself. `sent`: all that reached it, also what it
    declined. `uploaded`: files by name.
    """

    replies: deque[SendReply | Callable[[OutgoingMessage], Awaitable[SendReply]]] = field(
        default_factory=deque
    )
    sent: list[tuple[SenderAccount, OutgoingMessage]] = field(default_factory=list)
    uploaded: list[str] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    name: str = NAME

    async def send(self, sender: SenderAccount, outgoing: OutgoingMessage) -> SendReply:
        self.sent.append((sender, outgoing))
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await asyncio.sleep(0)
            reply = self.replies.popleft() if self.replies else None
            if callable(reply):
                return await reply(outgoing)
            return reply if reply is not None else PlatformAcceptance(f"wamid.{outgoing.id}")
        finally:
            self.at_once -= 1

    async def health(self, sender: SenderAccount) -> PlatformHealth:
        return HEALTHY

    async def upload(
        self, sender: SenderAccount, file: Path, *, mime_type: str, filename: str
    ) -> str:
        self.uploaded.append(filename)
        return f"platform-{len(self.uploaded)}"

    @asynccontextmanager
    async def download(
        self, sender: SenderAccount, media_id: str
    ) -> AsyncIterator[AsyncIterator[bytes]]:
        async def bytes_of() -> AsyncIterator[bytes]:
            yield media_id.encode()

        yield bytes_of()

    @property
    def ids(self) -> list[str]:
        """Our ids of what reached it, in order."""
        return [outgoing.id for _, outgoing in self.sent]

    @property
    def payloads(self) -> list[Any]:
        """What was said."""
        return [outgoing.payload for _, outgoing in self.sent]


@contextmanager
def conversing_by(platform: object) -> Iterator[None]:
    """Live conversations are carried by this one meanwhile."""
    before = registry.for_conversations()
    registry.converse_by(cast(ConversationPlatform, platform))
    try:
        yield
    finally:
        registry.converse_by(before)
