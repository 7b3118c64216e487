"""A platform that only tells how numbers fare."""

import asyncio
from typing import cast

from core.providers.platform import (
    ConversationPlatform,
    PlatformHealth,
    SenderAccount,
    UpstreamError,
)

HEALTHY = PlatformHealth(
    connected=True,
    flagged=False,
    quality_rating="green",
    messaging_tier="tier_10k",
    verified_name="Loja",
    name_status="approved",
    profile={"about": "Pedidos e entregas", "vertical": "RETAIL"},
    throughput="standard",
    can_send=True,
)


class Answers:
    """`answer` is what it says, or raises; None: it says nothing. `asked`: our id, its own, the
    token, each time.
    """

    def __init__(self, answer: PlatformHealth | UpstreamError | None = HEALTHY) -> None:
        self.answer = answer
        self.asked: list[tuple[str, str, str | None]] = []

    async def health(self, sender: SenderAccount) -> PlatformHealth:
        self.asked.append((sender.id, sender.platform_id, sender.token))
        if self.answer is None:
            await asyncio.Event().wait()
        if isinstance(self.answer, UpstreamError):
            raise self.answer
        assert self.answer is not None
        return self.answer

    def as_platform(self) -> ConversationPlatform:
        """Itself, for who never asks for more."""
        return cast(ConversationPlatform, self)
