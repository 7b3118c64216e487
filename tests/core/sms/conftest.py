"""What the tests of SMS share."""

from collections.abc import Iterator

import pytest

from core.foundation import settings


@pytest.fixture
def billing_off(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An installation that charges nothing."""
    monkeypatch.setenv("SVC_BILLING", "off")
    settings.current.cache_clear()
    yield
    monkeypatch.undo()
    settings.current.cache_clear()
