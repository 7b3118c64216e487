"""A platform that templates are handed in to and flows are published on; it answers what a test
told it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from core.foundation.database.transactions import after_commit
from core.providers import registry
from core.providers.platform import Health, Line, Submitted, Upstream
from tests.fakes.healthy_platform import HEALTHY

Call = tuple[str, dict[str, Any]]


class ApprovingPlatform:
    """`answers` are given one after the other, then `answer` again and again; an Upstream is
    raised.

    What is asked is remembered in `calls`, as the name of the method and what it was told.
    """

    name = "meta"

    def __init__(self, *answers: Submitted | str | Upstream | None) -> None:
        self.answers = list(answers)
        self.answer: Submitted | str | Upstream | None = Submitted("711", "pending")
        self.calls: list[Call] = []

    async def _told(self, method: str, line: Line, **told: Any) -> Any:
        outside = asyncio.Event()
        await after_commit(_setting(outside))
        assert outside.is_set(), "a call to the outside never holds a transaction open"
        self.calls.append((method, {"line": line.platform_id, **told}))
        answer = self.answers.pop(0) if self.answers else self.answer
        if isinstance(answer, Upstream):
            raise answer
        return answer

    async def health(self, _: Line) -> Health:
        return HEALTHY

    async def submit_template(self, line: Line, **told: Any) -> Submitted:
        answer: Submitted = await self._told("submit_template", line, **told)
        return answer

    async def template_status(self, line: Line, template_id: str) -> Submitted:
        answer: Submitted = await self._told("template_status", line, template_id=template_id)
        return answer

    async def remove_template(self, line: Line, *, name: str, template_id: str | None) -> None:
        await self._told("remove_template", line, name=name, template_id=template_id)

    async def publish_flow(
        self,
        line: Line,
        *,
        flow_id: str | None,
        name: str,
        categories: Sequence[str],
        flow_json: Mapping[str, Any],
    ) -> str:
        told = {
            "flow_id": flow_id,
            "name": name,
            "categories": list(categories),
            "flow_json": flow_json,
        }
        answer: str = await self._told("publish_flow", line, **told)
        return answer

    async def deprecate_flow(self, line: Line, flow_id: str) -> None:
        await self._told("deprecate_flow", line, flow_id=flow_id)


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
