"""Who gets a place: counted, without a loop, a database or a clock."""

from dataclasses import replace
from datetime import UTC, datetime

from core.webhooks.delivery.claim import DueDelivery
from core.webhooks.delivery.concurrency import SUBSCRIPTION
from core.webhooks.delivery.in_flight import (
    DOUBTFUL,
    HELD_UP,
    IN_FLIGHT,
    PROBES,
    QUICK_SECONDS,
    STALE_SECONDS,
    Attempt,
    Places,
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


def places(
    *, in_flight: int = 2, ahead: int = 2, held_up: int = 2, doubtful: int = DOUBTFUL
) -> Places:
    return Places(in_flight=in_flight, ahead=ahead, held_up=held_up, doubtful=doubtful)


def test_the_first_that_was_claimed_gets_the_first_place_and_the_others_wait() -> None:
    all_places = places()
    all_places.take(some(4), clock=0)

    begun = [all_places.next(clock=0) for _ in range(3)]

    assert [one and one.due.id for one in begun] == ["dlv_0", "dlv_1", None]
    assert (all_places.ahead, all_places.room) == (True, 0)


def test_who_ends_makes_room_and_a_place_for_the_next() -> None:
    all_places = places()
    all_places.take(some(3), clock=0)
    first, _ = all_places.next(clock=0), all_places.next(clock=0)
    assert first is not None

    all_places.end(first)

    following = all_places.next(clock=1)
    assert following is not None
    assert following.due.id == "dlv_2"
    assert all_places.room == 2


def test_who_takes_long_stands_aside_as_long_as_there_is_somewhere_to_stand() -> None:
    all_places = places(in_flight=2, ahead=0, held_up=1)
    all_places.take(some(2), clock=0)
    begun = [all_places.next(clock=0), all_places.next(clock=0)]

    assert not all_places.set_aside(clock=QUICK_SECONDS / 2)
    assert all_places.set_aside(clock=QUICK_SECONDS)

    assert all_places.room == 1, "both stand aside, and there is room for one of them"
    assert all_places.scarce
    for one in begun:
        assert one is not None
        all_places.end(one)
    assert (all_places.room, all_places.taken, all_places.scarce) == (2, False, False)


def test_a_claim_that_waited_too_long_gets_no_place_and_keeps_none_in_its_lane() -> None:
    all_places = places()
    all_places.take(some(1), clock=0)

    assert all_places.next(clock=STALE_SECONDS) is None

    assert not all_places.taken
    assert all_places.subscriptions.room("wbh_1") == SUBSCRIPTION.first


def test_who_gives_up_answers_what_is_still_his_and_keeps_nothing() -> None:
    all_places = places()
    all_places.take(some(1), clock=0)
    all_places.take(some(2)[1:], clock=10)

    assert [due.id for due in all_places.give_up(clock=STALE_SECONDS)] == ["dlv_1"]

    assert not all_places.taken
    assert all_places.room == 4
    assert all_places.subscriptions.room("wbh_1") == SUBSCRIPTION.first


def test_probes_are_bounded_by_themselves() -> None:
    all_places = places(in_flight=PROBES * 2, ahead=0)
    all_places.take(some(PROBES - 1, probe=True), clock=0)
    assert all_places.room_for_probes == 1

    begun = all_places.next(clock=0)
    assert begun is not None
    all_places.end(begun)

    assert all_places.room_for_probes == 2


def hang(all_places: Places, organization_id: str, number: int) -> list[Attempt]:
    """So many attempts of an organization, each to a subscription of its own that was quick until
    now.
    """
    claimed = [
        replace(due, organization_id=organization_id, subscription_id=f"wbh_{due.id}")
        for due in some(number)
    ]
    for due in claimed:
        all_places.subscriptions.enter(due.subscription_id)
        all_places.subscriptions.leave(due.subscription_id, quick=True)
    all_places.take(claimed, clock=0)
    begun = [one for _ in claimed if (one := all_places.next(clock=0))]
    assert len(begun) == number
    assert all_places.set_aside(clock=QUICK_SECONDS)
    return begun


def test_places_are_scarce_when_several_organizations_hang_never_by_one_alone() -> None:
    all_places = places(in_flight=IN_FLIGHT, ahead=0, held_up=HELD_UP)
    held = hang(all_places, "org_1", HELD_UP - DOUBTFUL)
    assert not all_places.scarce
    assert all_places.room == IN_FLIGHT, "they stand aside all the same"
    held += hang(all_places, "org_2", DOUBTFUL)
    assert not all_places.scarce
    held += hang(all_places, "org_3", DOUBTFUL)
    assert all_places.scarce

    for one in held:
        all_places.end(one)

    assert (all_places.room, all_places.taken, all_places.scarce) == (IN_FLIGHT, False, False)
    assert [all_places.doubtful.room(f"org_{number}", slow=False) for number in (1, 2, 3)] == [
        DOUBTFUL
    ] * 3


def test_one_organization_and_all_probes_together_do_not_make_places_scarce() -> None:
    assert (DOUBTFUL + PROBES) * 2 < HELD_UP


def test_who_answered_quickly_is_in_doubt_once_it_takes_long_and_the_unknown_at_once() -> None:
    all_places = places(in_flight=8, held_up=8, doubtful=4)
    all_places.take(some(3), clock=0)
    all_places.take([replace(DUE, id="dlv_probe", subscription_id="wbh_2", probe=True)], clock=0)
    assert [all_places.doubtful.room("org_1", slow=slow) for slow in (False, True)] == [1, 0]
    begun = [all_places.next(clock=0) for _ in range(4)]
    for one in begun:
        assert one is not None
        all_places.end(one)
    assert [all_places.doubtful.room("org_1", slow=slow) for slow in (False, True)] == [4, 2]

    all_places.take(some(1), clock=0)
    assert all_places.next(clock=0) is not None
    assert all_places.doubtful.room("org_1", slow=False) == 4, "it has answered quickly"
    all_places.set_aside(clock=QUICK_SECONDS)
    assert all_places.doubtful.room("org_1", slow=False) == 3


def test_who_leaves_the_last_place_in_doubt_makes_room_for_those_who_waited() -> None:
    all_places = places(in_flight=4, doubtful=4)
    all_places.take([replace(one, subscription_id=one.id, host=one.id) for one in some(4)], clock=0)
    begun = [one for _ in range(4) if (one := all_places.next(clock=0))]

    all_places.doubtful.waiting = {"org_1"}
    assert [all_places.end(one) for one in begun] == [True, False, True, False]
