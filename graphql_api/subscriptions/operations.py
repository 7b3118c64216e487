"""One operation of a conversation, from its payload to the messages that answer it."""

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import aclosing
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, cast

from graphql import (
    DocumentNode,
    ExecutionResult,
    GraphQLError,
    OperationType,
    create_source_event_stream,
)
from graphql.execution import Executor

from core.foundation.security.caller import Caller
from graphql_api import cost
from graphql_api.documents import read_document
from graphql_api.errors import as_wire
from graphql_api.execute import Answer, run
from graphql_api.executor import RecordExecutor
from graphql_api.requests import Request, read_request
from graphql_api.schema import graphql_schema
from graphql_api.subscriptions.context import LiveContext
from graphql_api.subscriptions.outlet import Outlet
from graphql_api.subscriptions.protocol import Closing, said
from graphql_api.subscriptions.results import ResultReader
from graphql_api.subscriptions.shared import Stream, key_of, streams
from graphql_api.subscriptions.subscriber import Subscriber


@dataclass(frozen=True, slots=True)
class SocketOperation:
    """What a client asked for, as the body of a POST.

    `outlet` is where the results of a subscription go; those of other operations are yielded. It is
    asked whether its client is still welcome before it is told of anything that happened, which
    must not cost a query for each event.
    """

    caller: Caller
    payload: dict[str, Any]
    outlet: Outlet


async def messages_of(id: str, operation: SocketOperation) -> AsyncGenerator[str, None]:
    """The messages of an operation of any kind: `next` for each result and `complete`, or `error`
    when it was refused before anything ran, or when what feeds it ended. The results of a
    subscription are told meanwhile, not yielded.
    """
    async with aclosing(_answers(id, operation)) as answers:
        try:
            async for ran, content in answers:
                if not ran:
                    yield said("error", id=id, payload=content["errors"])
                    return
                yield said("next", id=id, payload=content)
        except Closing:
            raise
        except Exception as error:
            refused = _refused(operation.caller, [GraphQLError("", original_error=error)])
            yield said("error", id=id, payload=refused["errors"])
            return
    yield said("complete", id=id)


_running: set["asyncio.Task[Answer]"] = set()

Answers = AsyncGenerator[tuple[bool, dict[str, Any]], None]
"""Whether anything ran, and the answer."""


async def _answers(id: str, operation: SocketOperation) -> Answers:
    request = await read_request(operation.caller, operation.payload)
    document = read_document(request.query)
    if (
        document.node is None
        or document.operation(request.operation) is not OperationType.SUBSCRIPTION
    ):
        given = await asyncio.shield(_finished(run(operation.caller, request)))
        yield given.ran, given.content
        return
    async with aclosing(_subscribe(id, operation, request, document.node)) as answers:
        async for answer in answers:
            yield answer


def _finished(running: Coroutine[Any, Any, Answer]) -> "asyncio.Task[Answer]":
    """What has begun is finished, as over HTTP, also when its client goes meanwhile: it may be a
    mutation.
    """
    task = asyncio.create_task(running)
    _running.add(task)
    task.add_done_callback(_running.discard)
    return task


async def _subscribe(
    id: str, operation: SocketOperation, request: Request, document: DocumentNode
) -> Answers:
    """What it costs is taken once, when it begins. Each is looked at by itself, also if others are
    told the same.
    """
    caller = operation.caller
    stream = Stream(key_of(caller, request))
    executor = RecordExecutor.build(
        graphql_schema,
        document,
        context_value=LiveContext(stream.key.caller, cut_off=stream.cut_off),
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
    begun = streams.setdefault(stream.key, stream)
    subscriber = Subscriber(operation.outlet, ResultReader(id, caller.request_id))
    begun.join(subscriber)
    if begun is stream:
        stream.start(executor, cast("AsyncGenerator[Any, None]", source))
    try:
        await subscriber.finished()
    finally:
        await subscriber.leave()
        await begun.leave(subscriber)


def _refused(caller: Caller, errors: list[GraphQLError]) -> dict[str, Any]:
    return {"errors": [as_wire(error, request_id=caller.request_id) for error in errors]}
