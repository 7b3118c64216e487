"""Work side by side, all of which is to end."""

import asyncio
import gc
import weakref
from contextlib import suppress

import pytest

from core.foundation.gathering import run_all


class Failure(Exception):
    """One that a weak reference can be had of."""


async def test_one_that_fails_stops_none_of_the_others() -> None:
    ended: list[str] = []

    async def fails() -> None:
        raise Failure

    async def goes_on() -> None:
        await asyncio.sleep(0)
        ended.append("the other")

    with pytest.raises(Failure):
        await run_all([fails(), goes_on()])

    assert ended == ["the other"]


async def test_a_failure_is_let_go_once_it_is_handled() -> None:
    async def fails(told: list["weakref.ref[BaseException]"]) -> None:
        failure = Failure()
        told.append(weakref.ref(failure))
        try:
            raise failure
        finally:
            del failure

    told: list[weakref.ref[BaseException]] = []
    gc.disable()
    try:
        with suppress(Failure):
            await run_all([fails(told), fails(told)])
        assert [failure() for failure in told] == [None, None]
    finally:
        gc.enable()
