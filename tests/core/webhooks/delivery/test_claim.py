"""Concurrency limits that grow and shrink, and claims that are fair and cheap."""

from collections import Counter

import pytest

from core.foundation.clock import now
from core.foundation.database import db
from core.webhooks.delivery import claim
from core.webhooks.delivery.bulkhead import OrganizationBulkhead
from core.webhooks.delivery.claim import WAITING, DeliveryClaimer, fair_shares
from core.webhooks.delivery.concurrency import (
    HOST_BOUNDS,
    SUBSCRIPTION_BOUNDS,
    AdaptiveConcurrencyLimiter,
    ConcurrencyBounds,
    host_key,
)
from core.webhooks.delivery.in_flight import MAX_AT_RISK
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_subscription, an_event

WIDTH = ConcurrencyBounds(initial=4, maximum=8, minimum=1)


@pytest.mark.parametrize(
    ("available", "limit", "expected"),
    [
        ({}, 10, {}),
        ({"a": 3}, 10, {"a": 3}),
        ({"a": 30}, 10, {"a": 10}),
        ({"a": 10, "b": 10}, 10, {"a": 5, "b": 5}),
        ({"a": 2, "b": 10}, 10, {"a": 2, "b": 8}),
        ({"a": 10, "b": 2}, 10, {"a": 8, "b": 2}),
        ({"a": 1, "b": 1, "c": 1}, 2, {"a": 1, "b": 1}),
    ],
)
def test_slots_are_shared_evenly_and_none_is_left_over(
    available: dict[str, int], limit: int, expected: dict[str, int]
) -> None:
    assert fair_shares(available, limit) == expected


def test_a_lane_widens_with_every_quick_answer_up_to_its_most() -> None:
    limiter = AdaptiveConcurrencyLimiter(WIDTH)
    assert limiter.available("a") == 4
    for _ in range(10):
        limiter.acquire("a")
        limiter.release("a", quick=True)
    assert limiter.available("a") == 8
    assert limiter.available("b") == 4


def test_a_slow_attempt_halves_the_limit_until_there_is_an_answer() -> None:
    limiter = AdaptiveConcurrencyLimiter(WIDTH)
    for _ in range(4):
        limiter.acquire("a")
    for _ in range(4):
        limiter.mark_slow("a")
    assert limiter.available("a") == 0
    for _ in range(4):
        limiter.release("a", quick=False)
    assert limiter.available("a") == 1
    limiter.acquire("a")
    limiter.release("a", quick=True)
    assert limiter.available("a") == 2


def test_who_answers_late_but_well_has_nearly_as_many_slots_as_at_the_beginning() -> None:
    limiter = AdaptiveConcurrencyLimiter(WIDTH)
    for _ in range(3):
        for _ in range(limiter.available("a")):
            limiter.acquire("a")
        under_way = limiter._limits["a"].in_flight
        for _ in range(under_way):
            limiter.mark_slow("a")
        assert limiter.available("a") == 0
        for _ in range(under_way):
            limiter.release("a", quick=False, success=True)
        assert limiter.available("a") == 3
    assert limiter.available("a", scarce=True) == 0


def test_an_answer_that_is_late_takes_no_slots_away() -> None:
    limiter = AdaptiveConcurrencyLimiter(WIDTH)
    for _ in range(5):
        limiter.acquire("a")
    for _ in range(4):
        limiter.release("a", quick=True)
    limiter.mark_slow("a")
    before = limiter.available("a")
    limiter.release("a", quick=False, success=True)
    assert (before, limiter.available("a")) == (3, 4)


def test_when_slots_are_scarce_those_who_kept_us_waiting_get_none() -> None:
    limiter = AdaptiveConcurrencyLimiter(WIDTH)
    for name in ("slow", "quick"):
        limiter.acquire(name)
    limiter.mark_slow("slow")
    limiter.release("slow", quick=False)
    limiter.release("quick", quick=True)

    assert [limiter.available(name, scarce=True) for name in ("slow", "quick", "unknown")] == [
        0,
        5,
        1,
    ]


def test_limits_that_are_not_used_are_evicted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.webhooks.delivery.concurrency.MAX_TRACKED", 2)
    limiter = AdaptiveConcurrencyLimiter(WIDTH)
    for name in "abc":
        limiter.acquire(name)
        limiter.release(name, quick=True)

    assert [limiter.available(name) for name in "abc"] == [4, 5, 5]


async def test_a_long_queue_takes_no_slot_from_a_short_one(clean_slate: None) -> None:
    caller = await a_caller()
    await a_subscription(caller, "http://127.0.0.1:9001/", events=["sms.failed"])
    short = (await a_subscription(caller, "http://127.0.0.1:9002/"))["webhook"]["id"]
    for _ in range(20):
        await an_event(caller, "sms.failed")
    for _ in range(2):
        await an_event(caller)

    claimed = await DeliveryClaimer(
        AdaptiveConcurrencyLimiter(SUBSCRIPTION_BOUNDS),
        AdaptiveConcurrencyLimiter(HOST_BOUNDS),
        OrganizationBulkhead(MAX_AT_RISK),
    ).claim(at=now(), limit=5)

    assert len(claimed) == 4
    assert [due.subscription_id for due in claimed].count(short) == 2


