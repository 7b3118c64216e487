"""Pauses: ended by their event, by their time, and by a cancellation in the very turn of the event."""

import asyncio

import pytest

from core.foundation.pauses import pause


async def test_a_pause_ends_with_its_event() -> None:
    event = asyncio.Event()
    pausing = asyncio.create_task(pause(3_600, until=event))
    await asyncio.sleep(0)
    event.set()
    await pausing


async def test_a_pause_ends_with_its_time() -> None:
    await pause(0.001, until=asyncio.Event())


@pytest.mark.parametrize("turns", range(4))
async def test_a_cancellation_counts_in_the_turns_of_the_event_too(turns: int) -> None:
    event = asyncio.Event()

    async def pauses() -> None:
        await pause(3_600, until=event)
        await asyncio.Event().wait()

    pausing = asyncio.create_task(pauses())
    await asyncio.sleep(0)
    event.set()
    for _ in range(turns):
        await asyncio.sleep(0)
    pausing.cancel()
    done, _ = await asyncio.wait([pausing], timeout=60)
    assert done
    assert pausing.cancelled()
