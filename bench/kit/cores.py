"""Who runs where: the measured process has a core to itself, everything that serves the measurement
another.

What is compared is then the cost of our code, not the luck of the scheduler.
"""

import os

_CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]

MEASURED = _CORES[0]
"""The process under test."""
AROUND = _CORES[1] if len(_CORES) > 1 else _CORES[0]
"""PostgreSQL, Redis, the load generator, the receiver of webhooks."""


def stay_on(core: int) -> None:
    """Keep this process, and what it starts from now on, on one core (where the system can)."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})


def number_of_cores() -> int:
    """How many cores this process may use."""
    return len(_CORES)
