"""What the tests of several domains share."""

from collections.abc import Iterator

import pytest

from core.foundation import settings


@pytest.fixture
def billing_off(database: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An installation that charges nothing."""
    with monkeypatch.context() as patched:
        patched.setenv("SVC_BILLING", "off")
        settings.current.cache_clear()
        yield
    settings.current.cache_clear()
