"""From a request to its answer."""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

import orjson
from graphql import ExecutionResult, GraphQLError, OperationType
from graphql.execution import Executor

from core import sandbox_clock
from core.cells import wait_to_write
from core.foundation.clock import now, wire_time
from core.foundation.database.dry_runs import dry_run as dry_run_of
from core.foundation.database.dry_runs import with_suffix
from core.foundation.database.heavy_work import TooMuchAtOnce, heavy_work
from core.foundation.errors import BadRequest, MethodNotAllowed, ServiceError, ValidationFailed
from core.foundation.security.caller import Caller
from core.read_models.query_compiler import count_records
from graphql_api import cost
from graphql_api.context import Context
from graphql_api.documents import read_document
from graphql_api.errors import as_wire
from graphql_api.executor import RecordExecutor
from graphql_api.registered import PersistedQueryNotFound
from graphql_api.requests import Request, read_body, read_parameters, read_request
from graphql_api.schema import graphql_schema


@dataclass(frozen=True, slots=True)
class Answer:
    """`ran` is False when the operation was refused before anything was executed; `reads`: it was a
    query; `rehearsed`: a mutation of which nothing was done. `clock`: at what time of its sandbox it
    ran, where its clock was moved.
    """

    content: dict[str, Any]
    ran: bool
    reads: bool = False
    rehearsed: bool = False
    clock: str | None = None


class MutationByGet(MethodNotAllowed):
    """An address may be fetched by whoever shows it, or kept and fetched again: it must change
    nothing.
    """

    default_detail = "Send a mutation with POST; GET runs queries alone."


async def answer(caller: Caller, raw: bytes, *, dry_run: bool = False) -> Answer:
    """Run one operation. `raw`: JSON of `{query, variables?, operationName?, extensions?}`. In a
    `dry_run`, a mutation is answered and taken back.

    Raises BadRequest for anything else, RateLimited when the credential's points do not suffice, and
    what dry runs raise.
    """
    return await _answered(caller, read_body(raw), dry_run=dry_run)


async def answer_query(caller: Caller, parameters: Mapping[str, str]) -> Answer:
    """Run one query that came in the parameters of an address. Raises as `answer`, and
    MutationByGet.
    """
    return await _answered(caller, read_parameters(parameters), by_get=True)


async def _answered(
    caller: Caller, asked: Any, *, by_get: bool = False, dry_run: bool = False
) -> Answer:
    try:
        request = await read_request(caller, asked)
    except PersistedQueryNotFound as unknown:  # an answer of the convention, not a fault
        return Answer(_refused(caller, [_as_error(unknown)]).content, ran=True)
    if by_get and _changes_things(request):
        raise MutationByGet
    if dry_run and _changes_things(request):
        return await _rehearsed(caller, request)
    return await run(caller, request)


async def _rehearsed(caller: Caller, request: Request) -> Answer:
    """What a mutation answers, with nothing of it done."""
    async with dry_run_of(caller) as ids:
        given = await run(caller, request)
    content = orjson.loads(with_suffix(orjson.dumps(given.content), ids))
    return replace(given, content=content, reads=False, rehearsed=True)


async def run(caller: Caller, request: Request) -> Answer:
    """Run a query or a mutation, at the time of the caller's sandbox where its clock was moved.
    Raises BadRequest for a subscription, RateLimited.
    """
    if caller.has_clock:
        async with sandbox_clock.time_of(caller):
            return replace(await _run(caller, request), clock=wire_time(now()))
    return await _run(caller, request)


async def _run(caller: Caller, request: Request) -> Answer:
    document = read_document(request.query)
    if document.node is None:
        return _refused(caller, document.errors)
    if document.operation(request.operation) is OperationType.SUBSCRIPTION:
        raise BadRequest(
            "Subscriptions come over a WebSocket: connect to this address with "
            "graphql-transport-ws."
        )
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
    reads = document.operation(request.operation) is OperationType.QUERY
    if not reads:
        await wait_to_write(caller.organization_id)
    with count_records() as records:
        try:
            result = await _executed(executor, caller, reads=reads)
        except TooMuchAtOnce:
            cost.settle_for(caller, requested=requested, actual=0)
            raise
    content: dict[str, Any] = {"data": result.data}
    if result.errors:
        content["errors"] = [
            as_wire(error, request_id=caller.request_id) for error in result.errors
        ]
    actual = cost.actual_of(executor, records.number, requested=requested)
    content["extensions"] = {"cost": cost.settle_for(caller, requested=requested, actual=actual)}
    return Answer(content, ran=True, reads=reads)


async def _executed(executor: Executor[Any], caller: Caller, *, reads: bool) -> ExecutionResult:
    # Of mutations, those that are heavy say so themselves (`MutationField.heavy`).
    async with heavy_work(caller) if reads else nullcontext():
        result = executor.execute_operation()
        return result if isinstance(result, ExecutionResult) else await result  # type: ignore[misc]


def _changes_things(request: Request) -> bool:
    document = read_document(request.query)
    return (
        document.node is not None
        and document.operation(request.operation) is OperationType.MUTATION
    )


def _refused(caller: Caller, errors: list[GraphQLError]) -> Answer:
    return Answer(
        {"errors": [as_wire(error, request_id=caller.request_id) for error in errors]}, ran=False
    )


def _as_error(refusal: ServiceError) -> GraphQLError:
    return GraphQLError(refusal.detail, original_error=refusal)
