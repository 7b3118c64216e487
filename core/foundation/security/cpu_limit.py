"""A CPU time limit for code that reads foreign bytes, enforced from outside (decision 0012)."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

SECONDS = 1.0
"""What is read takes milliseconds."""


class CpuLimitExceeded(Exception):
    """The block was cut off."""


class _Interrupt(BaseException):
    """Passes through every `except Exception` of the code that is cut off."""


@contextmanager
def cpu_limit(seconds: float = SECONDS) -> Iterator[None]:
    """Cut the block off after so much time of the processor, also inside of a regular expression.

    For code without an `await`, in the main thread: there Python runs the handlers of signals. The
    clock is that of this process at work, so a machine that is busy with others cuts nothing off.
    Raises CpuLimitExceeded.
    """
    before = signal.signal(signal.SIGVTALRM, _interrupt)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    except _Interrupt:
        raise CpuLimitExceeded from None
    finally:
        signal.signal(signal.SIGVTALRM, before)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    raise _Interrupt
