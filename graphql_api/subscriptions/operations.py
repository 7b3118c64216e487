"""One operation of a conversation, from its payload to the messages that answer it."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import aclosing
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, cast

import orjson
from graphql import (
    DocumentNode,
    ExecutionResult,
    GraphQLError,
    OperationType,
    create_source_event_stream,
    map_source_to_response_event,
)
from graphql.execution import Executor

from core.foundation.caller import Caller
from graphql_api import cost
from graphql_api.documents import read_document
from graphql_api.errors import as_wire
from graphql_api.execute import Answer, Request, read_request, run
from graphql_api.executor import RecordExecutor
from graphql_api.schema import graphql_schema
from graphql_api.subscriptions.context import LiveContext
from graphql_api.subscriptions.protocol import said


@dataclass(frozen=True, slots=True)
class Operation:
    """What a client asked for, as the body of a POST. `too_slow` is called when it reads too slowly what it is told."""

    caller: Caller
    payload: dict[str, Any]
    too_slow: Callable[[], None]


async def messages_of(id: str, operation: Operation) -> AsyncGenerator[str, None]:
    """The messages of an operation of any kind: `next` for each result and `complete`, or `error` when it was refused
    before anything ran, or when what feeds it ended.
    """
    async with aclosing(_answers(operation)) as answers:
        try:
            async for ran, content in answers:
                if not ran:
                    yield said("error", id=id, payload=content["errors"])
                    return
                yield said("next", id=id, payload=content)
        except Exception as error:
            refused = _refused(operation.caller, [GraphQLError("", original_error=error)])
            yield said("error", id=id, payload=refused["errors"])
            return
    yield said("complete", id=id)


_running: set["asyncio.Task[Answer]"] = set()

Answers = AsyncGenerator[tuple[bool, dict[str, Any]], None]
"""Whether anything ran, and the answer."""


async def _answers(operation: Operation) -> Answers:
    request = await read_request(operation.caller, orjson.dumps(operation.payload))
    document = read_document(request.query)
    if document.node is None or document.operation(request.operation) is not OperationType.SUBSCRIPTION:
        given = await asyncio.shield(_finished(run(operation.caller, request)))
        yield given.ran, given.content
        return
    async with aclosing(_subscribe(operation, request, document.node)) as answers:
        async for answer in answers:
            yield answer


def _finished(running: Coroutine[Any, Any, Answer]) -> "asyncio.Task[Answer]":
    """What has begun is finished, as over HTTP, also when its client goes meanwhile: it may be a mutation."""
    task = asyncio.create_task(running)
    _running.add(task)
    task.add_done_callback(_running.discard)
    return task


async def _subscribe(operation: Operation, request: Request, document: DocumentNode) -> Answers:
    """What it costs is taken once, when it begins."""
    caller = operation.caller
    executor = RecordExecutor.build(
        graphql_schema,
        document,
        context_value=LiveContext(caller, too_slow=operation.too_slow),
        raw_variable_values=request.variables,
        operation_name=request.operation,
    )
    if not isinstance(executor, Executor):
        yield False, _refused(caller, executor)
        return
    await cost.take(caller, cost.requested_by(executor))
    source = create_source_event_stream(executor)
    if isawaitable(source):
        source = await source
    if isinstance(source, ExecutionResult):
        yield False, _refused(caller, source.errors or [])
        return
    results = map_source_to_response_event(executor, cast("AsyncGenerator[Any, None]", source))
    async with aclosing(results):
        async for result in results:
            content: dict[str, Any] = {"data": result.data}
            if result.errors:
                content |= _refused(caller, result.errors)
            yield True, content


def _refused(caller: Caller, errors: list[GraphQLError]) -> dict[str, Any]:
    return {"errors": [as_wire(error, request_id=caller.request_id) for error in errors]}
