"""An operation of the API: credential, scope, headers, body, one use case, answer."""

import time
from collections.abc import Mapping

from starlette.types import Receive, Scope, Send

from core import idempotency, sandbox_clock
from core.cells import come_after, wait_to_write
from core.foundation.clock import now, wire_time
from core.foundation.database.heavy_work import heavy_work
from core.foundation.errors import BadRequest, FieldError, MethodNotAllowed, NotFound, ServiceError
from core.foundation.language import note_header
from core.foundation.security.caller import STRANGER, Caller
from core.foundation.turns import long_step, note_light_request
from core.foundation.validation.inputs import Input, read_body_in_turns
from core.foundation.validation.json_syntax import NotJson
from core.organizations import authenticate
from rest_api.support.answers import long_lists_written, send_json
from rest_api.support.asgi_endpoint import AsgiEndpoint
from rest_api.support.deadlines import deadlines, task_of
from rest_api.support.dry_runs import ECHO, asks_for_dry_run, rehearse
from rest_api.support.failures import refusal_for
from rest_api.support.limits import CLOCK, clock_headers, limit_headers
from rest_api.support.measure import CALLER
from rest_api.support.methods import allow_of
from rest_api.support.once import run_once
from rest_api.support.operations import Operation
from rest_api.support.problems import as_listed
from rest_api.support.prompt import read_promptly
from rest_api.support.queries import read_query_of, warned
from rest_api.support.requests import (
    Call,
    EncodedSent,
    FormSent,
    Headers,
    OtherSuccess,
    address_of,
    bearer_token,
    came_slowly,
    is_encoded,
    is_form,
    other_format,
    read_all,
)
from rest_api.support.streams import Exchange, Streamed
from rest_api.support.uploads import read_upload

REPLAYED = ((b"idempotent-replayed", b"true"),)

REHEARSED = "svc.rehearsed"
"""Under what a request's scope remembers that nothing was done. Of what only reads, the header says
nothing.
"""

LONG_BODY = 200_000
"""Bytes from which on bodies are read one after the other: several that come at once, each of them
milliseconds, would be one long wait for others.
"""


class Endpoint(AsgiEndpoint):
    """All operations of one path."""

    def __init__(self, operations: Mapping[str, Operation]) -> None:
        (route,) = {operation.path for operation in operations.values()}
        super().__init__(route, allow=allow_of(operations))
        self._operations = dict(operations)
        if get := self._operations.get("GET"):
            self._operations["HEAD"] = get

    async def _answer(
        self, scope: Scope, receive: Receive, send: Send, headers: Headers, request_id: str
    ) -> int:
        operation = self._operations.get(scope["method"])
        if operation is None:
            methods = self._allow.decode()
            raise MethodNotAllowed(
                f"This address exists, but not with this method; it takes {methods}."
            )
        note_header(headers.get(b"accept-language"))
        content = await _run(operation, scope, receive, headers, request_id)
        deadlines.end(task_of(scope))  # so has what is read slowly
        if type(content) is Streamed:
            return await content.write(Exchange(scope, receive, send, headers, request_id))
        status = operation.status
        added = limit_headers()
        if type(content) is OtherSuccess:
            content, status = content.content, operation.other_status or status
        elif isinstance(content, idempotency.StoredAnswer):
            status, content = content.status, content.body
        if operation.takes_key and idempotency.was_replayed():
            added += REPLAYED
        if REHEARSED in scope:
            added += ECHO
        added += clock_headers(scope)
        asked = headers if operation.method == "GET" else None
        await send_json(
            send, status, content, request_id=request_id, headers=added, compress_for=asked
        )
        return status

    def _refusal_for(self, error: BaseException, method: str) -> ServiceError:
        operation = self._operations.get(method)
        if operation is None:
            return super()._refusal_for(error, method)
        return as_listed(refusal_for(error, operation.summary), operation.errors)


