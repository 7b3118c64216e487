"""The way of every request through the door: credential, scope, headers, body, one deed, the answer."""

from collections.abc import Mapping

from starlette.types import Receive, Scope, Send

from core import idempotency
from core.foundation.caller import STRANGER
from core.foundation.errors import (
    BadRequest,
    FieldError,
    MethodNotAllowed,
    NotFound,
    ServiceError,
    ValidationFailed,
)
from core.foundation.inputs import QueryInput, read_body, read_query
from core.organizations import authenticate
from rest_api.support.answers import send_json
from rest_api.support.door import Door
from rest_api.support.failures import refusal_for
from rest_api.support.limits import limit_headers
from rest_api.support.measure import CALLER
from rest_api.support.methods import allow_of
from rest_api.support.once import run_once
from rest_api.support.operations import Operation
from rest_api.support.problems import as_listed
from rest_api.support.prompt import read_promptly
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
)
from rest_api.support.streams import Exchange, Streamed
from rest_api.support.uploads import read_upload

REPLAYED = ((b"idempotent-replayed", b"true"),)


class Endpoint(Door):
    """All operations of one path."""

    def __init__(self, operations: Mapping[str, Operation]) -> None:
        (route,) = {operation.path for operation in operations.values()}
        super().__init__(route, allow=allow_of(operations))
        self._operations = dict(operations)
        if get := self._operations.get("GET"):
            self._operations["HEAD"] = get

    async def _answer(self, scope: Scope, receive: Receive, send: Send, headers: Headers, request_id: str) -> int:
        operation = self._operations.get(scope["method"])
        if operation is None:
            raise MethodNotAllowed
        content = await _run(operation, scope, receive, headers, request_id)
        if type(content) is Streamed:
            return await content.write(Exchange(scope, receive, send, headers, request_id))
        status = operation.status
        added = limit_headers()
        if type(content) is Repeated:
            content, status = content.content, operation.repeat_status or status
        elif isinstance(content, idempotency.Answer):
            status, content = content.status, content.body
        if operation.takes_key and idempotency.was_replayed():
            added += REPLAYED
        await send_json(send, status, content, request_id=request_id, headers=added)
        return status

    def _refusal_for(self, error: BaseException, method: str) -> ServiceError:
        operation = self._operations.get(method)
        if operation is None:
            return super()._refusal_for(error, method)
        return as_listed(refusal_for(error, operation.summary), operation.errors)


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
    if operation.takes_key:
        idempotency.note_replay(False)
        call.idempotency_key = _idempotency_key(headers, required=operation.needs_key)
    if operation.query is not None:
        _read_query(operation, call, scope)
    raw = b""
    if operation.reads is not None:
        call.body = operation.reads(receive, headers, limit=operation.body_limit)
    elif operation.body is not None:
        read = read_promptly if operation.public else read_all
        raw = await read(receive, headers, limit=operation.body_limit)
        call.body = operation.body() if operation.body_optional and not raw else read_body(operation.body, raw)
    elif operation.takes_file:
        call.body = await read_upload(receive, headers, limit=operation.body_limit)
    if call.idempotency_key is None or operation.keys_itself:
        return await operation.handler(call)
    return await run_once(operation, call, raw)


def _idempotency_key(headers: Headers, *, required: bool) -> str | None:
    key = headers.get(b"idempotency-key")
    if key is None and required:
        raise BadRequest(
            "Send the header Idempotency-Key: a new text for each new request, the same one to repeat it.",
            errors=[FieldError("header", "Idempotency-Key", "required", "This header is required")],
        )
    if key is not None and not idempotency.is_key(key):
        raise idempotency.InvalidKey
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
