"""What the tests of SMS share."""

from collections.abc import AsyncIterator, Iterator

import pytest

from core.foundation import settings
from core.providers import registry
from tests.fakes.provider import ScriptedProvider


@pytest.fixture
def billing_off(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An installation that charges nothing."""
    monkeypatch.setenv("SVC_BILLING", "off")
    settings.current.cache_clear()
    yield
    monkeypatch.undo()
    settings.current.cache_clear()


@pytest.fixture
async def provider() -> AsyncIterator[ScriptedProvider]:
    """Who serves live SMS during the test."""
    provider = ScriptedProvider()
    registry.register(provider, "sms")
    yield provider
    await registry.close_providers()
