"""The pipeline that these tests work on, and who keeps it."""

import pytest

from core.foundation.security.caller import Caller
from tests.factories.cards import Deals, some_deals
from tests.factories.organizations import a_caller


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller()


@pytest.fixture
async def deals(caller: Caller) -> Deals:
    return await some_deals(caller)
