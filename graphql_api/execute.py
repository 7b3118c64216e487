"""From the body of a request to its answer."""

from dataclasses import dataclass
from typing import Any

import orjson
from graphql import ExecutionResult, GraphQLError, OperationType
from graphql.execution import Executor

from core.dashboards.reading import count_records
from core.foundation.caller import Caller
from core.foundation.errors import BadRequest, ServiceError, ValidationFailed
from graphql_api import cost
from graphql_api.context import Context
from graphql_api.documents import read_document
from graphql_api.errors import as_wire
from graphql_api.executor import RecordExecutor
from graphql_api.registered import PersistedQueryNotFound, document_of
from graphql_api.schema import graphql_schema


@dataclass(frozen=True, slots=True)
class Request:
    """One operation as it was asked for."""

    query: str
    variables: dict[str, Any] | None
    operation: str | None


@dataclass(frozen=True, slots=True)
class Answer:
    """`ran` is False when the operation was refused before anything was executed."""

    content: dict[str, Any]
    ran: bool


async def answer(caller: Caller, raw: bytes) -> Answer:
    """Run one operation. `raw`: JSON of `{query, variables?, operationName?, extensions?}`.

    Raises BadRequest for anything else, and RateLimited when the credential's points do not suffice.
    """
    try:
        request = await read_request(caller, raw)
    except PersistedQueryNotFound as unknown:  # an answer of the convention, not a fault
        return Answer(_refused(caller, [_as_error(unknown)]).content, ran=True)
    return await run(caller, request)


async def run(caller: Caller, request: Request) -> Answer:
    """Run a query or a mutation. Raises BadRequest for a subscription, RateLimited."""
    document = read_document(request.query)
    if document.node is None:
        return _refused(caller, document.errors)
    if document.operation(request.operation) is OperationType.SUBSCRIPTION:
        raise BadRequest("Subscriptions come over a WebSocket: connect to this address with graphql-transport-ws.")
    executor = RecordExecutor.build(
        graphql_schema,
        document.node,
        context_value=Context(caller),
        raw_variable_values=request.variables,
        operation_name=request.operation,
    )
    if not isinstance(executor, Executor):
        return _refused(caller, executor)
    try:
        requested = cost.requested_by(executor)
        await cost.take(caller, requested)
    except ValidationFailed as refusal:
        return _refused(caller, [_as_error(refusal)])
    with count_records() as records:
        result = executor.execute_operation()
        if not isinstance(result, ExecutionResult):
            result = await result  # type: ignore[misc]
    content: dict[str, Any] = {"data": result.data}
    if result.errors:
        content["errors"] = [as_wire(error, request_id=caller.request_id) for error in result.errors]
    actual = cost.actual_of(executor, records.number, requested=requested)
    content["extensions"] = {"cost": cost.settle_for(caller, requested=requested, actual=actual)}
    return Answer(content, ran=True)


def _refused(caller: Caller, errors: list[GraphQLError]) -> Answer:
    return Answer({"errors": [as_wire(error, request_id=caller.request_id) for error in errors]}, ran=False)


def _as_error(refusal: ServiceError) -> GraphQLError:
    return GraphQLError(refusal.detail, original_error=refusal)


async def read_request(caller: Caller, raw: bytes) -> Request:
    """The operation of a body. Raises BadRequest."""
    try:
        body = orjson.loads(raw)
    except orjson.JSONDecodeError:
        raise BadRequest("The body is not JSON; send an object with `query`.") from None
    if not isinstance(body, dict):
        raise BadRequest("Send one operation: an object with `query`. Batches are not taken.")
    query, variables, operation = body.get("query"), body.get("variables"), body.get("operationName")
    if not isinstance(variables, dict | None) or not isinstance(operation, str | None):
        raise BadRequest("`variables` is an object and `operationName` a text, where they are sent.")
    if not isinstance(query, str | None):
        raise BadRequest("Send the document as the text `query`.")
    extensions = body.get("extensions") or {}
    if not isinstance(extensions, dict):
        raise BadRequest("`extensions` is an object, where it is sent.")
    if (persisted := extensions.get("persistedQuery")) is not None:
        query = await document_of(caller, persisted, query)
    if query is None:
        raise BadRequest("Send the document as the text `query`.")
    return Request(query, variables, operation)
