"""An orderly end: told to stop, a process says so at /readyz, then closes its port and finishes what is open.

The server itself closes the port and waits; this stands before its handlers of signals.
"""

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

import structlog

from rest_api.support import access_log

log = structlog.get_logger()

LOOK_SECONDS = 1.0
ENDED_AT_ONCE = 1
"""The exit status of a process that was told twice."""


class Stopping:
    """Whether this process was told to stop."""

    def __init__(self) -> None:
        self.told = False

    def listen(self, *, notice: float, one_of_several: bool) -> None:
        """Stand before the server's handlers of SIGTERM and SIGINT, which are called `notice` seconds later.

        Being told a second time ends the process at once, with status 1. One of several processes leaves that to
        the one above it: a terminal or an init system may signal both.
        """
        if threading.current_thread() is not threading.main_thread():
            return
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            served = signal.getsignal(number)
            if callable(served):
                signal.signal(number, self._handler(loop, served, notice, one_of_several))

    def _handler(
        self,
        loop: asyncio.AbstractEventLoop,
        served: Callable[[int, FrameType | None], Any],
        notice: float,
        one_of_several: bool,
    ) -> Callable[[int, FrameType | None], None]:
        def told(number: int, frame: FrameType | None) -> None:
            if not self.told:
                self.told = True
                loop.call_soon_threadsafe(self._begin, lambda: served(number, None), notice)
            elif not one_of_several:
                access_log.stop()
                os._exit(ENDED_AT_ONCE)

        return told

    @staticmethod
    def _begin(close: Callable[[], Any], notice: float) -> None:
        log.info("api_stopping", notice_seconds=notice)
        asyncio.get_running_loop().call_later(notice, close)


async def end_without(parent: int) -> None:
    """Watch the process above: should it be killed, nobody is left to tell us, and the port would stay taken."""
    while os.getppid() == parent:  # noqa: ASYNC110 - no event tells of it
        await asyncio.sleep(LOOK_SECONDS)
    log.warning("parent_gone")
    os.kill(os.getpid(), signal.SIGTERM)
