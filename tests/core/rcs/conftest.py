"""What the tests of RCS share."""

from collections.abc import AsyncIterator

import pytest

from core.providers import registry
from tests.fakes.provider import ScriptedProvider


@pytest.fixture
async def provider() -> AsyncIterator[ScriptedProvider]:
    """Who serves live RCS, and the SMS that stand in, during the test."""
    provider = ScriptedProvider()
    registry.register(provider, "rcs")
    yield provider
    await registry.close_providers()
