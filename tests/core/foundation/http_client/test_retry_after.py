"""The header by which a server asks for time."""

from datetime import UTC, datetime

import pytest

from core.foundation.http_client.retry_after import seconds_to_wait

AT = datetime(2025, 6, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0),
        ("120", 120),
        (" 120 ", 120),
        ("9" * 10, 9_999_999_999),
        ("9" * 5_000, 1e10),
        ("Sun, 01 Jun 2025 12:02:00 GMT", 120),
        ("Sun, 01 Jun 2025 12:02:00 -0000", 120),
        ("Sun, 01 Jun 2025 14:02:00 +0200", 120),
        ("Sunday, 01-Jun-25 12:02:00 GMT", 120),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0),
        (None, None),
        ("", None),
        ("-1", None),
        ("1.5", None),
        ("1e3", None),
        ("١٢", None),
        ("soon", None),
        ("Wed, 99 Foo 2099 99:99:99 GMT", None),
        ("Fri, 31 Dec 9999 23:59:59 -2359", 7974.4 * 365.25 * 86_400),
        ("\ufffd" * 4_000, None),
    ],
)
def test_seconds_and_dates_are_read_and_nonsense_is_ignored(
    value: str | None, seconds: float | None
) -> None:
    read = seconds_to_wait(value, AT)
    assert read == (None if seconds is None else pytest.approx(seconds, rel=0.01))
