"""Who runs where: the measured process has a core to itself, everything that serves the measurement
another.

What is compared is then the cost of our code, not the luck of the scheduler.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

_CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]

MEASURED = _CORES[0]
"""The process under test."""
AROUND = _CORES[1] if len(_CORES) > 1 else _CORES[0]
"""PostgreSQL, Redis, the load generator, the receiver of webhooks."""


def stay_on(core: int) -> None:
    """Keep this process, and what it starts from now on, on one core (where the system can)."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})


@contextmanager
def served_first() -> Iterator[None]:
    """Whoever asks in this thread never waits for the core (where the system allows it): clients are
    machines of their own in life, and wait for no turn of PostgreSQL's.
    """
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    except (AttributeError, OSError):  # another system, or no right to it
        yield
        return
    try:
        yield
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def number_of_cores() -> int:
    """How many cores this process may use."""
    return len(_CORES)