async def _run(
    operation: Operation, scope: Scope, receive: Receive, headers: Headers, request_id: str
) -> object:
    address = address_of(scope)
    if operation.public:
        caller = STRANGER.at_work(request_id)
    else:
        caller = await authenticate(bearer_token(headers), request_id=request_id, address=address)
        scope[CALLER] = caller
        if operation.method != "GET":
            await wait_to_write(caller.organization_id)
        if caller.has_clock:
            async with sandbox_clock.time_of(caller):
                scope[CLOCK] = wire_time(now())
                return await _run_as(caller, operation, scope, receive, headers)
    return await _run_as(caller, operation, scope, receive, headers)


async def _run_as(
    caller: Caller, operation: Operation, scope: Scope, receive: Receive, headers: Headers
) -> object:
    if operation.scope is not None:
        caller.require(operation.scope)
    path: dict[str, str] = scope.get("path_params", {})
    if path and any("\x00" in part for part in path.values()):
        raise NotFound
    call = Call(caller, path, address_of(scope))
    if operation.takes_key:
        idempotency.note_replay(False)
        call.idempotency_key = _idempotency_key(headers, required=operation.needs_key)
    if operation.query is not None or operation.warns:
        read_query_of(operation, call, scope)
    raw = (
        await _take_body(operation, call, scope, receive, headers) if operation.takes_body else b""
    )
    if operation.method != "GET" and asks_for_dry_run(headers):
        scope[REHEARSED] = True
        return await rehearse(caller, lambda: _do(operation, call, raw))
    if operation.is_heavy(call.query):
        async with heavy_work(caller):
            content = await _do(operation, call, raw)
            return await long_lists_written(content) if type(content) is dict else content
    note_light_request()
    return await _do(operation, call, raw)


async def _do(operation: Operation, call: Call, raw: bytes) -> object:
    if call.idempotency_key is None or operation.keys_itself:
        content = await operation.handler(call)
        return warned(content, call.warnings) if call.warnings else content
    return await run_once(operation, call, raw)


async def _take_body(
    operation: Operation, call: Call, scope: Scope, receive: Receive, headers: Headers
) -> bytes:
    """Put the body into the call, and answer it as it came. What is sent slowly has a clock of its
    own.
    """
    raw = b""
    task = task_of(scope)
    deadlines.end(task)
    began = time.monotonic()
    if operation.reads is not None:
        call.body = operation.reads(receive, headers, limit=operation.body_limit)
        return raw
    if operation.body is not None:
        read = read_promptly if operation.public else read_all
        raw = await read(receive, headers, limit=operation.body_limit)
        may_be_empty = operation.body_optional and not raw
        if may_be_empty:
            call.body = operation.body()
        elif len(raw) <= LONG_BODY:
            call.body = await _read_body(operation.body, raw, headers)
        else:
            async with long_step():
                call.body = await _read_body(operation.body, raw, headers)
    else:
        call.body = await read_upload(receive, headers, limit=operation.body_limit)
    if came_slowly(began) and not operation.public:
        await come_after(call.caller.organization_id)
    deadlines.begin(task)
    return raw


async def _read_body(model: type[Input], raw: bytes, headers: Headers) -> Input:
    """JSON is read whatever its type is called: curl calls what it sends a form, unless told
    otherwise.
    """
    try:
        return await read_body_in_turns(model, raw)
    except NotJson:
        if is_encoded(headers):
            raise EncodedSent from None
        if not raw.lstrip().startswith((b"{", b"[")) and is_form(headers):
            raise FormSent from None
        if (sent := other_format(headers)) is not None:
            raise sent from None
        raise


def _idempotency_key(headers: Headers, *, required: bool) -> str | None:
    key = headers.get(b"idempotency-key")
    if key is None and required:
        raise BadRequest(
            "Send the header Idempotency-Key: a new text for each new request, the same one to "
            "repeat it.",
            errors=[FieldError("header", "Idempotency-Key", "required", "This header is required")],
        )
    if key is not None and not idempotency.is_key(key):
        raise idempotency.InvalidKey
    return key
