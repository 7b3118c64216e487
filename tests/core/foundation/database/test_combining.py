"""Combining: batches form under load, and one item never takes another down."""

import asyncio
from collections.abc import Callable, Sequence

import asyncpg
import pytest

from core.foundation.database import combining
from core.foundation.database.availability import DatabaseUnreachable
from core.foundation.database.combining import Combiner
from tests.support.waiting import eventually


class Bad(Exception):
    """The answer to one item."""


class Bench:
    """Doubles numbers, and holds each batch until it is let go."""

    def __init__(
        self, *, most: int = 64, concurrency: int = 1, halves: bool = False, held: bool = True
    ) -> None:
        self.batches: list[list[int]] = []
        self.at_once = 0
        self.most_at_once = 0
        self._gate = asyncio.Semaphore(0) if held else None
        self.combiner: Combiner[int, int] = Combiner(
            self._work, most=most, concurrency=concurrency, halves=halves
        )

    async def _work(self, items: Sequence[int]) -> list[int | Exception]:
        self.batches.append(list(items))
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            if self._gate is not None:
                await self._gate.acquire()
            else:
                await asyncio.sleep(0)
            if any(item < 0 for item in items):
                raise Bad("the whole batch")
            return [Bad(str(item)) if item == 0 else item * 2 for item in items]
        finally:
            self.at_once -= 1

    def submit(self, *items: int) -> list["asyncio.Task[int]"]:
        return [asyncio.create_task(self.combiner.submit(item)) for item in items]

    def let_go(self, batches: int = 1) -> None:
        assert self._gate is not None
        for _ in range(batches):
            self._gate.release()

    async def reach(self, batches: int) -> None:
        """Wait until so many batches have begun."""
        await until(lambda: len(self.batches) >= batches)


async def until(condition: Callable[[], bool]) -> None:
    await eventually(condition, "what this test waits for", every=0)


async def test_an_idle_service_answers_at_once_and_alone() -> None:
    bench = Bench(held=False)

    assert [await bench.combiner.submit(item) for item in (1, 2, 3)] == [2, 4, 6]
    assert bench.batches == [[1], [2], [3]]


async def test_what_arrives_while_a_batch_is_under_way_forms_the_next_one() -> None:
    bench = Bench()
    first = bench.submit(1)
    await bench.reach(1)
    rest = bench.submit(2, 3, 4)
    bench.let_go(2)

    assert await asyncio.gather(*first, *rest) == [2, 4, 6, 8]
    assert bench.batches == [[1], [2, 3, 4]]


async def test_a_batch_has_a_largest_size_and_keeps_the_order_of_arrival() -> None:
    bench = Bench(most=3)
    first = bench.submit(1)
    await bench.reach(1)
    rest = bench.submit(2, 3, 4, 5, 6, 7, 8)
    bench.let_go(4)

    assert await asyncio.gather(*first, *rest) == [2, 4, 6, 8, 10, 12, 14, 16]
    assert bench.batches == [[1], [2, 3, 4], [5, 6, 7], [8]]


@pytest.mark.parametrize("concurrency", [1, 2, 3])
async def test_no_more_batches_are_under_way_than_may_be_at_once(concurrency: int) -> None:
    bench = Bench(most=2, concurrency=concurrency, held=False)

    answers = await asyncio.gather(*bench.submit(*range(1, 101)))

    assert answers == [item * 2 for item in range(1, 101)]
    assert bench.most_at_once == concurrency
    assert all(len(batch) <= 2 for batch in bench.batches)


async def test_a_second_batch_begins_when_as_many_wait_as_are_under_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(combining, "HOLD_BACK_SECONDS", 3_600)
    monkeypatch.setattr(combining, "FEW", 1)  # only who asks for halves has them
    bench = Bench(concurrency=2)
    first = bench.submit(1, 2, 3)
    await bench.reach(1)
    rest = bench.submit(4, 5)
    await asyncio.sleep(0)
    assert bench.batches == [[1, 2, 3]]
    rest += bench.submit(6)
    await bench.reach(2)
    assert bench.batches == [[1, 2, 3], [4, 5, 6]]
    bench.let_go(2)
    assert await asyncio.gather(*first, *rest) == [2, 4, 6, 8, 10, 12]


