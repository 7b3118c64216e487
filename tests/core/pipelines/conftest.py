"""Who keeps the pipelines of these tests."""

import pytest

from core.foundation.security.caller import Caller
from tests.factories.organizations import a_caller


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller()
