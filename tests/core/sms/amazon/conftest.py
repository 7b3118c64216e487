"""Live SMS that Amazon carries, against the fake of it."""

from collections.abc import AsyncIterator

import pytest

from core.foundation import settings
from core.foundation.security import rate_limit
from core.providers import registry
from tests.fakes.aws import FakeAws, an_aws
from tests.support.amazon import amazon_settings


@pytest.fixture
async def aws(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FakeAws]:
    """Amazon carries every route; events come by its queue."""
    async with an_aws() as aws:
        with monkeypatch.context() as patched:
            for name, value in amazon_settings(aws).items():
                patched.setenv(name, value)
            settings.current.cache_clear()
            rate_limit.use_buckets(rate_limit.LocalBuckets())
            await registry.open_providers(settings.current())
            yield aws
            await registry.close_providers()
        settings.current.cache_clear()
