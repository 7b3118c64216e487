"""AWS on this machine, and calls of it with keys of the test."""

from collections.abc import AsyncIterator

import aiohttp
import pytest

from core.providers.amazon.signer import Keys
from core.providers.gateway import open_session
from tests.fakes.aws import FakeAws, an_aws


class TestKeys:
    """Credentials that are there."""

    __test__ = False

    async def keys(self) -> Keys:
        return Keys("AKIDEXAMPLE", "secret", None)


@pytest.fixture
async def aws(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FakeAws]:
    async with an_aws() as aws:
        monkeypatch.setenv("AWS_ENDPOINT_URL", aws.url)
        yield aws


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with open_session() as session:
        yield session


@pytest.fixture
def keys() -> TestKeys:
    return TestKeys()
