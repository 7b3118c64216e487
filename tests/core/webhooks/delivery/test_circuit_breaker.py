"""The circuit breaker of a subscription: failing after a while of failures, tried once a minute, back or
given up.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from core import organizations, webhooks
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.http_client import PostResult
from core.foundation.jobs import Job
from core.foundation.security.caller import Caller
from core.webhooks import WebhookSubscription
from core.webhooks.delivery.attempt import outcome_of
from core.webhooks.delivery.circuit_breaker import revoke_unrecoverable
from core.webhooks.delivery.claim import DueDelivery, claim_probes
from core.webhooks.delivery.pause import resume_queues
from core.webhooks.delivery.save_outcomes import save_outcomes
from core.webhooks.delivery.slow_start import DELAY_SECONDS
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_subscription, an_event
from tests.fakes.queue import RecordedQueue
from tests.support.claims import claim_due
from tests.support.subscriptions import changed, make
from tests.support.waiting import eventually

pytestmark = pytest.mark.usefixtures("clean_slate")

OK, BROKEN, GONE = PostResult(200, 12), PostResult(500, 12, body="out of order"), PostResult(410, 3)
MINUTE = timedelta(minutes=1)


@pytest.fixture
async def caller() -> Caller:
    return await a_caller()


async def subscribed(caller: Caller, events: int = 1) -> str:
    """A subscription with so many deliveries, each a second older than the next."""
    id: str = (await a_subscription(caller))["webhook"]["id"]
    at = now() - timedelta(hours=1)
    for number in range(events):
        await an_event(caller, at=at + timedelta(seconds=number), n=number)
    return id


async def the(id: str) -> WebhookSubscription:
    return await WebhookSubscription.get(id=id)


async def the_deliveries(id: str) -> list[dict[str, Any]]:
    """In the order of their events."""
    rows = await db.fetch(
        "SELECT * FROM webhook_deliveries WHERE subscription_id = $1 ORDER BY created_at, id", id
    )
    return [dict(row) for row in rows]


async def the_attempts() -> list[dict[str, Any]]:
    return [dict(row) for row in await db.fetch("SELECT * FROM webhook_attempts ORDER BY id")]


async def told() -> list[tuple[str, str, dict[str, Any]]]:
    """(action, who, facts) of what the service did to subscriptions."""
    rows = await db.fetch("SELECT * FROM audit_entries WHERE action = 'webhook.revoked'")
    return [(row["subject_id"], row["actor_kind"], row["facts"]) for row in rows]


async def failed(due: DueDelivery, at: datetime, reply: PostResult = BROKEN) -> None:
    await save_outcomes([outcome_of(due, reply, at=at)])


async def failing(caller: Caller, events: int = 3) -> tuple[str, datetime]:
    """A subscription that has just turned failing, and when it did."""
    id = await subscribed(caller, events)
    (due, *_) = await claim_due(at=now(), limit=1)
    at = now()
    for number in range(5):
        await failed(replace(due, attempts=number), at + number * 4 * MINUTE)
    assert (await the(id)).status == "failing"
    return id, at + 16 * MINUTE


async def probed(at: datetime) -> DueDelivery:
    (probe,) = await claim_probes(at=at, limit=10)
    return probe


# Becoming failing ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("minutes", "status"),
    [
        ([0, 4, 8, 15], "active"),
        ([0, 1, 2, 3, 4], "active"),
        ([0, 1, 2, 3, 14.9], "active"),
        ([0, 1, 2, 3, 15], "failing"),
        ([0, 1, 2, 3, 4, 15], "failing"),
    ],
)
async def test_five_failures_and_a_quarter_of_an_hour_make_a_subscription_failing(
    caller: Caller, minutes: list[float], status: str
) -> None:
    id = await subscribed(caller)
    (due,) = await claim_due(at=now(), limit=1)
    at = now()

    for number, minute in enumerate(minutes):
        await failed(replace(due, attempts=number), at + minute * MINUTE)

    subscription = await the(id)
    assert (subscription.status, subscription.consecutive_failures) == (status, len(minutes))
    assert subscription.failures_since == at
    turned = at + minutes[-1] * MINUTE if status == "failing" else None
    assert subscription.failing_since == turned
    assert subscription.probe_at == (turned + MINUTE if turned else None)
    assert (subscription.updated_at == turned) == (status == "failing"), (
        "an attempt alone is no change"
    )


async def test_a_success_in_between_begins_the_count_anew(caller: Caller) -> None:
    id = await subscribed(caller, 2)
    first, second = await claim_due(at=now(), limit=2)
    at = now()
    for number in range(4):
        await failed(replace(first, attempts=number), at + number * 10 * MINUTE)
    await save_outcomes([outcome_of(second, OK, at=at + 31 * MINUTE)])

    await failed(replace(first, attempts=4), at + 40 * MINUTE)

    subscription = await the(id)
    assert (subscription.status, subscription.consecutive_failures) == ("active", 1)
    assert subscription.failures_since == at + 40 * MINUTE


async def test_one_dead_delivery_does_not_make_a_subscription_failing(caller: Caller) -> None:
    id = (await a_subscription(caller, retry={"maxAttempts": 1, "backoffSeconds": 5}))["webhook"][
        "id"
    ]
    await an_event(caller)
    (due,) = await claim_due(at=now(), limit=1)

    await failed(due, now() + timedelta(days=1))

    assert (await the_deliveries(id))[0]["status"] == "morta"
    assert (await the(id)).status == "active"


async def test_a_paused_subscription_does_not_turn_failing_by_what_was_under_way(
    caller: Caller,
) -> None:
    id = await subscribed(caller)
    (due,) = await claim_due(at=now(), limit=1)
    await changed(caller, id, status="paused")
    at = now()

    for number in range(5):
        await failed(replace(due, attempts=number), at + number * 5 * MINUTE)

    assert (await the(id)).status == "paused"
    assert (await the(id)).probe_at is None


# While failing ------------------------------------------------------------------------------------


async def test_what_comes_due_while_failing_waits_and_spends_no_attempt(caller: Caller) -> None:
    id, at = await failing(caller, events=3)

    assert await claim_due(at=at + timedelta(hours=5), limit=10) == []

    assert [(row["due_at"], row["attempts"]) for row in await the_deliveries(id)] == [
        (None, 5),
        (None, 0),
        (None, 0),
    ]


async def test_new_events_of_a_failing_subscription_are_queued_and_wait(caller: Caller) -> None:
    id, at = await failing(caller, events=1)
    await an_event(caller)

    assert await claim_due(at=at + timedelta(hours=5), limit=10) == []

    assert (await the_deliveries(id))[-1]["status"] == "pendente"


async def test_the_oldest_delivery_is_the_probe_once_a_minute(caller: Caller) -> None:
    _, at = await failing(caller, events=3)
    assert await claim_probes(at=at, limit=10) == [], "its minute is not over"
    at += MINUTE

    probe = await probed(at)
    meanwhile = await claim_probes(at=at + timedelta(seconds=59), limit=10)
    await failed(probe, at)
    again = await probed(at + MINUTE)

    assert probe.probe
    assert probe.data["n"] == 0
    assert meanwhile == []
    assert again == probe


async def test_the_oldest_is_found_among_those_that_are_paused(caller: Caller) -> None:
    _, at = await failing(caller, events=3)
    await claim_due(at=at + timedelta(hours=5), limit=10)

    assert (await probed(at + MINUTE)).data["n"] == 0


async def test_a_failed_probe_spends_no_attempt_and_is_logged_as_one(caller: Caller) -> None:
    id, at = await failing(caller, events=1)
    probe = await probed(at + MINUTE)
    before = (await the_deliveries(id))[0]

    await failed(probe, at + MINUTE)
    await failed(probe, at + MINUTE)

    after = (await the_deliveries(id))[0]
    assert (
        (after["status"], after["attempts"])
        == (before["status"], before["attempts"])
        == ("falhando", 5)
    )
    assert after["finished_at"] is None
    last = (await the_attempts())[-1]
    assert (last["number"], last["probe"], last["status_code"], last["response_body"]) == (
        6,
        True,
        500,
        "out of order",
    )
    assert (await the(id)).consecutive_failures == 6, "counted once"


async def test_probes_outlast_the_attempts_of_their_delivery(caller: Caller) -> None:
    id, at = await failing(caller, events=1)
    for number in range(1, 20):
        await failed(await probed(at + number * MINUTE), at + number * MINUTE)

    assert (await the_deliveries(id))[0]["status"] == "falhando"


async def test_a_failing_receiver_may_ask_for_time_too(caller: Caller) -> None:
    _, at = await failing(caller, events=1)
    at += MINUTE

    await failed(await probed(at), at, PostResult(503, 5, retry_after=600))

    assert await claim_probes(at=at + 9 * MINUTE, limit=10) == []
    assert await claim_probes(at=at + 10 * MINUTE, limit=10) != []


async def test_without_anything_to_deliver_the_probe_waits_for_a_delivery(caller: Caller) -> None:
    id, at = await failing(caller, events=1)
    await db.execute("UPDATE webhook_deliveries SET status = 'morta', due_at = NULL")
    at += MINUTE
    assert await claim_probes(at=at, limit=10) == []
    await an_event(caller, n=9)

    assert (await probed(at + MINUTE)).data["n"] == 9
    assert (await the(id)).status == "failing"


async def test_no_two_workers_probe_one_subscription(caller: Caller) -> None:
    _, at = await failing(caller, events=3)

    assert len(await claim_probes(at=at + MINUTE, limit=10)) == 1
    assert await claim_probes(at=at + MINUTE, limit=10) == []


# Back again ---------------------------------------------------------------------------------------


async def test_the_first_success_makes_it_active_and_wakes_whoever_takes_up_the_backlog(
    caller: Caller, queue: RecordedQueue
) -> None:
    id, at = await failing(caller, events=3)
    at += MINUTE

    await save_outcomes([outcome_of(await probed(at), OK, at=at)])

    subscription = await the(id)
    assert (subscription.status, subscription.consecutive_failures) == ("active", 0)
    assert subscription.failures_since is subscription.failing_since is None
    assert subscription.last_success_at == subscription.updated_at == at
    assert (await the_deliveries(id))[0]["status"] == "entregue"


async def test_a_success_that_was_under_way_counts_as_well(caller: Caller) -> None:
    id = await subscribed(caller, 2)
    first, second = await claim_due(at=now(), limit=2)
    at = now()
    for number in range(5):
        await failed(replace(first, attempts=number), at + number * 4 * MINUTE)
    assert (await the(id)).status == "failing"

    await save_outcomes([outcome_of(second, OK, at=at + 17 * MINUTE)])

    assert (await the(id)).status == "active"


async def test_the_backlog_goes_out_along_the_curve_oldest_first(caller: Caller) -> None:
    id, at = await failing(caller, events=25)
    await claim_due(at=at + timedelta(hours=5), limit=100)
    at += MINUTE
    await save_outcomes([outcome_of(await probed(at), OK, at=at)])

    assert await resume_queues(at=at) == 1
    assert await resume_queues(at=at) == 0

    waiting = [row["due_at"] for row in await the_deliveries(id) if row["status"] != "entregue"]
    assert waiting == [at + timedelta(seconds=seconds_until(place)) for place in range(24)]


async def test_what_is_stopped_again_before_it_is_resumed_stays_paused(caller: Caller) -> None:
    id, at = await failing(caller, events=3)
    await claim_due(at=at + timedelta(hours=5), limit=100)
    await changed(caller, id, status="active")
    await changed(caller, id, status="paused")

    assert await resume_queues(at=now()) == 0

    assert {row["due_at"] for row in await the_deliveries(id)} == {None}


async def test_resuming_a_failing_one_starts_afresh_and_takes_up_its_backlog(
    caller: Caller, queue: RecordedQueue
) -> None:
    id, at = await failing(caller, events=3)
    await claim_due(at=at + timedelta(hours=5), limit=100)

    await changed(caller, id, status="active")
    resumed = now()
    await resume_queues(at=resumed)

    subscription = await the(id)
    assert (subscription.status, subscription.consecutive_failures) == ("active", 0)
    assert (
        subscription.failures_since is subscription.failing_since is subscription.probe_at is None
    )
    assert [row["due_at"] for row in await the_deliveries(id)] == [
        resumed + timedelta(seconds=seconds) for seconds in (0, 0.1, 0.2)
    ]


async def test_pausing_a_failing_one_ends_its_probes(caller: Caller) -> None:
    id, at = await failing(caller)

    await changed(caller, id, status="paused")

    assert await claim_probes(at=at + timedelta(days=1), limit=10) == []
    assert (await the(id)).failing_since is None


@pytest.mark.parametrize(
    ("place", "seconds"), [(0, 0), (1, 0.1), (100, 10), (300, 20), (700, 30), (500, 25)]
)
def test_a_backlog_goes_out_at_ten_a_second_and_doubles_every_ten_seconds(
    place: int, seconds: float
) -> None:
    assert seconds_until(place) == pytest.approx(seconds)


async def test_the_database_computes_the_same_curve() -> None:
    rows = await db.fetch(
        f"SELECT n, {DELAY_SECONDS.format(n='n')} AS s FROM generate_series(0::bigint, 200000, 37) AS n"
    )
    assert [row["s"] for row in rows] == pytest.approx([seconds_until(row["n"]) for row in rows])


def seconds_until(place: int) -> float:
    """Slow start, step by step: when the delivery at this place, counted from 0, goes out."""
    begun, faster = 0, 1
    seconds = 0.0
    while place >= begun + 100 * faster:
        begun, faster, seconds = begun + 100 * faster, faster * 2, seconds + 10
    return seconds + (place - begun) / (10 * faster)


# Given up -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("before", ["active", "paused"])
async def test_gone_revokes_at_once_and_the_audit_trail_says_so(
    caller: Caller, before: str
) -> None:
    id = await subscribed(caller, 2)
    (due,) = await claim_due(at=now(), limit=1)
    await make(id, before)

    await save_outcomes([outcome_of(due, GONE, at=now())])

    subscription = await the(id)
    assert (subscription.status, subscription.revoked_reason) == ("revoked", "gone")
    assert await told() == [(id, "system", {"reason": "gone"})]


async def test_a_probe_that_is_told_gone_revokes_too(caller: Caller) -> None:
    id, at = await failing(caller)
    at += MINUTE

    await failed(await probed(at), at, GONE)

    subscription = await the(id)
    assert (subscription.status, subscription.failing_since, subscription.probe_at) == (
        "revoked",
        None,
        None,
    )
    assert len(await told()) == 1


async def test_what_was_queued_for_a_revoked_one_stays_and_what_happens_then_is_held_back(
    caller: Caller,
) -> None:
    id = await subscribed(caller, 2)
    (due,) = await claim_due(at=now(), limit=1)
    await save_outcomes([outcome_of(due, GONE, at=now())])
    await an_event(caller)

    assert await claim_due(at=now() + timedelta(days=1), limit=10) == []

    rows = await the_deliveries(id)
    assert sorted((row["status"], row["due_at"]) for row in rows) == [
        ("falhando", None),
        ("pendente", None),
        ("retida", None),
    ]


async def test_five_days_of_failing_revoke_and_not_less(caller: Caller) -> None:
    id, _ = await failing(caller)
    since = (await the(id)).failing_since
    assert since is not None

    assert await revoke_unrecoverable(at=since + timedelta(hours=120) - timedelta(seconds=1)) == 0
    assert (await the(id)).status == "failing"
    assert await revoke_unrecoverable(at=since + timedelta(hours=120)) == 1
    assert await revoke_unrecoverable(at=since + timedelta(hours=121)) == 0

    subscription = await the(id)
    assert (subscription.status, subscription.revoked_reason, subscription.probe_at) == (
        "revoked",
        "failing",
        None,
    )
    assert await told() == [(id, "system", {"reason": "failing"})]


async def test_the_subscriptions_of_a_suspended_organization_are_revoked_and_no_others(
    caller: Caller,
) -> None:
    other = await a_caller()
    kept = (await a_subscription(other))["webhook"]["id"]
    ids = [(await a_subscription(caller))["webhook"]["id"] for _ in range(2)]
    await db.execute(
        "UPDATE organizations SET status = 'suspended' WHERE id = $1", caller.organization_id
    )

    assert await organizations.revoke_unrecoverable_webhooks(at=now()) == 2
    assert await organizations.revoke_unrecoverable_webhooks(at=now()) == 0

    assert {(await the(id)).revoked_reason for id in ids} == {"suspended"}
    assert (await the(kept)).status == "active"


async def test_resuming_a_revoked_one_forgets_why_it_was(caller: Caller) -> None:
    await make(id := await subscribed(caller), "revoked")
    await WebhookSubscription.filter(id=id).update(revoked_reason="gone")
    await db.execute("UPDATE webhook_subscriptions SET status = 'failing' WHERE id = $1", id)

    await changed(caller, id, status="active")

    assert (await the(id)).revoked_reason is None


# The log ------------------------------------------------------------------------------------------


async def test_every_attempt_is_written_down_once(caller: Caller) -> None:
    id = await subscribed(caller)
    (due,) = await claim_due(at=now(), limit=1)
    at = now()
    for outcome in (
        outcome_of(due, PostResult(500, 21, body="no"), at=at),
        outcome_of(due, PostResult(500, 21, body="no"), at=at),
        outcome_of(
            replace(due, attempts=1), PostResult(None, 15_000, error="timeout"), at=at + MINUTE
        ),
        outcome_of(replace(due, attempts=2), PostResult(200, 7), at=at + 2 * MINUTE),
    ):
        await save_outcomes([outcome])

    fields = (
        "number",
        "probe",
        "at",
        "status_code",
        "latency_ms",
        "error",
        "response_body",
        "organization_id",
        "env",
    )
    owner = (caller.organization_id, "test")
    assert [tuple(row[name] for name in fields) for row in await the_attempts()] == [
        (1, False, at, 500, 21, None, "no", *owner),
        (2, False, at + MINUTE, None, 15_000, "timeout", None, *owner),
        (3, False, at + 2 * MINUTE, 200, 7, None, None, *owner),
    ]
    assert {row["delivery_id"] for row in await the_attempts()} == {
        (await the_deliveries(id))[0]["id"]
    }


async def test_the_log_of_a_removed_subscription_goes_with_it(caller: Caller) -> None:
    id = await subscribed(caller)
    (due,) = await claim_due(at=now(), limit=1)
    await failed(due, now())
    kept = await subscribed(caller)
    (other,) = [one for one in await claim_due(at=now(), limit=5) if one.subscription_id == kept]
    await failed(other, now())

    await webhooks.unsubscribe(caller, id)

    assert [row["delivery_id"] for row in await the_attempts()] == [other.id]


async def test_the_wake_up_of_a_recovery(real_commits: None, queue: RecordedQueue) -> None:
    caller = await a_caller()
    _, at = await failing(caller, events=2)
    at += MINUTE
    probe = await probed(at)
    await eventually(
        lambda: Job.DELIVER_WEBHOOKS in queue.jobs,
        "the wake-up of the events",
    )
    queue.jobs.clear()

    await save_outcomes([outcome_of(probe, OK, at=at)])

    await eventually(
        lambda: queue.jobs == [Job.RESUME_WEBHOOKS],
        "the backlog is resumed",
    )
