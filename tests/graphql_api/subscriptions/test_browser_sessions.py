"""Sockets of a browser that has logged in: the cookie counts with a CSRF token, from our pages."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from core import organizations
from core.foundation.security.caller import Caller
from graphql_api.subscriptions.connection import Pace
from rest_api.console.browser_session import COOKIE, new_csrf_token
from tests.factories.accounts import a_session
from tests.factories.organizations import a_key
from tests.graphql_api.subscriptions.conftest import Serving, hear, say
from tests.support.waiting import PATIENCE

ASK = {"query": "{ me { env } }"}


def page_of(server: Serving) -> str:
    """The origin of our own pages, over TLS."""
    return server.url.replace("ws://", "https://").removesuffix("/graphql")


def cookie(token: str) -> dict[str, str]:
    return {"Cookie": f"{COOKIE}={token}"}


async def closing_of(server: Serving, payload: dict[str, Any], **options: Any) -> tuple[int, str]:
    """How a socket ends that introduces itself like this."""
    with pytest.raises(ConnectionClosed) as closed:
        async with server.plain(**options) as socket:
            await say(socket, type="connection_init", payload=payload)
            await hear(socket)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code, closed.value.rcvd.reason


async def test_the_cookie_opens_with_a_csrf_token_from_our_page(server: Serving) -> None:
    token = await a_session()
    options: dict[str, Any] = {"origin": page_of(server), "additional_headers": cookie(token)}
    async with server.plain(**options) as socket:
        payload = {"X-CSRF-Token": new_csrf_token(token)}
        await say(socket, type="connection_init", payload=payload)
        assert (await hear(socket))["type"] == "connection_ack"
        await say(socket, type="subscribe", id="1", payload=ASK)
        assert (await hear(socket))["payload"]["data"] == {"me": {"env": "TEST"}}


async def test_without_its_token_the_cookie_opens_nothing(server: Serving) -> None:
    token, other = await a_session(), await a_session()
    options: dict[str, Any] = {"origin": page_of(server), "additional_headers": cookie(token)}

    for payload in ({}, {"X-CSRF-Token": new_csrf_token(other)}, {"X-CSRF-Token": 1}):
        code, reason = await closing_of(server, payload, **options)
        assert (code, "X-CSRF-Token" in reason) == (4403, True)


async def test_without_an_origin_the_cookie_opens_nothing(server: Serving) -> None:
    token = await a_session()
    payload = {"X-CSRF-Token": new_csrf_token(token)}
    headers = {**cookie(token), "Sec-Fetch-Site": "same-origin"}

    code, reason = await closing_of(server, payload, additional_headers=headers)

    assert (code, reason.startswith("Forbidden: Only pages of this service")) == (4403, True)


async def test_a_page_without_tls_has_no_use_of_the_cookie(server: Serving) -> None:
    token = await a_session()
    payload = {"X-CSRF-Token": new_csrf_token(token)}
    plain = page_of(server).replace("https:", "http:")

    code, _ = await closing_of(server, payload, origin=plain, additional_headers=cookie(token))

    assert code == 4403


async def test_what_is_shown_counts_before_the_cookie(server: Serving) -> None:
    key = await a_key("live")
    options: dict[str, Any] = {
        "origin": page_of(server),
        "additional_headers": cookie(await a_session()),
    }
    async with server.plain(key=key, **options) as socket:
        await say(socket, type="subscribe", id="1", payload=ASK)
        assert (await hear(socket))["payload"]["data"] == {"me": {"env": "LIVE"}}

    code, reason = await closing_of(server, {"key": "nothing"}, **options)
    assert (code, "not known" in reason) == (4403, True)


async def an_end(caller: Caller) -> None:
    """The session ends elsewhere."""
    await organizations.end_session(caller)


async def a_suspension(caller: Caller) -> None:
    """The account is suspended."""
    changes = organizations.AccountChanges.model_validate({"status": "suspended"})
    await organizations.change_account(caller.account_id or "", changes)
    organizations.clear_credential_cache()


@pytest.mark.parametrize("happens", [an_end, a_suspension])
async def test_a_session_that_is_over_loses_its_socket(
    with_pace: Callable[[Pace], Any], happens: Callable[[Caller], Awaitable[None]]
) -> None:
    token = await a_session()
    async with with_pace(Pace(recheck=0.05)) as server:
        options: dict[str, Any] = {"origin": page_of(server), "additional_headers": cookie(token)}
        async with server.plain(**options) as socket:
            payload = {"X-CSRF-Token": new_csrf_token(token)}
            await say(socket, type="connection_init", payload=payload)
            await hear(socket)
            await happens(await organizations.authenticate(token, request_id=None))
            with pytest.raises(ConnectionClosed) as closed:
                async with asyncio.timeout(PATIENCE):
                    await hear(socket)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4403
        code, _ = await closing_of(server, payload, **options)
        assert code == 4403, "nor does it open another"
