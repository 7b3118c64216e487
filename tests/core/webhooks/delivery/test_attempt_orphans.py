"""A delivery whose subscription was removed meanwhile."""

from datetime import timedelta

import pytest

from core import webhooks
from core.foundation.clock import now
from core.foundation.database import db
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_subscription
from tests.support.claims import claim_due

pytestmark = pytest.mark.usefixtures("clean_slate")


async def test_a_delivery_without_its_subscription_is_dropped_and_others_are_claimed() -> None:
    caller = await a_caller()
    gone = (await a_subscription(caller))["webhook"]["id"]
    kept = (await a_subscription(caller))["webhook"]["id"]
    await webhooks.publish(caller, "sms.delivered", {"id": "msg_1", "env": "test"}, at=now())
    await db.execute("DELETE FROM webhook_subscriptions WHERE id = $1", gone)

    claimed = await claim_due(at=now() + timedelta(seconds=1), limit=10)

    assert [due.subscription_id for due in claimed] == [kept]
    left = await db.fetch("SELECT subscription_id FROM webhook_deliveries")
    assert [row["subscription_id"] for row in left] == [kept]
