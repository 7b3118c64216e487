"""Code that reads foreign bytes is cut off from outside."""

import asyncio
import re
import signal
from collections.abc import Callable

import pytest
import uvloop

from core.foundation.security.cpu_limit import CpuLimitExceeded, cpu_limit


def an_exponential_pattern() -> None:
    re.match(r"(?:a|a)*b", "a" * 100)


def a_loop() -> None:
    while True:
        try:
            len("")
        except Exception:
            return


@pytest.mark.parametrize("work", [an_exponential_pattern, a_loop])
def test_it_is_cut_off(work: Callable[[], None]) -> None:
    with pytest.raises(CpuLimitExceeded), cpu_limit(0.05):
        work()


def test_also_in_the_loop_that_serves() -> None:
    async def serve() -> str:
        with pytest.raises(CpuLimitExceeded), cpu_limit(0.05):
            an_exponential_pattern()
        await asyncio.sleep(0)
        return "goes on"

    assert uvloop.run(serve()) == "goes on"


def test_what_is_in_time_leaves_nothing_behind() -> None:
    before = signal.getsignal(signal.SIGVTALRM)

    with cpu_limit():
        pass

    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGVTALRM) == before


def test_a_failure_passes_and_ends_the_limit() -> None:
    with pytest.raises(ValueError, match="theirs"), cpu_limit():
        raise ValueError("theirs")

    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)
