"""Sockets of pages: browsers connect wherever a page says, so the service looks whose page it is."""

from collections.abc import Iterator

import pytest
from websockets.exceptions import InvalidStatus

from core.foundation import settings
from tests.factories.organizations import a_key
from tests.graphql_api.subscriptions.conftest import Serving

APP = "https://app.example.com"


@pytest.fixture
def let_in(monkeypatch: pytest.MonkeyPatch, database: None) -> Iterator[None]:
    with monkeypatch.context() as patched:
        patched.setenv("SVC_CORS_ORIGINS", APP)
        settings.current.cache_clear()
        yield
    settings.current.cache_clear()


async def test_a_program_connects_without_an_origin(server: Serving) -> None:
    async with server.plain(key=await a_key()):
        pass


async def test_a_page_of_ours_connects(server: Serving) -> None:
    own = server.url.replace("ws://", "http://").removesuffix("/graphql")
    for origin in (own, own.replace("http:", "https:"), settings.current().base_url):
        async with server.plain(key=await a_key(), origin=origin):
            pass


@pytest.mark.usefixtures("let_in")
async def test_a_page_of_an_origin_that_is_let_in_connects(server: Serving) -> None:
    async with server.plain(key=await a_key(), origin=APP):
        pass


@pytest.mark.usefixtures("let_in")
@pytest.mark.parametrize("origin", ["https://evil.example", f"{APP}.evil.example", "null"])
async def test_a_page_of_another_origin_does_not(server: Serving, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with server.plain(origin=origin):
            pass
    assert refused.value.response.status_code == 403


async def test_no_page_of_another_origin_connects_without_the_setting(server: Serving) -> None:
    with pytest.raises(InvalidStatus):
        async with server.plain(origin=APP):
            pass