async def test_the_subscriptions_of_one_host_share_its_slots(clean_slate: None) -> None:
    caller = await a_caller()
    ids = [
        (await a_subscription(caller, f"http://127.0.0.1:9001/{n}"))["webhook"]["id"]
        for n in range(3)
    ]
    for _ in range(10):
        await an_event(caller)

    hosts = AdaptiveConcurrencyLimiter(ConcurrencyBounds(initial=6, maximum=6, minimum=1))
    claimed = await DeliveryClaimer(
        AdaptiveConcurrencyLimiter(SUBSCRIPTION_BOUNDS), hosts, OrganizationBulkhead(MAX_AT_RISK)
    ).claim(at=now(), limit=100)

    assert sorted(due.subscription_id for due in claimed) == sorted(ids * 2)


async def test_organizations_share_no_slots_at_one_host(clean_slate: None) -> None:
    hosts = AdaptiveConcurrencyLimiter(ConcurrencyBounds(initial=6, maximum=6, minimum=1))
    one, other = await a_caller(), await a_caller()
    for caller in (one, other):
        for number in range(3):
            await a_subscription(caller, f"http://127.0.0.1:9001/{number}")
        for _ in range(10):
            await an_event(caller)
    for _ in range(6):
        hosts.acquire(host_key(one.organization_id, "127.0.0.1:9001"))

    claimed = await DeliveryClaimer(
        AdaptiveConcurrencyLimiter(SUBSCRIPTION_BOUNDS), hosts, OrganizationBulkhead(MAX_AT_RISK)
    ).claim(at=now(), limit=100)

    assert [due.organization_id for due in claimed] == [other.organization_id] * 6


async def test_a_look_that_did_not_see_all_goes_on_behind(
    clean_slate: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claim, "SCAN_BATCH_SIZE", 2)
    caller = await a_caller()
    ids = {(await a_subscription(caller))["webhook"]["id"] for _ in range(5)}
    await an_event(caller)
    claims = DeliveryClaimer(
        AdaptiveConcurrencyLimiter(SUBSCRIPTION_BOUNDS),
        AdaptiveConcurrencyLimiter(HOST_BOUNDS),
        OrganizationBulkhead(MAX_AT_RISK),
    )

    found, more = [], []
    for _ in range(3):
        found += await claims.claim(at=now(), limit=10)
        more.append(claims.more)

    assert {due.subscription_id for due in found} == ids
    assert more == [True, True, False]


async def test_looking_past_a_long_queue_costs_two_steps_along_the_index(clean_slate: None) -> None:
    caller = await a_caller()
    for url in ("http://127.0.0.1:9001/", "http://127.0.0.1:9002/"):
        await a_subscription(caller, url)
    await an_event(caller)
    await db.execute(
        "INSERT INTO webhook_deliveries (id, organization_id, env, subscription_id, event_id, status, attempts, due_at,"
        " created_at) SELECT svc_new_id('dlv'), organization_id, env, subscription_id, event_id, status, 0, due_at,"
        " created_at FROM webhook_deliveries, generate_series(1, 5000)"
    )
    await db.execute("ANALYZE webhook_deliveries")

    plan = "\n".join(
        row[0]
        for row in await db.fetch(
            f"EXPLAIN (ANALYZE, BUFFERS, TIMING OFF) {WAITING}", "", claim.SCAN_BATCH_SIZE
        )
    )

    assert "webhook_deliveries_due" in plan
    assert "Seq Scan on webhook_deliveries" not in plan
    assert "Index Cond: (subscription_id >" in plan


async def test_an_organization_gets_no_more_at_risk_than_it_may_and_others_all_of_theirs(
    clean_slate: None,
) -> None:
    one, other = await a_caller(), await a_caller()
    subscriptions, hosts, bulkhead = (
        AdaptiveConcurrencyLimiter(SUBSCRIPTION_BOUNDS),
        AdaptiveConcurrencyLimiter(HOST_BOUNDS),
        OrganizationBulkhead(4),
    )
    ids = [
        (await a_subscription(one, f"https://host-{n}.example.com"))["webhook"]["id"]
        for n in range(7)
    ]
    healthy = (await a_subscription(other, "https://healthy.example.com"))["webhook"]["id"]
    slow, unknown, quick = ids[:3], ids[3:6], ids[6]
    for id in slow:
        subscriptions.acquire(id)
        subscriptions.mark_slow(id)
        subscriptions.release(id, quick=False)
    subscriptions.acquire(quick)
    subscriptions.release(quick, quick=True)
    for caller in (one, other):
        for _ in range(3):
            await an_event(caller)
    await db.execute("UPDATE webhook_subscriptions SET confirmed_at = now()")

    claimed = await DeliveryClaimer(subscriptions, hosts, bulkhead).claim(at=now(), limit=100)

    came = Counter(due.subscription_id for due in claimed)
    assert (came[quick], came[healthy]) == (3, 3)
    assert sum(came[id] for id in slow) == 2, "half of what it may have"
    assert sum(came[id] for id in unknown) == 2, "the other half"
    assert bulkhead.waiting == {one.organization_id}
    for due in claimed:
        bulkhead.acquire(due.organization_id)
    assert not await DeliveryClaimer(subscriptions, hosts, bulkhead).claim(at=now(), limit=100)
