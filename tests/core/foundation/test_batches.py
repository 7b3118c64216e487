"""What a job of the workers does is told, but not line by line."""

from itertools import count
from typing import Any

import pytest
from structlog.testing import capture_logs

from core.foundation import batches
from core.foundation.batches import Batches
from core.foundation.observability.metrics.cells import cells

JOBS = (f"job_of_a_test_{number}" for number in count())


def lines(told: list[Any]) -> list[tuple[int, int]]:
    """Batches and rows of each line at info."""
    return [(line["batches"], line["rows"]) for line in told if line["event"] == "worked"]


def counted(job: str) -> tuple[float, float]:
    """Rows and batches in the metrics."""
    everything = cells.everything()
    return (
        everything["svc_worker_rows_total", (job,)][0],
        sum(everything["svc_worker_batch_seconds", (job,)][:-1]),
    )


def test_a_lone_batch_is_told_at_once() -> None:
    with capture_logs() as told:
        Batches(next(JOBS)).done(3, started=0)

    assert lines(told) == [(1, 3)]


def test_batches_that_follow_each_other_share_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "LINE_EVERY_SECONDS", 3600)
    job = Batches(next(JOBS))

    with capture_logs() as told:
        job.done(1, started=0)
        job.done(2, started=0)
        monkeypatch.setattr(batches, "LINE_EVERY_SECONDS", 0)
        job.done(3, started=0)

    assert lines(told) == [(1, 1), (2, 5)]


def test_what_was_not_told_yet_is_told_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "LINE_EVERY_SECONDS", 3600)
    job = Batches(next(JOBS))

    with capture_logs() as told:
        job.done(1, started=0)
        job.done(2, started=0)
        job.tell()
        job.tell()

    assert lines(told) == [(1, 1), (1, 2)]


def test_nothing_due_is_nothing_done() -> None:
    job = next(JOBS)

    with capture_logs() as told:
        Batches(job).done(0, started=0)

    assert told == []
    assert counted(job) == (0, 0)


def test_rows_and_batches_are_counted() -> None:
    job = next(JOBS)
    done = Batches(job)

    done.done(3, started=0)
    done.done(4, started=0)

    assert counted(job) == (7, 2)
