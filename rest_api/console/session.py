"""`/console/session`: logging in, reading who is logged in, going on in the other environment, and
logging out in a browser.
"""

from contextlib import suppress
from typing import Any

from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from core import organizations
from core.foundation.dry_run import NotRehearsable
from core.foundation.errors import MethodNotAllowed, ServiceError, Unauthorized, UnsupportedMedia
from core.foundation.language import note_header
from core.foundation.security.caller import Caller
from core.foundation.validation.inputs import read_body
from core.organizations.errors import InvalidCredential
from rest_api.console.browser_session import (
    CLEARING,
    CSRF_HEADER,
    cleared_by,
    has_cookie,
    keeping,
    new_csrf_token,
    require_csrf_token,
    require_own_page,
    token_in_cookie,
)
from rest_api.support.answers import send_json
from rest_api.support.asgi_endpoint import AsgiEndpoint
from rest_api.support.deadlines import deadlines, task_of
from rest_api.support.dry_runs import ECHO, asks_for_dry_run, rehearse
from rest_api.support.measure import CALLER
from rest_api.support.methods import allow_of
from rest_api.support.problems import send_problem
from rest_api.support.prompt import read_promptly
from rest_api.support.requests import Headers, address_of

MAX_BODY_BYTES = 10_000

Added = tuple[tuple[bytes, bytes], ...]

OURS_ALONE: Added = (
    (b"cache-control", b"no-store"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
)


class ConsoleSession(AsgiEndpoint):
    """The session of one browser. Only pages of ours may ask; programs have `/v2/sessions`."""

    def __init__(self) -> None:
        super().__init__("/console/session", allow=allow_of(["GET", "POST", "PUT", "DELETE"]))

    async def _answer(
        self, scope: Scope, receive: Receive, send: Send, headers: Headers, request_id: str
    ) -> int:
        note_header(headers.get(b"accept-language"))
        match scope["method"]:
            case "GET" | "HEAD":
                require_own_page(headers, told=False)
                status, content, added = await _read(scope, headers, request_id)
            case "POST":
                require_own_page(headers, told=True)
                status, content, added = await _log_in(scope, receive, headers, request_id)
            case "PUT":
                require_own_page(headers, told=True)
                status, content, added = await _switch(scope, receive, headers, request_id)
            case "DELETE":
                require_own_page(headers, told=True)
                status, content, added = await _log_out(scope, headers, request_id)
            case _:
                raise MethodNotAllowed
        deadlines.end(task_of(scope))
        await send_json(send, status, content, request_id=request_id, headers=OURS_ALONE + added)
        return status

    async def _refuse(
        self, send: Send, refusal: ServiceError, scope: Scope, request_id: str
    ) -> int:
        headers = Headers(scope["headers"])
        added = OURS_ALONE
        if scope["method"] != "POST":  # a log-in that fails leaves another one as it is
            added += cleared_by(refusal, headers)
        return await send_problem(
            send, refusal, scope, request_id=request_id, allow=self._allow, headers=added
        )


async def _read(
    scope: Scope, headers: Headers, request_id: str
) -> tuple[int, dict[str, Any] | None, Added]:
    """Who is logged in, with a new CSRF token; nothing where nobody ever was."""
    if not has_cookie(headers):
        return 204, None, ()
    token = token_in_cookie(headers)
    if token is None:
        raise InvalidCredential
    return 200, await _told(await _caller_of(token, scope, request_id), token), ()


async def _log_in(
    scope: Scope, receive: Receive, headers: Headers, request_id: str
) -> tuple[int, dict[str, Any], Added]:
    """A new session, whatever cookie came along; the session of that one ends."""
    new = read_body(organizations.NewSession, await _sent(scope, receive, headers))
    if asks_for_dry_run(headers):
        raise NotRehearsable
    opened = await organizations.open_session(new, address=address_of(scope), request_id=request_id)
    before = token_in_cookie(headers)
    if before is not None:
        await _end(before, scope, request_id)
    caller = await _caller_of(opened["token"], scope, request_id)
    return 201, await _told(caller, opened["token"]), keeping(opened["token"])


async def _switch(
    scope: Scope, receive: Receive, headers: Headers, request_id: str
) -> tuple[int, dict[str, Any], Added]:
    """A session of the other environment in place of this one."""
    token = token_in_cookie(headers)
    if token is None:
        raise InvalidCredential
    require_csrf_token(headers.get(CSRF_HEADER), token)
    wanted = read_body(organizations.EnvironmentSwitch, await _sent(scope, receive, headers))
    if asks_for_dry_run(headers):
        raise NotRehearsable
    caller = await _caller_of(token, scope, request_id)
    if caller.env == wanted.env:
        return 200, await _told(caller, token), ()
    new = await organizations.switch_environment(caller, wanted.env)
    return 200, await _told(await _caller_of(new, scope, request_id), new), keeping(new)


async def _sent(scope: Scope, receive: Receive, headers: Headers) -> bytes:
    _must_be_json(headers)
    task = task_of(scope)
    deadlines.end(task)  # what is sent slowly has a clock of its own
    raw = await read_promptly(receive, headers, limit=MAX_BODY_BYTES)
    deadlines.begin(task)
    return raw


async def _log_out(scope: Scope, headers: Headers, request_id: str) -> tuple[int, None, Added]:
    """The session ends and the cookie goes; one that had ended already is as good."""
    token = token_in_cookie(headers)
    if token is None:
        return 204, None, CLEARING
    require_csrf_token(headers.get(CSRF_HEADER), token)
    if asks_for_dry_run(headers):
        caller = await _caller_of(token, scope, request_id)
        await rehearse(caller, lambda: organizations.end_session(caller))
        return 204, None, ECHO
    await _end(token, scope, request_id)
    return 204, None, CLEARING


async def _caller_of(token: str, scope: Scope, request_id: str) -> Caller:
    caller = await organizations.authenticate(
        token, request_id=request_id, address=address_of(scope)
    )
    scope[CALLER] = caller
    return caller


async def _end(token: str, scope: Scope, request_id: str) -> None:
    with suppress(Unauthorized):
        await organizations.end_session(await _caller_of(token, scope, request_id))


async def _told(caller: Caller, token: str) -> dict[str, Any]:
    """What `GET /v2/me` tells, and a CSRF token."""
    return {**await organizations.get_me(caller), "csrfToken": new_csrf_token(token)}


def _must_be_json(headers: Headers) -> None:
    """A form of another page cannot send this type without asking first."""
    media = (headers.get(b"content-type") or "").partition(";")[0].strip().lower()
    if media != "application/json":
        raise UnsupportedMedia(
            "Send the log-in as JSON in UTF-8, with the header Content-Type: application/json."
        )


routes = [Route("/console/session", ConsoleSession())]
