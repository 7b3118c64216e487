"""The client and the world of every replay."""

from collections.abc import AsyncIterator

import pytest

from core.providers import registry
from tests.fakes.provider import ScriptedProvider
from tests.rest_api.conftest import at_once, rest
from tests.support.receiver import Receiver, a_receiver

__all__ = ["at_once", "rest"]


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    """A customer's endpoint on this machine."""
    async with a_receiver() as receiver:
        yield receiver


@pytest.fixture
async def provider() -> AsyncIterator[ScriptedProvider]:
    """Who serves live SMS during the test."""
    provider = ScriptedProvider()
    registry.register(provider, "sms", "rcs")
    yield provider
    await registry.close_providers()
