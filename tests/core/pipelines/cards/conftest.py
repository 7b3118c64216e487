"""The pipeline that these tests work on."""

import pytest

from core.foundation.security.caller import Caller
from tests.factories.cards import Deals, some_deals


@pytest.fixture
async def deals(caller: Caller) -> Deals:
    return await some_deals(caller)
