"""Statistics of one process: event loop lag, CPU, memory and how busy its connections are."""

import asyncio
import resource
import sys
import time
from contextlib import suppress

from core.cells import HOME
from core.foundation.database import db
from core.foundation.observability.metrics import Counter, Gauge, Histogram

SAMPLE_INTERVAL = 1.0

LAG = Histogram(
    "svc_event_loop_lag_seconds",
    "How much later than asked for the event loop came back, looked at every second.",
    bounds=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5),
)
PROCESSES = Gauge("svc_processes", "Processes of this port that are running.")
CPU = Counter("svc_process_cpu_seconds_total", "CPU time that the processes have used.")
MEMORY = Gauge("svc_process_peak_memory_bytes", "The largest memory that the processes have had.")
POOL = Gauge("svc_database_pool", "Connections of the processes' pools.", ("pool", "state"))

CELL_POOL = Gauge(
    "svc_cell_database_pool",
    "As svc_database_pool, of a cell besides the home.",
    ("cell", "pool", "state"),
)

_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in what getrusage calls ru_maxrss."""


class ProcessStats:
    """Looks every second until it is stopped."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None
        self._cpu = 0.0

    def start(self) -> None:
        """Begin, in the running loop; the database is open."""
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """End."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        clock = asyncio.get_running_loop().time
        while True:
            self._look()
            asked = clock() + SAMPLE_INTERVAL
            await asyncio.sleep(SAMPLE_INTERVAL)
            LAG.labels().observe(max(0.0, clock() - asked))

    def _look(self) -> None:
        used, self._cpu = time.process_time() - self._cpu, time.process_time()
        CPU.labels().add(used)
        PROCESSES.labels().set(1)
        MEMORY.labels().set(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT)
        for pool in db.pools():
            told = {"in_use": pool.in_use, "idle": pool.idle, "most": pool.most}
            for state, count in told.items():
                if pool.cell == HOME.name:
                    POOL.labels(pool.name, state).set(count)
                else:
                    CELL_POOL.labels(pool.cell, pool.name, state).set(count)
