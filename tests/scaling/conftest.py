"""What the tests of other layouts share."""

from collections.abc import AsyncIterator

import pytest

from core import webhooks
from core.foundation import http_client
from core.foundation.http_client import GuardedClient
from core.providers import registry
from tests.fakes.provider import ScriptedProvider


@pytest.fixture
async def http(database: None) -> AsyncIterator[GuardedClient]:
    """The guarded client, which may reach this machine."""
    session = http_client.open_client(webhooks.policy())
    yield session
    await session.close()


@pytest.fixture
async def provider() -> AsyncIterator[ScriptedProvider]:
    """Who serves live SMS during the test."""
    provider = ScriptedProvider()
    registry.register(provider, "sms")
    yield provider
    await registry.close_providers()
