"""Batched jobs of the workers: each batch is counted, and logged at a bounded rate."""

import math
import time

import structlog

from core.foundation.observability.metrics import Counter, Histogram

log = structlog.get_logger()

LINE_EVERY_SECONDS = 1.0
"""Under load many batches share a line; a lone one has its own at once."""

# Not `job`: so Prometheus calls a group of targets.
ROWS = Counter("svc_worker_rows_total", "Due rows that the workers have taken.", ("task",))
SECONDS = Histogram(
    "svc_worker_batch_seconds",
    "How long one batch of due rows took.",
    ("task",),
    bounds=(0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)
FAILURES = Counter(
    "svc_worker_failures_total", "Batches that failed and are tried again.", ("task",)
)


class Batches:
    """The batches of one job in this process."""

    def __init__(self, job: str) -> None:
        self._job = job
        self._rows = ROWS.labels(job)
        self._seconds = SECONDS.labels(job)
        self._told_at = -math.inf
        self._forget()

    def done(self, rows: int, *, started: float) -> None:
        """A batch took this many rows. `started`: what time.perf_counter said then. Nothing due is
        nothing done.
        """
        if not rows:
            return
        seconds = time.perf_counter() - started
        self._rows.add(rows)
        self._seconds.observe(seconds)
        log.debug("batch", job=self._job, rows=rows, ms=round(seconds * 1000, 1))
        self._untold.append((rows, seconds))
        if time.monotonic() >= self._told_at + LINE_EVERY_SECONDS:
            self.tell()

    def tell(self) -> None:
        """Write the line of what was done since the last one."""
        if not self._untold:
            return
        seconds = [seconds for _, seconds in self._untold]
        log.info(
            "worked",
            job=self._job,
            batches=len(seconds),
            rows=sum(rows for rows, _ in self._untold),
            ms=round(sum(seconds) * 1000, 1),
            slowest_ms=round(max(seconds) * 1000, 1),
        )
        self._told_at = time.monotonic()
        self._forget()

    def _forget(self) -> None:
        self._untold: list[tuple[int, float]] = []
