"""What the tests of webhooks share."""

from collections.abc import AsyncIterator, Iterator

import pytest

from core import webhooks
from core.foundation import http_client, settings
from core.foundation.http_client import GuardedClient
from core.webhooks import outbound_policy
from tests.support.receiver import Receiver, a_receiver


@pytest.fixture
async def http(database: None) -> AsyncIterator[GuardedClient]:
    """The guarded client, which may reach this machine."""
    session = http_client.open_client(webhooks.policy())
    yield session
    await session.close()


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    """A customer's endpoint on this machine."""
    async with a_receiver() as receiver:
        yield receiver


@pytest.fixture
def nothing_private(database: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The addresses as they are guarded in production: https and the public internet only."""
    monkeypatch.delenv("SVC_WEBHOOK_ALLOW_NETWORKS")
    monkeypatch.delenv("SVC_WEBHOOK_ALLOW_HTTP")
    settings.current.cache_clear()
    outbound_policy.policy.cache_clear()
    yield
    monkeypatch.undo()
    settings.current.cache_clear()
    outbound_policy.policy.cache_clear()
