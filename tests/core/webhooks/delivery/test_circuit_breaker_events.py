"""What the record of a subscription tells of its health: since when, why, and what happens next."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from core import organizations, webhooks
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.http_client import PostResult
from core.foundation.security.caller import Caller
from core.webhooks.delivery.attempt import outcome_of
from core.webhooks.delivery.circuit_breaker import revoke_unrecoverable
from core.webhooks.delivery.claim import claim_probes
from core.webhooks.delivery.pause import resume_queues
from core.webhooks.delivery.save_outcomes import save_outcomes
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_subscription, an_event
from tests.support.claims import claim_due
from tests.support.receiver import Receiver
from tests.support.subscriptions import changed

pytestmark = pytest.mark.usefixtures("clean_slate")

MINUTE = timedelta(minutes=1)
FIELDS = ("failuresSince", "failingSince", "nextProbeAt", "revokesAt", "revokedReason")


@pytest.fixture
async def caller() -> Caller:
    return await a_caller()


async def told(caller: Caller, id: str) -> dict[str, object]:
    """What the record says of the health, which the list says as well."""
    one = await webhooks.get_subscription(caller, id)
    (same,) = (await webhooks.list_subscriptions(caller, webhooks.SubscriptionFilter()))["items"]
    assert same == one
    return {name: value for name, value in one.items() if name in ("status", *FIELDS)}


async def failed(
    caller: Caller, *minutes: int, url: str = "http://127.0.0.1:9009/hooks"
) -> tuple[str, datetime]:
    """A subscription whose delivery failed at these minutes, and when they are counted from."""
    id: str = (await a_subscription(caller, url))["webhook"]["id"]
    await an_event(caller)
    (due,) = await claim_due(at=now(), limit=1)
    at = now()
    for number, minute in enumerate(minutes):
        await save_outcomes(
            [outcome_of(replace(due, attempts=number), PostResult(500, 9), at=at + minute * MINUTE)]
        )
    return id, at


async def probed(at: datetime, reply: PostResult) -> None:
    (probe,) = await claim_probes(at=at, limit=10)
    await save_outcomes([outcome_of(probe, reply, at=at)])


async def test_without_a_failure_there_is_nothing_to_tell(caller: Caller) -> None:
    id, _ = await failed(caller)

    assert await told(caller, id) == {"status": "active"}


async def test_failures_are_told_from_the_first_one_on(caller: Caller) -> None:
    id, at = await failed(caller, 0, 4)

    assert await told(caller, id) == {"status": "active", "failuresSince": wire_time(at)}


async def test_a_failing_one_tells_since_when_when_it_is_tried_and_when_it_is_revoked(
    caller: Caller,
) -> None:
    id, at = await failed(caller, 0, 4, 8, 12, 16)

    failing = {
        "status": "failing",
        "failuresSince": wire_time(at),
        "failingSince": wire_time(at + 16 * MINUTE),
        "revokesAt": wire_time(at + 16 * MINUTE + timedelta(days=5)),
    }
    assert await told(caller, id) == {**failing, "nextProbeAt": wire_time(at + 17 * MINUTE)}

    await probed(at + 17 * MINUTE, PostResult(503, 9, retry_after=600))
    assert await told(caller, id) == {**failing, "nextProbeAt": wire_time(at + 27 * MINUTE)}


async def test_it_is_revoked_when_it_was_told_and_the_reason_stays(caller: Caller) -> None:
    id, at = await failed(caller, 0, 4, 8, 12, 16)
    told_before = (await webhooks.get_subscription(caller, id))["revokesAt"]
    revokes_at = datetime.fromisoformat(told_before)

    assert await revoke_unrecoverable(at=revokes_at - timedelta(seconds=1)) == 0
    assert await revoke_unrecoverable(at=revokes_at + timedelta(milliseconds=1)) == 1

    assert await told(caller, id) == {
        "status": "revoked",
        "failuresSince": wire_time(at),
        "revokedReason": "failing",
    }


async def test_the_first_success_leaves_nothing_of_it_though_a_backlog_waits(
    caller: Caller,
) -> None:
    id, at = await failed(caller, 0, 4, 8, 12, 16)
    await an_event(caller)
    await claim_due(at=at + timedelta(hours=5), limit=10)

    await probed(at + 17 * MINUTE, PostResult(200, 9))
    assert await told(caller, id) == {"status": "active"}

    await resume_queues(at=at + 17 * MINUTE)
    assert await told(caller, id) == {"status": "active"}


async def test_a_gone_endpoint_is_told_as_the_reason(caller: Caller) -> None:
    id, at = await failed(caller, 0, 4, 8, 12, 16)

    await probed(at + 17 * MINUTE, PostResult(410, 9))

    assert await told(caller, id) == {
        "status": "revoked",
        "failuresSince": wire_time(at),
        "revokedReason": "gone",
    }


async def test_a_suspended_organization_is_told_as_the_reason(caller: Caller) -> None:
    id, _ = await failed(caller)
    await db.execute(
        "UPDATE organizations SET status = 'suspended' WHERE id = $1", caller.organization_id
    )

    await organizations.revoke_unrecoverable_webhooks(at=now())

    assert await told(caller, id) == {"status": "revoked", "revokedReason": "suspended"}


async def test_the_answer_of_a_change_tells_the_health_since(
    caller: Caller, receiver: Receiver
) -> None:
    id, at = await failed(caller, 0, 4, 8, 12, 16, url=receiver.url)

    described = await changed(caller, id, description="new")
    assert described["failingSince"] == wire_time(at + 16 * MINUTE)

    paused = await changed(caller, id, status="paused")
    assert {name: value for name, value in paused.items() if name in FIELDS} == {
        "failuresSince": wire_time(at)
    }

    await db.execute("UPDATE webhook_subscriptions SET status = 'revoked', revoked_reason = 'gone'")
    assert (await changed(caller, id, description="newer"))["revokedReason"] == "gone"

    resumed = await changed(caller, id, status="active")
    assert not set(FIELDS) & set(resumed)