async def test_many_callers_are_parted_in_halves_that_take_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One half is written while the other is answered and read; neither grows to all again."""
    monkeypatch.setattr(combining, "HOLD_BACK_SECONDS", 3_600)
    bench = Bench(concurrency=2, halves=True)
    batches = 40
    begun = 0

    async def call_again_and_again(item: int) -> None:
        while begun < batches:
            await bench.combiner.submit(item)

    callers = [asyncio.create_task(call_again_and_again(number)) for number in range(1, 17)]
    for begun in range(2, batches):
        await bench.reach(begun)
        bench.let_go()
    begun = batches
    bench.let_go(len(callers))
    await asyncio.gather(*callers)

    assert {len(batch) for batch in bench.batches[2 : batches - 1]} == {8}
    assert bench.most_at_once == 2


async def test_the_next_half_begins_before_the_one_that_ended_is_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(combining, "HOLD_BACK_SECONDS", 3_600)
    bench = Bench(concurrency=2, halves=True, most=5)
    begun: list[int] = []
    first = bench.submit(*range(15))
    first[0].add_done_callback(lambda _: begun.append(len(bench.batches)))
    await bench.reach(2)
    bench.let_go()
    await first[1]
    assert begun == [3]
    bench.let_go(2)
    await asyncio.gather(*first, return_exceptions=True)


async def test_callers_that_leave_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(combining, "HOLD_BACK_SECONDS", 3_600)
    bench = Bench(concurrency=2, halves=True, held=False)
    await asyncio.gather(*bench.submit(*range(1, 65)))

    for left in range(40, 0, -1):
        assert len(await asyncio.gather(*bench.submit(*range(1, left + 1)))) == left


async def test_fewer_than_are_under_way_are_not_held_back_for_long() -> None:
    bench = Bench(concurrency=2)
    first = bench.submit(1, 2, 3)
    await bench.reach(1)
    late = bench.submit(4)
    await bench.reach(2)
    assert bench.batches == [[1, 2, 3], [4]]
    bench.let_go(2)
    assert await asyncio.gather(*first, *late) == [2, 4, 6, 8]


async def test_batches_begin_again_after_a_rest() -> None:
    bench = Bench(concurrency=2, held=False)
    for _ in range(10):
        await asyncio.gather(*bench.submit(1, 2, 3))
        await until(lambda: bench.combiner._at_home._open == 0)

    assert not bench.combiner._at_home._tasks


async def test_the_error_of_one_item_is_its_own() -> None:
    bench = Bench()
    first = bench.submit(1)
    await bench.reach(1)
    rest = bench.submit(2, 0, 3)
    bench.let_go(2)

    answers = await asyncio.gather(*first, *rest, return_exceptions=True)

    assert [str(answer) for answer in answers] == ["2", "4", "0", "6"]
    assert isinstance(answers[2], Bad)
    assert bench.batches == [[1], [2, 0, 3]]


async def test_a_batch_that_fails_as_a_whole_is_tried_item_by_item() -> None:
    bench = Bench()
    first = bench.submit(1)
    await bench.reach(1)
    rest = bench.submit(2, -1, 0, 3)
    bench.let_go(6)

    answers = await asyncio.gather(*first, *rest, return_exceptions=True)

    assert [str(answer) for answer in answers] == ["2", "4", "the whole batch", "0", "6"]
    assert bench.batches == [[1], [2, -1, 0, 3], [2], [-1], [0], [3]]


async def test_a_single_item_that_fails_is_not_tried_again() -> None:
    bench = Bench(held=False)

    with pytest.raises(Bad):
        await bench.combiner.submit(-1)

    assert bench.batches == [[-1]]
    assert await bench.combiner.submit(1) == 2


async def test_a_caller_that_goes_away_leaves_its_neighbours_alone() -> None:
    bench = Bench()
    first = bench.submit(1)
    await bench.reach(1)
    gone, stays = bench.submit(2, 3)
    await until(lambda: len(bench.combiner._at_home._waiting) == 2)
    gone.cancel()
    bench.let_go(2)

    assert await asyncio.gather(*first, stays) == [2, 6]
    with pytest.raises(asyncio.CancelledError):
        await gone
    assert bench.batches == [[1], [3]]


async def test_a_caller_that_goes_away_during_its_batch_does_not_end_it() -> None:
    bench = Bench()
    gone, stays = bench.submit(2, 3)
    await bench.reach(1)
    gone.cancel()
    bench.let_go()

    assert await stays == 6
    assert gone.cancelled() or await asyncio.gather(gone, return_exceptions=True)
    assert bench.batches == [[2, 3]]


async def test_the_error_of_a_caller_that_went_away_disturbs_nobody() -> None:
    bench = Bench()
    gone, stays = bench.submit(0, 3)
    await bench.reach(1)
    gone.cancel()
    bench.let_go()

    assert await stays == 6


async def test_nobody_waits_for_ever_on_a_lane_that_was_cancelled() -> None:
    bench = Bench()
    first = bench.submit(1)
    await bench.reach(1)
    waiting = bench.submit(2, 3)
    await until(lambda: len(bench.combiner._at_home._waiting) == 2)
    for lane in bench.combiner._at_home._tasks:
        lane.cancel()

    ended = await asyncio.gather(*first, *waiting, return_exceptions=True)

    assert [type(answer) for answer in ended] == [asyncio.CancelledError] * 3
    after = bench.submit(4)
    bench.let_go()
    assert await asyncio.gather(*after) == [8]


async def test_nobody_waits_for_ever_on_work_that_answers_too_little() -> None:
    async def short(items: Sequence[int]) -> list[int | Exception]:
        return []

    combiner: Combiner[int, int] = Combiner(short)
    lost = asyncio.create_task(combiner.submit(1))
    await until(lambda: combiner._at_home._open == 1)
    (lane,) = (task for task in combiner._at_home._tasks if not task.done())

    with pytest.raises(asyncio.CancelledError):
        await lost
    with pytest.raises(ValueError, match="zip"):
        await lane


class Away:
    """A database that fails in one way for everything from the item `since` on."""

    def __init__(self, failure: Exception, *, since: int = 0) -> None:
        self.failure = failure
        self.since = since
        self.batches: list[list[int]] = []
        self.combiner: Combiner[int, int] = Combiner(self._work)

    async def _work(self, items: Sequence[int]) -> list[int | Exception]:
        self.batches.append(list(items))
        if len(items) > 1 or items[0] >= self.since:
            raise self.failure
        return [item * 2 for item in items]

    async def answers(self, *items: int) -> list[int | BaseException]:
        return await asyncio.gather(
            *(self.combiner.submit(item) for item in items), return_exceptions=True
        )


async def test_a_database_that_cannot_be_reached_is_asked_once_for_a_whole_batch() -> None:
    away = Away(DatabaseUnreachable())

    assert await away.answers(1, 2, 3) == [away.failure] * 3
    assert away.batches == [[1, 2, 3]]


async def test_a_database_that_goes_away_between_two_items_is_not_asked_for_the_rest() -> None:
    away = Away(asyncpg.AdminShutdownError(), since=2)

    assert await away.answers(1, 2, 3, 4) == [2, *[away.failure] * 3]
    assert away.batches == [[1, 2, 3, 4], [1], [2]]


async def test_any_other_failure_of_an_item_alone_stays_its_own() -> None:
    away = Away(asyncpg.DataError(), since=2)

    assert await away.answers(1, 2, 0, 3) == [2, away.failure, 0, away.failure]
    assert away.batches == [[1, 2, 0, 3], [1], [2], [0], [3]]


async def test_a_lane_that_finds_everything_taken_hands_on_no_empty_batch() -> None:
    sizes: list[int] = []

    async def work(items: Sequence[int]) -> list[int | Exception]:
        sizes.append(len(items))
        await asyncio.sleep(0)
        return list(items)

    combiner = Combiner[int, int](work, concurrency=3, most=64)

    answers = await asyncio.gather(*(combiner.submit(number) for number in range(100)))

    assert answers == list(range(100))
    assert sum(sizes) == 100
    assert 0 not in sizes


async def test_calls_that_arrive_together_travel_together() -> None:
    sizes: list[int] = []

    async def work(items: Sequence[int]) -> list[int | Exception]:
        sizes.append(len(items))
        return list(items)

    await asyncio.gather(
        *(
            Combiner.submit(combiner, number)
            for combiner in [Combiner[int, int](work)]
            for number in range(9)
        )
    )

    assert sizes == [9]


async def test_what_nobody_waits_for_any_more_is_not_begun() -> None:
    """Their time was over before their turn came: doing it all the same would only keep the next
    ones waiting.
    """
    begun: list[int] = []
    has_begun, may_end = asyncio.Event(), asyncio.Event()

    async def work(items: Sequence[int]) -> list[int | Exception]:
        begun.extend(items)
        has_begun.set()
        await may_end.wait()
        return list(items)

    combiner = Combiner[int, int](work)
    first = asyncio.create_task(combiner.submit(1))
    await has_begun.wait()
    gone, staying = (asyncio.create_task(combiner.submit(number)) for number in (2, 3))
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.sleep(0)
    may_end.set()

    assert (await first, await staying) == (1, 3)
    assert begun == [1, 3]


async def test_who_left_is_not_tried_alone_when_a_batch_fails() -> None:
    tried: list[Sequence[int]] = []
    under_way = asyncio.Event()

    async def work(items: Sequence[int]) -> list[int | Exception]:
        tried.append(list(items))
        if len(items) > 1:
            under_way.set()
            await asyncio.sleep(0)
            raise asyncpg.LockNotAvailableError
        return list(items)

    combiner = Combiner[int, int](work)
    left, stayed = (asyncio.create_task(combiner.submit(number)) for number in (1, 2))
    await under_way.wait()
    left.cancel()

    assert await stayed == 2
    assert tried == [[1, 2], [2]]
