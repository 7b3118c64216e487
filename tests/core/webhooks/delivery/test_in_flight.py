"""Who gets a place: counted, without a loop, a database or a clock."""

from dataclasses import replace
from datetime import UTC, datetime

from core.webhooks.delivery.claim import DueDelivery
from core.webhooks.delivery.concurrency import SUBSCRIPTION_BOUNDS
from core.webhooks.delivery.in_flight import (
    MAX_AT_RISK,
    MAX_CLAIM_AGE_SECONDS,
    MAX_IN_FLIGHT,
    MAX_PROBES,
    MAX_SLOW,
    SLOW_AFTER_SECONDS,
    InFlightAttempt,
    InFlightLimiter,
)

DUE = DueDelivery(
    id="dlv_0",
    subscription_id="wbh_1",
    organization_id="org_1",
    env="test",
    attempts=0,
    is_replay=False,
    url="https://example.com/hooks",
    host="example.com",
    secret_cipher="",
    headers=[],
    pii_full=False,
    api_version="1",
    max_attempts=8,
    backoff_seconds=30,
    event_id="evt_1",
    type="sms.delivered",
    data={},
    occurred_at=datetime(2026, 1, 1, tzinfo=UTC),
)


def some(number: int, *, probe: bool = False) -> list[DueDelivery]:
    return [replace(DUE, id=f"dlv_{place}", probe=probe) for place in range(number)]


def a_limiter(
    *,
    max_in_flight: int = 2,
    max_prefetched: int = 2,
    max_slow: int = 2,
    max_at_risk: int = MAX_AT_RISK,
) -> InFlightLimiter:
    return InFlightLimiter(
        max_in_flight=max_in_flight,
        max_prefetched=max_prefetched,
        max_slow=max_slow,
        max_at_risk=max_at_risk,
    )


def test_the_first_that_was_claimed_gets_the_first_slot_and_the_others_wait() -> None:
    limiter = a_limiter()
    limiter.prefetch(some(4), clock=0)

    begun = [limiter.start_next(clock=0) for _ in range(3)]

    assert [one and one.due.id for one in begun] == ["dlv_0", "dlv_1", None]
    assert (limiter.has_prefetched, limiter.available) == (True, 0)


def test_who_ends_makes_room_and_a_slot_for_the_next() -> None:
    limiter = a_limiter()
    limiter.prefetch(some(3), clock=0)
    first, _ = limiter.start_next(clock=0), limiter.start_next(clock=0)
    assert first is not None

    limiter.finish(first)

    following = limiter.start_next(clock=1)
    assert following is not None
    assert following.due.id == "dlv_2"
    assert limiter.available == 2


def test_a_slow_attempt_gives_up_its_slot_as_long_as_not_too_many_are_slow() -> None:
    limiter = a_limiter(max_in_flight=2, max_prefetched=0, max_slow=1)
    limiter.prefetch(some(2), clock=0)
    begun = [limiter.start_next(clock=0), limiter.start_next(clock=0)]

    assert not limiter.mark_slow(clock=SLOW_AFTER_SECONDS / 2)
    assert limiter.mark_slow(clock=SLOW_AFTER_SECONDS)

    assert limiter.available == 1, "both are slow, and one of them may give up its slot"
    assert limiter.is_scarce
    for one in begun:
        assert one is not None
        limiter.finish(one)
    assert (limiter.available, limiter.is_busy, limiter.is_scarce) == (2, False, False)


def test_a_claim_that_waited_too_long_gets_no_slot_and_keeps_none_in_its_limits() -> None:
    limiter = a_limiter()
    limiter.prefetch(some(1), clock=0)

    assert limiter.start_next(clock=MAX_CLAIM_AGE_SECONDS) is None

    assert not limiter.is_busy
    assert limiter.subscriptions.available("wbh_1") == SUBSCRIPTION_BOUNDS.initial


def test_who_gives_up_answers_what_is_still_his_and_keeps_nothing() -> None:
    limiter = a_limiter()
    limiter.prefetch(some(1), clock=0)
    limiter.prefetch(some(2)[1:], clock=10)

    assert [due.id for due in limiter.drop_prefetched(clock=MAX_CLAIM_AGE_SECONDS)] == ["dlv_1"]

    assert not limiter.is_busy
    assert limiter.available == 4
    assert limiter.subscriptions.available("wbh_1") == SUBSCRIPTION_BOUNDS.initial


