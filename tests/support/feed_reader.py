"""A reader of the event feed as docs/webhooks.md has it: keep the cursor, or the one of a 410, and
ask again.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from tests.support.customer import Customer

PAUSE = 0.05


@dataclass
class FeedReader:
    """What it was told, in order."""

    customer: Customer
    told: list[dict[str, Any]] = field(default_factory=list)
    cursor: str = ""
    lost_cursors: int = 0
    """How often the service said that the cursor is of a time that was lost."""

    before_lost: int = 0
    """How many events it had been told then."""

    @property
    def told_since_lost(self) -> list[str]:
        """The ids of what it was told from the cursor on that the service gave it instead."""
        return self.ids[self.before_lost :]

    @property
    def ids(self) -> list[str]:
        """Of each event that was told, repeats included."""
        return [event["id"] for event in self.told]

    async def look(self) -> None:
        """Ask once."""
        where = f"&cursor={self.cursor}" if self.cursor else ""
        answer = await self.customer.call("GET", f"/v2/event-feed?limit=200{where}")
        if answer.status == 200:
            self.told += answer.body["items"]
            self.cursor = answer.body["nextCursor"]
        elif answer.status == 410:
            self.lost_cursors += 1
            self.before_lost = len(self.told)
            self.cursor = answer.body["meta"]["cursor"]
        else:
            assert answer.status == 503, answer


@asynccontextmanager
async def reading(customer: Customer) -> AsyncIterator[FeedReader]:
    """Read all the time while the block runs."""
    reader = FeedReader(customer)

    async def keep_reading() -> None:
        while True:
            await reader.look()
            await asyncio.sleep(PAUSE)

    task = asyncio.create_task(keep_reading())
    try:
        yield reader
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
