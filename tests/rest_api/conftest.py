"""A client of the REST entry point, in the loop and the transaction of the test."""

from collections.abc import AsyncIterator
from functools import cache

import httpx
import pytest

from rest_api.app import Service, create_app
from tests.rest_api.contract import keeps_to_the_document
from tests.support.log_ins import at_once

__all__ = ["at_once"]


@cache
def the_app() -> Service:
    """One application for all tests, as a process has one."""
    return create_app()


@pytest.fixture
async def rest(clean_slate: None) -> AsyncIterator[httpx.AsyncClient]:
    """Calls the application without a network; every answer is checked against the OpenAPI
    document.
    """
    transport = httpx.ASGITransport(app=the_app(), raise_app_exceptions=False)
    hooks = {"response": [keeps_to_the_document]}
    async with httpx.AsyncClient(
        transport=transport, base_url="http://svc.test", event_hooks=hooks
    ) as client:
        yield client
