"""The hook for middleware of an operator's own."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from core.foundation import settings
from core.foundation.settings import SettingsError
from rest_api.app import create_app
from rest_api.support.asgi_middleware import UNEXPECTED

SEEN: list[Any] = []


class Tracing:
    """As Sentry's or OpenTelemetry's: it sees requests begin and end, and what was unexpected."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)
        if scope["type"] == "http":
            SEEN.append((scope["path"], scope.get(UNEXPECTED)))


@pytest.fixture
def named(database: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    SEEN.clear()
    with monkeypatch.context() as patched:
        patched.setenv("SVC_ASGI_MIDDLEWARE", f"{__name__}:Tracing")
        settings.current.cache_clear()
        yield patched
    settings.current.cache_clear()


async def ask(path: str) -> httpx.Response:
    transport = httpx.ASGITransport(app=create_app())
    async with httpx.AsyncClient(transport=transport, base_url="http://svc.test") as client:
        return await client.get(path)


async def test_the_middleware_is_around_every_request(named: pytest.MonkeyPatch) -> None:
    assert (await ask("/v2/sms/messages")).status_code == 401
    assert (await ask("/nowhere")).status_code == 404
    assert SEEN == [("/v2/sms/messages", None), ("/nowhere", None)]


async def test_it_is_given_the_exception_behind_an_answer_of_500(
    named: pytest.MonkeyPatch,
) -> None:
    fault = RuntimeError("a fault of ours")

    async def fails(*_: Any, **__: Any) -> None:
        raise fault

    named.setattr("rest_api.support.endpoint.authenticate", fails)
    answer = await ask("/v2/sms/messages")

    assert (answer.status_code, "a fault of ours" in answer.text) == (500, False)
    assert [("/v2/sms/messages", fault)] == SEEN


async def test_without_the_setting_nothing_is_around(database: None) -> None:
    app = create_app()
    assert app.wrapped == app.dispatch


@pytest.mark.parametrize("name", ["no_such_module:x", "tests.rest_api.speaking:no_such_name"])
async def test_a_name_of_nothing_is_a_wrong_setting(named: pytest.MonkeyPatch, name: str) -> None:
    named.setenv("SVC_ASGI_MIDDLEWARE", name)
    settings.current.cache_clear()
    with pytest.raises(SettingsError, match="SVC_ASGI_MIDDLEWARE"):
        create_app()
