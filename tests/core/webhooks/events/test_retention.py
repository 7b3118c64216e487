"""Events past their 30 days go, with their deliveries."""

from datetime import timedelta

import pytest

from core import webhooks
from core.foundation.clock import now
from core.foundation.database import db
from core.webhooks.events import retention
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_subscription

pytestmark = pytest.mark.usefixtures("clean_slate")


async def test_events_go_after_thirty_days_and_not_before() -> None:
    caller, at = await a_caller(), now()
    await a_subscription(caller, events=["sms.delivered"])
    for days in (29.999, 30.001, 45):
        await webhooks.publish(caller, "sms.delivered", {"id": str(days)}, at=at)
        await db.execute(
            "UPDATE webhook_events SET created_at = $1 WHERE data ->> 'id' = $2",
            at - timedelta(days=days),
            str(days),
        )

    assert await webhooks.delete_expired_events(at=at) == 2
    assert await webhooks.delete_expired_events(at=at) == 0

    assert [row["data"]["id"] for row in await db.fetch("SELECT data FROM webhook_events")] == [
        "29.999"
    ]
    assert await db.fetchval("SELECT count(*) FROM webhook_deliveries") == 1


async def test_a_batch_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    caller, at = await a_caller(), now()
    monkeypatch.setattr(retention, "BATCH_SIZE", 2)
    for number in range(3):
        await webhooks.publish(caller, "sms.delivered", {"id": str(number)}, at=at)
    await db.execute("UPDATE webhook_events SET created_at = $1", at - timedelta(days=31))

    assert [await webhooks.delete_expired_events(at=at) for _ in range(3)] == [2, 1, 0]
