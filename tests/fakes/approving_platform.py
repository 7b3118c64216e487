"""A platform that templates are handed in to and flows are published on; it answers what a test
told it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from core.foundation.database.transactions import after_commit
from core.providers import registry
from core.providers.platform import (
    FlowDraft,
    PlatformHealth,
    SenderAccount,
    TemplateDraft,
    TemplateSubmission,
    UpstreamError,
)
from tests.fakes.healthy_platform import HEALTHY

Call = tuple[str, dict[str, Any]]


class ApprovingPlatform:
    """`answers` are given one after the other, then `answer` again and again; an UpstreamError is
    raised.

    What is asked is remembered in `calls`, as the name of the method and what it was told.
    """

    name = "meta"

    def __init__(self, *answers: TemplateSubmission | str | UpstreamError | None) -> None:
        self.answers = list(answers)
        self.answer: TemplateSubmission | str | UpstreamError | None = TemplateSubmission(
            "711", "pending"
        )
        self.calls: list[Call] = []

    async def _told(self, method: str, sender: SenderAccount, **told: Any) -> Any:
        outside = asyncio.Event()
        await after_commit(_setting(outside))
        assert outside.is_set(), "a call to the outside never holds a transaction open"
        self.calls.append((method, {"sender": sender.platform_id, **told}))
        answer = self.answers.pop(0) if self.answers else self.answer
        if isinstance(answer, UpstreamError):
            raise answer
        return answer

    async def health(self, _: SenderAccount) -> PlatformHealth:
        return HEALTHY

    async def submit_template(
        self, sender: SenderAccount, draft: TemplateDraft
    ) -> TemplateSubmission:
        answer: TemplateSubmission = await self._told("submit_template", sender, **asdict(draft))
        return answer

    async def template_status(self, sender: SenderAccount, template_id: str) -> TemplateSubmission:
        answer: TemplateSubmission = await self._told(
            "template_status", sender, template_id=template_id
        )
        return answer

    async def remove_template(
        self, sender: SenderAccount, *, name: str, template_id: str | None
    ) -> None:
        await self._told("remove_template", sender, name=name, template_id=template_id)

    async def publish_flow(self, sender: SenderAccount, draft: FlowDraft) -> str:
        answer: str = await self._told("publish_flow", sender, **asdict(draft))
        return answer

    async def deprecate_flow(self, sender: SenderAccount, flow_id: str) -> None:
        await self._told("deprecate_flow", sender, flow_id=flow_id)


def _setting(event: asyncio.Event) -> Callable[[], Awaitable[None]]:
    async def set() -> None:
        event.set()

    return set


@contextmanager
def conversing_by(platform: Any) -> Iterator[None]:
    """Live conversations are carried by this platform meanwhile."""
    before = registry.for_conversations()
    registry.converse_by(platform)
    try:
        yield
    finally:
        registry.converse_by(before)
