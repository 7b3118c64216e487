"""Resuming a revoked subscription: its endpoint has to answer a signed ping first."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from core import webhooks
from core.foundation.database import db
from core.foundation.errors import NotFound, ValidationFailed
from core.foundation.security.caller import Caller
from core.webhooks import SubscriptionStatus, WebhookDelivery, WebhookSubscription
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_subscription, an_event
from tests.support.receiver import Receiver, a_receiver, signed_by
from tests.support.subscriptions import (
    changed,
    deliver_all,
    everything_of,
    make,
    refused_fields,
    the_changes,
)
from tests.support.waiting import eventually

OPEN_TRANSACTIONS = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND usename = current_user AND application_name = 'svc'
  AND xact_start IS NOT NULL AND pid <> pg_backend_pid()
"""


async def a_revoked_subscription(
    caller: Caller, receiver: Receiver, **fields: Any
) -> tuple[str, str]:
    """Its id and its secret."""
    made = await a_subscription(caller, receiver.url, **fields)
    await make(made["webhook"]["id"], SubscriptionStatus.REVOKED, failures=9)
    return made["webhook"]["id"], made["reveal"]["secret"]


async def test_a_revoked_subscription_is_resumed_by_a_signed_ping(clean_slate: None) -> None:
    caller = await a_caller()
    async with a_receiver() as receiver:
        id, secret = await a_revoked_subscription(
            caller, receiver, headers=[{"key": "X-Tenant", "value": "a"}]
        )

        record = await changed(caller, id, status="active")

        assert (record["status"], record["consecutiveFailures"]) == ("active", 0)
        (ping,) = receiver.arrivals
        assert signed_by(secret, ping)
        assert (ping.headers["x-svc-event"], ping.headers["x-svc-webhook-id"]) == (
            "webhook.ping",
            id,
        )
        assert ping.headers["x-tenant"] == "a"
        assert ping.event == {
            "id": ping.headers["webhook-id"],
            "type": "webhook.ping",
            "timestamp": ping.event["timestamp"],
            "env": "test",
            "organizationId": caller.organization_id,
            "apiVersion": record["apiVersion"],
            "data": {},
        }
        assert await WebhookDelivery.all().count() == 0


async def test_the_ping_carries_the_headers_that_the_change_brings(clean_slate: None) -> None:
    caller = await a_caller()
    async with a_receiver() as receiver:
        stored = [
            {"key": "X-Kept", "value": "old"},
            {"key": "Authorization", "value": "Bearer old"},
        ]
        id, _ = await a_revoked_subscription(caller, receiver, headers=stored)
        receiver.answer = lambda arrival: (
            200 if arrival.headers.get("authorization") == "Bearer new" else 401
        )

        record = await changed(
            caller,
            id,
            status="active",
            headers=[
                {"key": "Authorization", "value": "Bearer new"},
                {"key": "X-Kept", "value": "***"},
            ],
        )

        assert record["status"] == "active"
        assert [arrival.headers["x-kept"] for arrival in receiver.arrivals] == ["old"]


@pytest.mark.parametrize("status", [410, 500, 302])
async def test_a_ping_that_is_not_answered_with_2xx_leaves_everything_as_it_was(
    clean_slate: None, status: int
) -> None:
    caller = await a_caller()
    async with a_receiver() as receiver:
        id, _ = await a_revoked_subscription(caller, receiver)
        receiver.answer = lambda _: status
        before = await everything_of(id)

        with pytest.raises(ValidationFailed) as refusal:
            await changed(caller, id, status="active", description="new", events=["sms.failed"])

        assert refusal.value.meta == {"motivo": "non_2xx"}
        assert refused_fields(refusal.value) == [("/status", "non_2xx")]
        assert await everything_of(id) == before


async def test_an_endpoint_that_is_not_there_is_told_as_unreachable(clean_slate: None) -> None:
    caller = await a_caller()
    async with a_receiver() as receiver:
        id, _ = await a_revoked_subscription(caller, receiver)

    with pytest.raises(ValidationFailed) as refusal:
        await changed(caller, id, status="active")

    assert refusal.value.meta == {"motivo": "unreachable"}
    assert (await WebhookSubscription.get(id=id)).status is SubscriptionStatus.REVOKED


async def test_an_address_that_is_not_allowed_any_more_is_not_called(clean_slate: None) -> None:
    caller = await a_caller()
    async with a_receiver() as receiver:
        id, _ = await a_revoked_subscription(caller, receiver)
        await WebhookSubscription.filter(id=id).update(url="https://10.0.0.1/hooks")

        with pytest.raises(ValidationFailed) as refusal:
            await changed(caller, id, status="active")

        assert refusal.value.meta == {"motivo": "ssrf_blocked"}


