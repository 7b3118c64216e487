"""Several replays at the same time."""

import asyncio
from datetime import timedelta

from core import webhooks
from core.foundation.clock import now
from core.foundation.database import db
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_subscription, an_event
from tests.support.subscriptions import confirmed


async def test_who_asks_for_a_time_at_the_same_time_sends_nothing_twice(real_commits: None) -> None:
    caller = await a_caller()
    id = str((await a_subscription(caller))["webhook"]["id"])
    await confirmed(id)
    for _ in range(20):
        await an_event(caller)
    await db.execute(
        "UPDATE webhook_deliveries SET status = 'morta', due_at = NULL WHERE subscription_id = $1",
        id,
    )
    time = {"from": now() - timedelta(days=1), "to": now()}
    wanted = webhooks.Replay.model_validate(time)

    answers = await asyncio.gather(
        *(webhooks.replay_deliveries(caller, id, wanted) for _ in range(6))
    )

    assert sorted(answer["requested"] for answer in answers) == [0, 0, 0, 0, 0, 20]
