"""The waits between attempts, as the decisions list them."""

from datetime import UTC, datetime, timedelta

import pytest

from core.webhooks.delivery.retry_policy import backoff, is_exhausted, next_due

AT = datetime(2025, 1, 1, tzinfo=UTC)
DEFAULT_WAITS = [30, 120, 480, 1_920, 7_680, 30_720, 43_200]


def due_in(
    *,
    n_failed: int = 1,
    backoff: int = 30,
    status: int | None = 500,
    retry_after: float | None = None,
) -> float:
    due = next_due(
        AT,
        n_failed=n_failed,
        backoff_seconds=backoff,
        jitter=0,
        status=status,
        retry_after=retry_after,
    )
    return (due - AT).total_seconds()


def test_the_default_waits_add_up_to_about_23_hours() -> None:
    waits = [backoff(n, 30, 0).total_seconds() for n in range(1, 8)]
    assert waits == DEFAULT_WAITS
    assert 23 <= sum(waits) / 3_600 < 24


def test_the_largest_setting_lasts_about_4_7_days() -> None:
    waits = [backoff(n, 3_600, 0) for n in range(1, 12)]
    assert waits[:3] == [timedelta(hours=1), timedelta(hours=4), timedelta(hours=12)]
    assert 4.7 <= sum(waits, timedelta()) / timedelta(days=1) < 4.75


@pytest.mark.parametrize("backoff_seconds", [5, 30, 3_600])
@pytest.mark.parametrize("n_failed", [12, 1_000, 10**9])
def test_no_wait_grows_beyond_twelve_hours(backoff_seconds: int, n_failed: int) -> None:
    assert backoff(n_failed, backoff_seconds, 0) == timedelta(hours=12)


@pytest.mark.parametrize(
    ("jitter", "share"), [(-1, 0.8), (-0.5, 0.9), (0, 1), (0.5, 1.1), (1, 1.2)]
)
@pytest.mark.parametrize("n_failed", range(1, 8))
def test_jitter_moves_a_wait_by_up_to_a_fifth(n_failed: int, jitter: float, share: float) -> None:
    wait = backoff(n_failed, 30, jitter).total_seconds()
    assert wait == pytest.approx(DEFAULT_WAITS[n_failed - 1] * share)


@pytest.mark.parametrize(
    ("status", "retry_after", "seconds"),
    [
        (429, 120, 120),
        (503, 120, 120),
        (503, 0.5, 30),  # never sooner than planned
        (503, 0, 30),
        (429, 3_600, 3_600),
        (429, 86_400, 3_600),  # up to an hour
        (429, 1e10, 3_600),
        (429, None, 30),
        (500, 120, 30),  # others may not ask
        (301, 120, 30),
        (None, None, 30),
    ],
)
def test_retry_after_is_honoured_up_to_an_hour(
    status: int | None, retry_after: float | None, seconds: float
) -> None:
    assert due_in(status=status, retry_after=retry_after) == seconds


def test_a_short_retry_after_does_not_shorten_a_long_wait() -> None:
    assert due_in(n_failed=6, status=503, retry_after=3_600) == 30_720


@pytest.mark.parametrize(
    ("attempts", "most", "is_spent"),
    [(0, 1, False), (1, 1, True), (7, 8, False), (8, 8, True), (9, 8, True)],
)
def test_attempts_are_spent_when_all_were_made(attempts: int, most: int, is_spent: bool) -> None:
    assert is_exhausted(attempts, most) is is_spent
