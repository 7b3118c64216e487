"""Loops that fail and are begun again."""

import asyncio

import pytest

from core.foundation.batches import Batches
from workers import polling


async def test_a_loop_that_is_told_to_stop_between_two_tries_runs_once_more_to_finish(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(polling, "RESTART_DELAY_SECONDS", 60.0)
    stop, runs = asyncio.Event(), 0

    async def run(_: asyncio.Event, __: Batches) -> None:
        nonlocal runs
        runs += 1
        if runs == 1:
            asyncio.get_running_loop().call_later(0.01, stop.set)
            raise ConnectionError("the database is away")

    await asyncio.wait_for(polling.keep_running("a_job", run, stop), 10)
    assert runs == 2


async def test_a_loop_that_fails_when_it_was_told_to_stop_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stop, runs = asyncio.Event(), 0

    async def run(_: asyncio.Event, __: Batches) -> None:
        nonlocal runs
        runs += 1
        stop.set()
        raise ConnectionError("the database is away")

    await asyncio.wait_for(polling.keep_running("a_job", run, stop), 10)
    assert runs == 1
