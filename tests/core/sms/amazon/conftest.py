"""Live SMS that Amazon carries, against the fake of it."""

from collections.abc import AsyncIterator

import pytest

from core.foundation import settings
from core.foundation.security import rate_limit
from core.providers import registry
from tests.fakes.aws import FakeAws, an_aws

QUEUE = "https://sqs.sa-east-1.amazonaws.com/123456789012/svc-events"


@pytest.fixture
async def aws(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FakeAws]:
    """Amazon carries every route; events come by its queue."""
    async with an_aws() as aws:
        with monkeypatch.context() as patched:
            for name, value in {
                "AWS_ENDPOINT_URL": aws.url,
                "AWS_ACCESS_KEY_ID": "of-the-test",
                "AWS_SECRET_ACCESS_KEY": "of-the-test",
                "SVC_EUM_ORIGIN_PREMIUM": "pool-1",
                "SVC_EUM_ORIGIN_OTP": "pool-2",
                "SVC_EUM_CONFIGURATION_SET": "svc",
                "SVC_AMAZON_EVENTS_QUEUE": QUEUE,
                "SVC_AMAZON_PARTS_PER_SECOND": "10000",
            }.items():
                patched.setenv(name, value)
            settings.current.cache_clear()
            rate_limit.use_buckets(rate_limit.LocalBuckets())
            await registry.open_providers(settings.current())
            yield aws
            await registry.close_providers()
        settings.current.cache_clear()
