"""What the tests of SMS share."""

from collections.abc import AsyncIterator, Iterator

import pytest

from core.foundation import settings
from core.foundation.security import rate_limit
from core.foundation.security.rate_limit import LocalBuckets
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
def own_buckets() -> None:
    """Ceilings that nobody has taken from."""
    rate_limit.use_buckets(LocalBuckets())


@pytest.fixture
async def provider() -> AsyncIterator[ScriptedProvider]:
    """Who serves live SMS during the test."""
    provider = ScriptedProvider()
    registry.register(provider, "sms")
    yield provider
    await registry.close_providers()
