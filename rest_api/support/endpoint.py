"""The way of every request through the door: credential, scope, headers, body, one deed, the answer."""

import asyncio
import time
from collections.abc import Mapping

import structlog
from starlette.types import Receive, Scope, Send

from core.foundation import rate_limit
from core.foundation.caller import STRANGER
from core.foundation.errors import (
    BadRequest,
    FieldError,
    Internal,
    MethodNotAllowed,
    NotFound,
    ServiceError,
    ServiceUnavailable,
    ValidationFailed,
)
from core.foundation.inputs import QueryInput, read_body, read_query
from core.foundation.outages import DatabaseAway, is_outage
from core.idempotency import InvalidKey, is_key
from core.organizations import authenticate
from rest_api.support.answers import send_json
from rest_api.support.limits import limit_headers
from rest_api.support.measure import CALLER, Measures
from rest_api.support.methods import allow_of, send_options, without_body
from rest_api.support.operations import Operation
from rest_api.support.problems import as_listed, send_problem
from rest_api.support.requests import (
    NOT_STORABLE,
    Call,
    Headers,
    Repeated,
    address_of,
    bearer_token,
    is_text,
    query_pairs,
    read_all,
    request_id_of,
)
from rest_api.support.uploads import read_upload

log = structlog.get_logger()


class Endpoint:
    """All operations of one path, as an ASGI application."""

    def __init__(self, operations: Mapping[str, Operation]) -> None:
        self._operations = dict(operations)
        self._allow = allow_of(operations)
        if get := self._operations.get("GET"):
            self._operations["HEAD"] = get
        (route,) = {operation.path for operation in operations.values()}
        self._measures = Measures(route)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = time.perf_counter()
        headers = Headers(scope["headers"])
        request_id = request_id_of(headers)
        structlog.contextvars.bind_contextvars(request_id=request_id)
        measure = self._measures.of(scope["method"])
        if scope["method"] == "OPTIONS":
            await send_options(send, allow=self._allow, request_id=request_id)
            measure.done(204, started=started, request_id=request_id, caller=None)
            return
        if scope["method"] == "HEAD":
            send = without_body(send)
        operation = self._operations.get(scope["method"])
        rate_limit.note(None)
        try:
            if operation is None:
                raise MethodNotAllowed
            content = await _run(operation, scope, receive, headers, request_id)
            status = operation.status
            if type(content) is Repeated:
                content, status = content.content, operation.repeat_status or status
            await send_json(send, status, content, request_id=request_id, headers=limit_headers())
        except ServiceError as error:
            listed = as_listed(error, operation.errors) if operation else error
            status = await send_problem(send, listed, path=scope["path"], request_id=request_id, allow=self._allow)
        except (Exception, asyncio.CancelledError) as error:
            refusal = _refusal_for(error, operation)
            status = await send_problem(send, refusal, path=scope["path"], request_id=request_id)
        measure.done(status, started=started, request_id=request_id, caller=scope.get(CALLER))


class CutOff(ServiceUnavailable):
    default_detail = (
        "The service stopped here before the answer was known; repeat the request in a moment, with the same "
        "Idempotency-Key if it had one."
    )

    def __init__(self) -> None:
        super().__init__(retry_after=1)


def _refusal_for(error: BaseException, operation: Operation | None) -> ServiceError:
    """What the caller learns of a failure that no deed foresaw: the database is away, this process ends, or it is a
    fault of ours.
    """
    summary = operation.summary if operation else None
    if isinstance(error, asyncio.CancelledError):
        log.warning("cut_off", operation=summary)
        return CutOff()
    if is_outage(error):
        log.warning("database_away", operation=summary, error=type(error).__name__)
        return DatabaseAway()
    log.error("unexpected", operation=summary, exc_info=error)
    return Internal()


async def _run(operation: Operation, scope: Scope, receive: Receive, headers: Headers, request_id: str) -> object:
    address = address_of(scope)
    if operation.public:
        caller = STRANGER.at_work(request_id)
    else:
        caller = await authenticate(bearer_token(headers), request_id=request_id, address=address)
        scope[CALLER] = caller
    if operation.scope is not None:
        caller.require(operation.scope)
    path: dict[str, str] = scope.get("path_params", {})
    if any("\x00" in part for part in path.values()):
        raise NotFound
    call = Call(caller, path, address)
    if operation.needs_key or operation.takes_key:
        call.idempotency_key = _idempotency_key(headers, required=operation.needs_key)
    if operation.query is not None:
        _read_query(operation, call, scope)
    if operation.body is not None:
        raw = await read_all(receive, headers, limit=operation.body_limit)
        call.body = operation.body() if operation.body_optional and not raw else read_body(operation.body, raw)
    if operation.takes_file:
        call.body = await read_upload(receive, headers, limit=operation.body_limit)
    return await operation.handler(call)


def _idempotency_key(headers: Headers, *, required: bool) -> str | None:
    key = headers.get(b"idempotency-key")
    if key is None and required:
        raise BadRequest(
            "Send the header Idempotency-Key: a new text for each new request, the same one to repeat it.",
            errors=[FieldError("header", "Idempotency-Key", "required", "This header is required")],
        )
    if key is not None and not is_key(key):
        raise InvalidKey
    return key


def _read_query(operation: Operation, call: Call, scope: Scope) -> None:
    assert operation.query is not None
    pairs = query_pairs(scope)
    if operation.lenient:
        call.query, call.warnings = _read_leniently(operation.query, pairs)
        return
    known = {field.alias or name for name, field in operation.query.model_fields.items()}
    garbled = [name for name, value in pairs if name in known and not is_text(value)]
    if garbled:
        raise ValidationFailed(
            errors=[FieldError("parameter", name, "not_utf8", "Write the text in UTF-8") for name in garbled]
        )
    call.query = read_query(operation.query, pairs)


def _read_leniently(model: type[QueryInput], pairs: list[tuple[str, str]]) -> tuple[QueryInput, tuple[str, ...]]:
    """The query of an operation that lists neither 400 nor 422, and warnings.

    A filter that is no text matches nothing, as every unknown value; a number that is none is left out.
    """
    pairs = [(name, NOT_STORABLE.sub("\ufffd", value)) for name, value in pairs]
    try:
        return read_query(model, pairs), ()
    except ValidationFailed as invalid:
        wrong = {error.where for error in invalid.errors}
        read = read_query(model, [pair for pair in pairs if pair[0] not in wrong])
        return read, tuple(f"{name}_ignorado_invalido" for name in sorted(wrong))
