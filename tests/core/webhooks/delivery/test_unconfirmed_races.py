"""Workers that claim for an unconfirmed address at the same time."""

import asyncio

from core.foundation.clock import now
from core.webhooks.delivery.unconfirmed import MAX_PER_HOST, UnconfirmedTarget, reserve


async def test_they_get_no_more_together_than_one_of_them(real_commits: None) -> None:
    at = now()
    target = UnconfirmedTarget("wbh_1", "org_1", "example.com", 30)

    answers = await asyncio.gather(*(reserve([target], at=at) for _ in range(8)))

    assert sum(granted.get("wbh_1", 0) for granted, _ in answers) == MAX_PER_HOST
