"""Somebody's browser: a page of ours that has logged in, for tests."""

from typing import Any

import httpx

from tests.factories.accounts import PASSWORD, an_account

OWN_PAGE = {"Origin": "https://svc.test", "Sec-Fetch-Site": "same-origin"}
"""What a browser says of a page of ours that posts."""

COOKIE = "__Host-svc_session"


async def log_in(
    rest: httpx.AsyncClient, email: str, password: str = PASSWORD, **more: Any
) -> httpx.Response:
    """Post the form of a page of ours; the browser does not keep the cookie by itself."""
    headers = {**OWN_PAGE, **more.pop("headers", {})}
    body = {"email": email, "password": password, **more}
    answer = await rest.post("/console/session", json=body, headers=headers)
    rest.cookies.clear()
    return answer


def cookie_of(answer: httpx.Response) -> str:
    """The value of the cookie that an answer sets."""
    name, _, value = answer.headers["set-cookie"].partition(";")[0].partition("=")
    assert name == COOKIE
    return str(value)


def with_cookie(token: str, csrf: str | None = None) -> dict[str, str]:
    """What a browser and our page send once somebody has logged in."""
    headers = {**OWN_PAGE, "Cookie": f"{COOKIE}={token}"}
    return headers if csrf is None else {**headers, "X-CSRF-Token": csrf}


async def a_browser(rest: httpx.AsyncClient, **changes: Any) -> tuple[str, str]:
    """Somebody has logged in, in the sandbox: the cookie's token and a CSRF token."""
    account = await an_account(**changes)
    answer = await log_in(rest, account["email"], env="test")
    assert answer.status_code == 201, answer.text
    return cookie_of(answer), answer.json()["csrfToken"]
