"""Long work in turns."""

import asyncio
import math
from collections import deque
from collections.abc import Callable
from itertools import pairwise
from types import SimpleNamespace

import pytest

from core.foundation import turns
from core.foundation.turns import (
    give_way,
    in_parts,
    in_turns,
    let_go,
    long_step,
    note_light_request,
)


async def work(items: int, seen: list[object]) -> None:
    async for item in in_turns(range(items)):
        seen.append(item)  # noqa: PERF401 - whoever looks meanwhile sees them come


async def test_others_go_first_once_a_turn_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "TURN_SECONDS", 0.0)
    seen: list[object] = []
    working = asyncio.create_task(work(4, seen))
    while not working.done():
        await asyncio.sleep(0)
        seen.append("another")

    assert [item for item in seen if item != "another"] == [0, 1, 2, 3]
    assert seen.index("another") < seen.index(3)


async def test_however_many_work_there_is_one_turn_in_a_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turns, "TURN_SECONDS", 0.0)
    seen: list[object] = []
    working = asyncio.gather(*(work(4, seen) for _ in range(3)))
    steps = []
    while not working.done():
        before = len(seen)
        await asyncio.sleep(0)
        steps.append(len(seen) - before)

    assert len(seen) == 12
    assert max(steps) == 1


async def test_a_turn_of_somebody_who_left_goes_to_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turns, "TURN_SECONDS", 0.0)
    seen: list[object] = []
    leaving = asyncio.create_task(work(4, []))
    staying = asyncio.create_task(work(4, seen))
    await asyncio.sleep(0)
    leaving.cancel()
    await asyncio.wait_for(staying, 60)

    assert seen == [0, 1, 2, 3]


async def test_short_work_is_one_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "TURN_SECONDS", 60.0)
    seen: list[object] = []
    working = asyncio.create_task(work(4, seen))
    await asyncio.sleep(0)

    assert seen == [0, 1, 2, 3]
    await working


async def test_long_work_gives_way_while_light_requests_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    paused: list[float] = []
    at = [1_000.0]

    async def sleep(seconds: float) -> None:
        paused.append(seconds)

    monkeypatch.setattr(turns, "_light_at", 0.0)
    monkeypatch.setattr("core.foundation.turns.time.monotonic", lambda: at[0])
    monkeypatch.setattr("core.foundation.turns.asyncio.sleep", sleep)
    await give_way(0.01)
    assert paused == [], "alone it loses nothing"

    note_light_request()
    await give_way(0.01)
    await give_way(5.0)
    assert paused == [0.01, turns.MAX_PAUSE_SECONDS]

    at[0] += turns.LIGHT_SECONDS
    await give_way(0.01)
    assert len(paused) == 2, "the last of them is long answered"


async def test_every_fourth_turn_beside_light_requests_waits_for_a_break(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turns, "TURN_SECONDS", 0.0)
    monkeypatch.setattr(turns, "LIGHT_SECONDS", 3_600)
    breaks: list[int] = []
    seen: list[object] = []
    rest = turns._schedule

    def schedule(loop: asyncio.AbstractEventLoop, waiting: deque[asyncio.Future[None]]) -> None:
        rest(SimpleNamespace(call_soon=loop.call_soon, call_later=later), waiting)  # type: ignore[arg-type]

    def later(seconds: float, give: Callable[..., None], _: object, waiting: object) -> None:
        breaks.append(len(seen))
        asyncio.get_running_loop().call_soon(give, asyncio.get_running_loop(), waiting)

    monkeypatch.setattr(turns, "_schedule", schedule)
    monkeypatch.setattr(turns, "_given", 0)
    monkeypatch.setattr(turns, "_light_at", -math.inf)
    await work(9, seen)
    assert (len(seen), breaks) == (9, [])

    note_light_request()
    monkeypatch.setattr(turns, "_given", 0)
    seen.clear()
    await work(13, seen)

    assert (len(seen), breaks) == (13, [0, 4, 8, 12])


async def test_long_steps_are_taken_one_at_a_time_with_a_break_behind_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[str] = []

    async def give_way(_: float) -> None:
        await asyncio.sleep(0)
        seen.append("a break")

    async def step() -> None:
        async with long_step():
            seen.append("a step")

    monkeypatch.setattr(turns, "give_way", give_way)
    await asyncio.gather(step(), step())

    assert seen == ["a step", "a break"] * 2


async def test_parts_are_small_beside_light_requests_which_go_first_between_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[object] = []

    async def give_way(_: float) -> None:
        seen.append("a break")

    monkeypatch.setattr(turns, "give_way", give_way)
    monkeypatch.setattr(turns, "LIGHT_SECONDS", 3_600)
    monkeypatch.setattr(turns, "_light_at", -math.inf)
    async for part in in_parts("abcde", 3, beside_light=1):
        seen.append(part)
        note_light_request()

    assert seen == ["abc", "a break", "d", "a break", "e"], "behind the last one nobody waits"
    assert [part async for part in in_parts("", 3, beside_light=1)] == []


async def test_long_lists_are_let_go_of_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "TURN_SECONDS", 0.0)
    long, short = list(range(10 * turns.AT_ONCE + 1)), [1]
    left: list[int] = []
    working = asyncio.create_task(let_go(long, short))
    while not working.done():
        left.append(len(long))
        await asyncio.sleep(0)

    assert (long, short) == ([], [])
    assert max(a - b for a, b in pairwise(left)) == turns.AT_ONCE
