"""Who gets a place: counted, without a loop, a database or a clock."""

from dataclasses import replace
from datetime import UTC, datetime

from core.webhooks.claim import DueDelivery
from core.webhooks.lanes import SUBSCRIPTION
from core.webhooks.places import PROBES, QUICK_SECONDS, STALE_SECONDS, Places

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


def places(*, in_flight: int = 2, ahead: int = 2, held_up: int = 2) -> Places:
    return Places(in_flight=in_flight, ahead=ahead, held_up=held_up)


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