async def test_a_revoked_subscription_cannot_be_paused_around_its_ping(clean_slate: None) -> None:
    caller = await a_caller()
    async with a_receiver() as receiver:
        id, _ = await a_revoked_subscription(caller, receiver)
        before = await everything_of(id)

        with pytest.raises(ValidationFailed) as refusal:
            await changed(caller, id, status="paused", headers=[{"key": "X-A", "value": "***"}])

        assert refused_fields(refusal.value) == [
            ("/headers/0/value", "VALOR_MASCARADO"),
            ("/status", "not_allowed"),
        ]
        assert await everything_of(id) == before
        assert receiver.arrivals == []


async def test_other_fields_of_a_revoked_subscription_change_without_a_ping(
    clean_slate: None,
) -> None:
    caller = await a_caller()
    async with a_receiver() as receiver:
        id, _ = await a_revoked_subscription(caller, receiver)

        record = await changed(caller, id, description="new")

        assert (record["status"], record["description"]) == ("revoked", "new")
        assert receiver.arrivals == []


async def test_what_waited_is_delivered_once_the_revoked_subscription_is_active(
    clean_slate: None,
) -> None:
    caller = await a_caller()
    async with a_receiver() as receiver:
        made = await a_subscription(caller, receiver.url)
        await an_event(caller)
        await make(made["webhook"]["id"], SubscriptionStatus.REVOKED)
        await deliver_all()
        assert receiver.arrivals == []

        await changed(caller, made["webhook"]["id"], status="active")
        await deliver_all()

        assert [event["type"] for event in receiver.events()] == ["webhook.ping", "sms.delivered"]


async def while_the_ping_is_under_way(
    caller: Caller, id: str, receiver: Receiver, meanwhile: Callable[[], Awaitable[object]]
) -> webhooks.SubscriptionRecord:
    """Resume a revoked subscription, do something before the endpoint answers; the outcome of the
    resumption.
    """
    receiver.hold()
    resuming = asyncio.create_task(changed(caller, id, status="active"))
    await eventually(lambda: receiver.waiting == 1, "the ping arrives")
    try:
        await asyncio.wait_for(meanwhile(), 10)
    finally:
        receiver.release()
    return await resuming


async def test_no_transaction_is_open_during_the_ping(real_commits: None) -> None:
    caller = await a_caller()
    async with a_receiver() as receiver:
        id, _ = await a_revoked_subscription(caller, receiver)
        open_ones: list[int] = []

        async def look() -> None:
            open_ones.append(await db.fetchval(OPEN_TRANSACTIONS))
            await changed(caller, id, description="meanwhile")

        record = await while_the_ping_is_under_way(caller, id, receiver, look)

        assert open_ones == [0]
        assert (record["status"], record["description"]) == ("active", "meanwhile")
        assert len(receiver.arrivals) == 1


async def test_a_subscription_removed_during_the_ping_is_not_found(real_commits: None) -> None:
    caller = await a_caller()
    async with a_receiver() as receiver:
        id, _ = await a_revoked_subscription(caller, receiver)

        with pytest.raises(NotFound):
            await while_the_ping_is_under_way(
                caller, id, receiver, lambda: webhooks.unsubscribe(caller, id)
            )


async def test_a_header_that_lost_its_stored_value_during_the_ping_is_refused(
    real_commits: None,
) -> None:
    caller = await a_caller()
    async with a_receiver() as receiver:
        id, _ = await a_revoked_subscription(
            caller, receiver, headers=[{"key": "X-A", "value": "1"}]
        )
        receiver.hold()
        keeping = the_changes(status="active", headers=[{"key": "X-A", "value": "***"}])
        resuming = asyncio.create_task(webhooks.change_subscription(caller, id, keeping))
        await eventually(lambda: receiver.waiting == 1, "the ping arrives")

        await changed(caller, id, headers=[])
        receiver.release()

        with pytest.raises(ValidationFailed):
            await resuming
        assert (await WebhookSubscription.get(id=id)).status is SubscriptionStatus.REVOKED


async def test_changes_at_the_same_time_keep_each_others_fields(real_commits: None) -> None:
    caller = await a_caller()
    id = (await a_subscription(caller, headers=[{"key": "X-A", "value": "1"}]))["webhook"]["id"]

    await asyncio.gather(
        changed(caller, id, description="new"),
        changed(caller, id, events=["sms.failed"]),
        changed(caller, id, status="paused"),
        changed(caller, id, headers=[{"key": "X-A", "value": "***"}, {"key": "X-B", "value": "2"}]),
        changed(caller, id, retry={"maxAttempts": 2, "backoffSeconds": 60}),
    )

    record = await webhooks.get_subscription(caller, id)
    assert (record["description"], record["events"], record["status"]) == (
        "new",
        ["sms.failed"],
        "paused",
    )
    assert [header["key"] for header in record["headers"]] == ["X-A", "X-B"]
    assert record["retry"] == {"maxAttempts": 2, "backoffSeconds": 60}
