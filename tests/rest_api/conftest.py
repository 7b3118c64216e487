"""A client of the REST door, in the loop and the transaction of the test."""

from collections.abc import AsyncIterator

import httpx
import pytest

from rest_api.app import create_app


@pytest.fixture
async def rest(clean_slate: None) -> AsyncIterator[httpx.AsyncClient]:
    """Calls the application without a network."""
    transport = httpx.ASGITransport(app=create_app(), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://svc.test") as client:
        yield client
