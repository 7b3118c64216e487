"""What a request leaves in memory: nothing that waits for the cyclic collector."""

import gc
import weakref
from typing import Any

import httpx
import pytest
from structlog.testing import capture_logs

from core.foundation.errors import NotFound
from rest_api.app import create_app


class Unexpected(Exception):
    """A fault of ours."""


@pytest.mark.parametrize(("raised", "status"), [(NotFound, 404), (Unexpected, 500)])
@pytest.mark.usefixtures("database")
async def test_what_was_raised_is_let_go_with_the_request(
    raised: type[Exception], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[weakref.ref[Exception]] = []

    async def fails(*_: Any, **__: Any) -> None:
        failure = raised()
        told.append(weakref.ref(failure))
        try:
            raise failure
        finally:
            del failure

    monkeypatch.setattr("rest_api.support.endpoint.authenticate", fails)
    transport = httpx.ASGITransport(app=create_app())
    async with httpx.AsyncClient(transport=transport, base_url="http://svc.test") as client:
        gc.disable()
        try:
            # Structlog's own console would look at the values in frames, which keeps them there.
            with capture_logs() as lines:
                answer = await client.get("/v2/sms/messages")
            lines.clear()
            assert answer.status_code == status
            assert [failure() for failure in told] == [None]
        finally:
            gc.enable()