def test_probes_are_bounded_by_themselves() -> None:
    limiter = a_limiter(max_in_flight=MAX_PROBES * 2, max_prefetched=0)
    limiter.prefetch(some(MAX_PROBES - 1, probe=True), clock=0)
    assert limiter.available_for_probes == 1

    begun = limiter.start_next(clock=0)
    assert begun is not None
    limiter.finish(begun)

    assert limiter.available_for_probes == 2


def hang(limiter: InFlightLimiter, organization_id: str, number: int) -> list[InFlightAttempt]:
    """So many attempts of an organization, each to a subscription of its own that was quick until
    now.
    """
    claimed = [
        replace(due, organization_id=organization_id, subscription_id=f"wbh_{due.id}")
        for due in some(number)
    ]
    for due in claimed:
        limiter.subscriptions.acquire(due.subscription_id)
        limiter.subscriptions.release(due.subscription_id, quick=True)
    limiter.prefetch(claimed, clock=0)
    begun = [one for _ in claimed if (one := limiter.start_next(clock=0))]
    assert len(begun) == number
    assert limiter.mark_slow(clock=SLOW_AFTER_SECONDS)
    return begun


def test_slots_are_scarce_when_several_organizations_hang_never_by_one_alone() -> None:
    limiter = a_limiter(max_in_flight=MAX_IN_FLIGHT, max_prefetched=0, max_slow=MAX_SLOW)
    held = hang(limiter, "org_1", MAX_SLOW - MAX_AT_RISK)
    assert not limiter.is_scarce
    assert limiter.available == MAX_IN_FLIGHT, "they are marked slow all the same"
    held += hang(limiter, "org_2", MAX_AT_RISK)
    assert not limiter.is_scarce
    held += hang(limiter, "org_3", MAX_AT_RISK)
    assert limiter.is_scarce

    for one in held:
        limiter.finish(one)

    assert (limiter.available, limiter.is_busy, limiter.is_scarce) == (MAX_IN_FLIGHT, False, False)
    assert [limiter.bulkhead.available(f"org_{number}", slow=False) for number in (1, 2, 3)] == [
        MAX_AT_RISK
    ] * 3


def test_one_organization_and_all_probes_together_do_not_make_slots_scarce() -> None:
    assert (MAX_AT_RISK + MAX_PROBES) * 2 < MAX_SLOW


def test_who_answered_quickly_is_at_risk_once_it_takes_long_and_the_unknown_at_once() -> None:
    limiter = a_limiter(max_in_flight=8, max_slow=8, max_at_risk=4)
    limiter.prefetch(some(3), clock=0)
    limiter.prefetch([replace(DUE, id="dlv_probe", subscription_id="wbh_2", probe=True)], clock=0)
    assert [limiter.bulkhead.available("org_1", slow=slow) for slow in (False, True)] == [1, 0]
    begun = [limiter.start_next(clock=0) for _ in range(4)]
    for one in begun:
        assert one is not None
        limiter.finish(one)
    assert [limiter.bulkhead.available("org_1", slow=slow) for slow in (False, True)] == [4, 2]

    limiter.prefetch(some(1), clock=0)
    assert limiter.start_next(clock=0) is not None
    assert limiter.bulkhead.available("org_1", slow=False) == 4, "it has answered quickly"
    limiter.mark_slow(clock=SLOW_AFTER_SECONDS)
    assert limiter.bulkhead.available("org_1", slow=False) == 3


def test_the_end_of_the_last_allowed_attempt_at_risk_makes_room_for_those_who_waited() -> None:
    limiter = a_limiter(max_in_flight=4, max_at_risk=4)
    limiter.prefetch(
        [replace(one, subscription_id=one.id, host=one.id) for one in some(4)], clock=0
    )
    begun = [one for _ in range(4) if (one := limiter.start_next(clock=0))]

    limiter.bulkhead.waiting = {"org_1"}
    assert [limiter.finish(one) for one in begun] == [True, False, True, False]
