"""Places that owners share."""

import asyncio
from collections.abc import AsyncIterator, Iterable

import pytest

from core.foundation.fair_limiter import FairLimiter, NoSlotFree

LONG = 60.0

_waiting: list["asyncio.Task[None]"] = []


@pytest.fixture(autouse=True)
async def nobody_waits_on() -> AsyncIterator[None]:
    yield
    for task in _waiting:
        task.cancel()
    await asyncio.gather(*_waiting, return_exceptions=True)
    _waiting.clear()


def some_places(most: int = 3, *, each: int = 2, waiting: int = 10) -> FairLimiter:
    return FairLimiter(most, each=each, waiting=waiting)


async def turns(times: int = 5) -> None:
    """Let everybody go on who can."""
    for _ in range(times):
        await asyncio.sleep(0)


async def waiting(
    places: FairLimiter, owner: str, order: list[str], label: str = ""
) -> "asyncio.Task[None]":
    """Somebody who waits for a place, and writes down that he has it; let go when the test is over."""

    async def take() -> None:
        await places.take(owner, within=LONG)
        order.append(label or owner)

    task = asyncio.create_task(take())
    _waiting.append(task)
    await turns()
    assert not task.done()
    return task


async def taken(places: FairLimiter, owners: Iterable[str]) -> None:
    for owner in owners:
        await places.take(owner, within=LONG)


async def test_one_owner_has_no_more_than_his_share_and_another_passes() -> None:
    places, order = some_places(), list[str]()
    await taken(places, "aa")
    late = await waiting(places, "a", order)

    await places.take("b", within=LONG)

    assert (places.taken_by("a"), places.taken_by("b"), places.waiting_of("a")) == (2, 1, 1)
    places.give_back("b")
    await turns()
    assert not late.done(), "a place of b is none of a"
    places.give_back("a")
    await late
    assert places.taken_by("a") == 2


async def test_who_waits_is_let_in_in_turn_of_the_owners() -> None:
    places, order = some_places(1, each=1), list[str]()
    await taken(places, "x")
    for owner, label in (
        ("a", "a1"),
        ("a", "a2"),
        ("a", "a3"),
        ("b", "b1"),
        ("c", "c1"),
        ("b", "b2"),
    ):
        await waiting(places, owner, order, label)

    for owner in "xabcaba":
        places.give_back(owner)
        await turns()

    assert order == ["a1", "b1", "c1", "a2", "b2", "a3"]
    assert not places.taken_by("a")


async def test_who_waits_too_long_is_refused_and_leaves_the_queue() -> None:
    places = some_places(1)
    await taken(places, "a")

    with pytest.raises(NoSlotFree):
        await places.take("b", within=0.001)

    assert places.waiting_of("b") == 0
    places.give_back("a")
    await taken(places, "b")


async def test_too_many_who_wait_are_refused_at_once() -> None:
    places, order = some_places(1, waiting=1), list[str]()
    await taken(places, "a")
    await waiting(places, "a", order)

    with pytest.raises(NoSlotFree):
        await places.take("a", within=LONG)
    await waiting(places, "b", order)


@pytest.mark.parametrize("turns_between", [0, 5])
async def test_who_is_cancelled_while_waiting_leaves_no_trace(turns_between: int) -> None:
    places, order = some_places(1), list[str]()
    await taken(places, "a")
    gone = await waiting(places, "b", order)
    stays = await waiting(places, "b", order)

    gone.cancel()
    await turns(turns_between)
    places.give_back("a")
    await stays

    assert (places.taken_by("a"), places.taken_by("b"), places.waiting_of("b")) == (0, 1, 0)


async def test_a_place_granted_to_somebody_who_is_cancelled_goes_on_to_the_next() -> None:
    places, order = some_places(1), list[str]()
    await taken(places, "a")
    gone = await waiting(places, "b", order)
    stays = await waiting(places, "c", order)

    places.give_back("a")
    gone.cancel()  # before it learns that it was let in
    await stays

    assert order == ["c"]
    assert (places.taken_by("b"), places.taken_by("c")) == (0, 1)


async def test_a_block_gives_its_place_back_however_it_ends() -> None:
    places = some_places(1)

    with pytest.raises(ZeroDivisionError):
        async with places.place("a", within=LONG):
            assert places.taken_by("a") == 1
            raise ZeroDivisionError

    assert places.taken_by("a") == 0
