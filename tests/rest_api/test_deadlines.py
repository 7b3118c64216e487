"""The end of a request that takes too long."""

import asyncio
from contextlib import suppress

import pytest

from rest_api.support.deadlines import Deadlines, Task

SHORT, LONG = 0.05, 3_600.0


def this_task() -> Task:
    task = asyncio.current_task()
    assert task is not None
    return task


async def for_ever(deadlines: Deadlines) -> bool:
    """A request without end: whether its time was over when it was cancelled."""
    task = this_task()
    deadlines.begin(task)
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        over = deadlines.end(task)
        if over:
            assert not task.cancelling()
            await asyncio.sleep(0)  # it may go on and answer
        return over
    return False


@pytest.fixture
def deadlines() -> Deadlines:
    made = Deadlines()
    made.seconds = SHORT
    return made


async def test_whose_time_is_over_is_cancelled_and_may_still_answer(deadlines: Deadlines) -> None:
    assert await asyncio.gather(*(for_ever(deadlines) for _ in range(3))) == [True] * 3


async def test_who_is_cancelled_by_others_is_told_apart(deadlines: Deadlines) -> None:
    deadlines.seconds = LONG
    request = asyncio.create_task(for_ever(deadlines))
    await asyncio.sleep(0)
    request.cancel()

    assert await request is False


async def test_whose_time_does_not_run_is_left_alone(deadlines: Deadlines) -> None:
    """While a body is sent and an answer read."""

    async def reading() -> str:
        deadlines.begin(this_task())
        deadlines.end(this_task())
        await for_another
        return "read"

    for_another = asyncio.ensure_future(
        for_ever(deadlines)
    )  # it began later, so the first would be over by its end

    assert await reading() == "read"


async def test_the_time_may_begin_anew(deadlines: Deadlines) -> None:
    """Those whose time began later stand behind: the look ends at the first whose time is not over."""
    first, second = asyncio.Event(), asyncio.Event()
    tasks = [asyncio.create_task(event.wait()) for event in (first, second)]
    for task in tasks:
        deadlines.begin(task)
    deadlines.begin(tasks[0])

    assert list(deadlines._ends) == [tasks[1], tasks[0]]
    for task in tasks:
        task.cancel()
        deadlines.end(task)
        with suppress(asyncio.CancelledError):
            await task
    assert not deadlines._ends


async def test_without_a_time_nothing_is_kept() -> None:
    deadlines = Deadlines()
    deadlines.begin(this_task())

    assert not deadlines._ends
    assert deadlines._clock is None


async def test_nobody_under_way_needs_no_clock(deadlines: Deadlines) -> None:
    deadlines.begin(this_task())
    assert deadlines._clock is not None
    deadlines.end(this_task())
    while deadlines._clock is not None:  # noqa: ASYNC110 - it stops itself at its next look
        await asyncio.sleep(SHORT)
