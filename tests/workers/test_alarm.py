"""arq is held: whatever it does, the worker's alarm clock goes on."""

import asyncio
from collections.abc import Callable

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from tests.support.waiting import eventually
from workers import alarm


class FakeArq:
    """An arq worker that ends as the test says."""

    def __init__(self, run: Callable[[], None] | None = None, close: Callable[[], None] | None = None) -> None:
        self._run = run
        self._close = close

    async def async_run(self) -> None:
        if self._run is None:
            await asyncio.Event().wait()
        else:
            self._run()

    async def close(self) -> None:
        if self._close is None:
            await asyncio.Event().wait()
        else:
            self._close()


@pytest.mark.parametrize("ending", [asyncio.CancelledError(), RedisConnectionError("gone")], ids=repr)
async def test_the_alarm_clock_begins_again_however_arq_ended(
    monkeypatch: pytest.MonkeyPatch, ending: BaseException
) -> None:
    def fail() -> None:
        raise RedisConnectionError("restarted")

    def end() -> None:
        raise ending

    started: list[FakeArq] = []

    def worker(url: str, pumps: object) -> FakeArq:
        started.append(FakeArq(fail, end))
        return started[-1]

    monkeypatch.setattr(alarm, "_worker", worker)
    monkeypatch.setattr(alarm, "AFTER_FAILURE_SECONDS", 0.01)
    stop = asyncio.Event()
    listening = asyncio.create_task(alarm.listen("unused", {}, stop))

    await eventually(lambda: len(started) >= 3, "arq is started again and again")
    stop.set()
    await asyncio.wait_for(listening, 5)


async def test_told_to_stop_it_waits_for_a_hanging_redis_no_longer_than_a_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(alarm, "_worker", lambda *_: FakeArq())
    monkeypatch.setattr(alarm, "CLOSE_SECONDS", 0.1)
    stop = asyncio.Event()
    listening = asyncio.create_task(alarm.listen("unused", {}, stop))
    stop.set()
    await asyncio.wait_for(listening, 5)
