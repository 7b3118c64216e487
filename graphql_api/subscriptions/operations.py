"""One operation of a conversation, from its payload to the messages that answer it."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any

import orjson
from graphql import DocumentNode, ExecutionResult, GraphQLError, OperationType, subscribe

import graphql_api
from core.foundation.caller import Caller
from graphql_api.documents import read_document
from graphql_api.errors import as_wire
from graphql_api.executor import RecordExecutor
from graphql_api.schema import graphql_schema
from graphql_api.subscriptions.context import LiveContext
from graphql_api.subscriptions.protocol import said


@dataclass(frozen=True, slots=True)
class Operation:
    """What a client asked for, as `{query, variables?, operationName?}`."""

    caller: Caller
    payload: dict[str, Any]
    too_slow: Callable[[], None]


async def messages_of(id: str, operation: Operation) -> AsyncGenerator[str, None]:
    """The messages of an operation of any kind: `next` for each result and `complete`, or one `error` when the
    document, its variables or the caller's scopes were refused before anything ran.
    """
    document = _subscription_in(operation.payload)
    answers = _execute(operation) if document is None else _subscribe(operation, document)
    async with aclosing(answers):
        async for ran, content in answers:
            if not ran:
                yield said("error", id=id, payload=content["errors"])
                return
            yield said("next", id=id, payload=content)
    yield said("complete", id=id)


Answers = AsyncGenerator[tuple[bool, dict[str, Any]], None]
"""Whether anything ran, and the answer."""


async def _execute(operation: Operation) -> Answers:
    try:
        given = await graphql_api.answer(operation.caller, orjson.dumps(operation.payload))
    except Exception as error:  # a payload that is no operation; as_wire logs what nobody foresaw
        yield False, _refused(operation.caller, [GraphQLError("", original_error=error)])
    else:
        yield given.ran, given.content


async def _subscribe(operation: Operation, document: DocumentNode) -> Answers:
    caller, payload = operation.caller, operation.payload
    stream = subscribe(
        graphql_schema,
        document,
        context_value=LiveContext(caller, too_slow=operation.too_slow),
        variable_values=payload.get("variables"),
        operation_name=payload.get("operationName"),
        executor_class=RecordExecutor,
        hide_suggestions=True,
    )
    if isawaitable(stream):
        stream = await stream
    if isinstance(stream, ExecutionResult):
        yield False, _refused(caller, stream.errors or [])
        return
    async with aclosing(stream):
        try:
            async for result in stream:
                content: dict[str, Any] = {"data": result.data}
                if result.errors:
                    content |= _refused(caller, result.errors)
                yield True, content
        except Exception as error:  # of what feeds the stream: it is over
            yield False, _refused(caller, [GraphQLError("", original_error=error)])


def _refused(caller: Caller, errors: list[GraphQLError]) -> dict[str, Any]:
    return {"errors": [as_wire(error, request_id=caller.request_id) for error in errors]}


def _subscription_in(payload: dict[str, Any]) -> DocumentNode | None:
    """The document, if it asks for one; whatever cannot be read is refused where all else is executed."""
    query, variables, name = payload.get("query"), payload.get("variables"), payload.get("operationName")
    if not (isinstance(query, str) and isinstance(variables, dict | None) and isinstance(name, str | None)):
        return None
    document = read_document(query)
    if document.node is None or document.operation(name) is not OperationType.SUBSCRIPTION:
        return None
    return document.node
