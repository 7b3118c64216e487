"""What moves clocks in these tests: a worker's mover, and requests at the time of the sandbox."""

from collections.abc import AsyncIterator, Iterator

import pytest

from core import webhooks
from core.foundation import moved_clocks
from core.foundation.http_client import GuardedClient, open_client
from tests.support.receiver import Receiver, a_receiver

__all__: list[str] = []


@pytest.fixture(autouse=True)
def nobody_held() -> Iterator[None]:
    """No sandbox has a clock."""
    moved_clocks.hold(())
    yield
    moved_clocks.hold(())


@pytest.fixture
async def http(database: None) -> AsyncIterator[GuardedClient]:
    client = open_client(webhooks.policy(), limit=64)
    yield client
    await client.close()


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with a_receiver() as receiver:
        yield receiver
