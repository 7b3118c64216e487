"""Signals that end a command which runs until somebody stops it."""

import asyncio
import signal


def until_told_to_stop() -> asyncio.Event:
    """An event that is set by SIGINT (Ctrl-C) or SIGTERM."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop
