"""An orderly end: told to stop, a process says so at /readyz, then closes its port and finishes
what is open.

The server itself closes the port and waits; this stands before its handlers of signals.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

import structlog

from rest_api.support import access_log

log = structlog.get_logger()

ENDED_AT_ONCE = 1
"""The exit status of a process that was told twice."""


class Stopping:
    """Whether this process was told to stop."""

    def __init__(self) -> None:
        self.told = False

    def listen(self, *, notice: float) -> None:
        """Stand before the server's handlers of SIGTERM and SIGINT, which are called `notice`
        seconds later.

        Being told a second time ends the process at once, with status 1. One of several processes
        leaves that to the one above it, because a terminal or an init system may signal both; and
        should that one be killed, nobody is left to tell us, and the port would stay taken: it
        counts as being told.
        """
        if threading.current_thread() is not threading.main_thread():
            return
        loop = asyncio.get_running_loop()
        above = multiprocessing.parent_process()
        for number in (signal.SIGTERM, signal.SIGINT):
            served = signal.getsignal(number)
            if callable(served):
                signal.signal(number, self._handler(served, notice, alone=above is None))
        if above is not None:
            loop.add_reader(above.sentinel, _end_without_parent, loop, above.sentinel)

    def _handler(
        self, served: Callable[[int, FrameType | None], Any], notice: float, *, alone: bool
    ) -> Callable[[int, FrameType | None], None]:
        loop = asyncio.get_running_loop()

        def told(number: int, _: FrameType | None) -> None:
            if not self.told:
                self.told = True
                loop.call_soon_threadsafe(_begin, lambda: served(number, None), notice)
            elif alone:
                access_log.stop()
                os._exit(ENDED_AT_ONCE)

        return told


def _begin(close: Callable[[], Any], notice: float) -> None:
    log.info("api_stopping", notice_seconds=notice)
    asyncio.get_running_loop().call_later(notice, close)


def _end_without_parent(loop: asyncio.AbstractEventLoop, sentinel: int) -> None:
    loop.remove_reader(sentinel)
    log.warning("parent_gone")
    os.kill(os.getpid(), signal.SIGTERM)
