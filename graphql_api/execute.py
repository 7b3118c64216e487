"""From the body of a request to its answer."""

from dataclasses import dataclass
from typing import Any

import orjson

from core.foundation.caller import Caller
from core.foundation.errors import BadRequest
from graphql_api.errors import as_wire
from graphql_api.schema import schema


@dataclass(frozen=True, slots=True)
class Answer:
    """`ran` is False when the document or its variables were refused before anything was executed."""

    content: dict[str, Any]
    ran: bool


async def answer(caller: Caller, raw: bytes) -> Answer:
    """Run one operation. `raw`: JSON of `{query, variables?, operationName?}`. Raises BadRequest for anything else."""
    query, variables, operation = _read(raw)
    result = await schema.execute(
        query, variable_values=variables, operation_name=operation, context_value={"caller": caller}
    )
    content: dict[str, Any] = {} if result.data is None else {"data": result.data}
    if result.errors:
        content["errors"] = [as_wire(error, request_id=caller.request_id) for error in result.errors]
    return Answer(content, ran=result.data is not None)


def _read(raw: bytes) -> tuple[str, dict[str, Any] | None, str | None]:
    try:
        body = orjson.loads(raw)
    except orjson.JSONDecodeError:
        raise BadRequest("The body is not JSON; send an object with `query`.") from None
    if not isinstance(body, dict):
        raise BadRequest("Send one operation: an object with `query`. Batches are not taken.")
    query, variables, operation = body.get("query"), body.get("variables"), body.get("operationName")
    if not isinstance(query, str):
        raise BadRequest("Send the document as the text `query`.")
    if not isinstance(variables, dict | None) or not isinstance(operation, str | None):
        raise BadRequest("`variables` is an object and `operationName` a text, where they are sent.")
    return query, variables, operation
