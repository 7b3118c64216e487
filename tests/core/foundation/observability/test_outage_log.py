"""One line of each kind and second, however many come upon an outage."""

import pytest
from structlog.testing import capture_logs

from core.foundation.observability import outage_log
from core.foundation.observability.outage_log import tell_outage


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    at = [0.0]
    monkeypatch.setattr("core.foundation.observability.outage_log.time.monotonic", lambda: at[0])
    monkeypatch.setattr(outage_log, "_told_at", {})
    monkeypatch.setattr(outage_log, "_untold", {})
    return at


def test_one_line_a_second_tells_how_many_there_were(clock: list[float]) -> None:
    with capture_logs() as lines:
        for clock[0] in (0.0, 0.1, 0.9, 1.0, 1.5, 7.0):
            tell_outage("database_away", ConnectionError("10.1.2.3"), operation="a send")
        tell_outage("redis_is_away")

    assert [(line["event"], line.get("also")) for line in lines] == [
        ("database_away", None),
        ("database_away", 2),
        ("database_away", 1),
        ("redis_is_away", None),
    ]
    assert (lines[0]["error"], lines[0]["operation"], lines[0]["log_level"]) == (
        "ConnectionError",
        "a send",
        "warning",
    )
