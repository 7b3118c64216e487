"""A request as it was asked for, whether it came as a body or in the parameters of an address."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from core.foundation.errors import BadRequest
from core.foundation.security.caller import Caller
from core.foundation.validation.json_field import MAX_DEPTH, is_deeper
from core.foundation.validation.json_syntax import not_json
from graphql_api.registered import document_of, require_own


@dataclass(frozen=True, slots=True)
class Request:
    """One operation as it was asked for."""

    query: str
    variables: dict[str, Any] | None
    operation: str | None


def read_body(raw: bytes) -> Any:
    """What the body of a POST says. Raises BadRequest."""
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        raise not_json(raw) from None


def read_parameters(parameters: Mapping[str, str]) -> dict[str, Any]:
    """What the parameters of a GET say; `variables` and `extensions` are JSON there. Raises
    BadRequest.
    """
    asked: dict[str, Any] = {
        name: parameters[name] for name in ("query", "operationName") if parameters.get(name)
    }
    for name in ("variables", "extensions"):
        if text := parameters.get(name):
            try:
                asked[name] = orjson.loads(text)
            except orjson.JSONDecodeError:
                raise BadRequest(
                    "The parameters `variables` and `extensions` are JSON, where they are sent."
                ) from None
    return asked


async def read_request(caller: Caller, asked: Any) -> Request:
    """The operation of `{query, variables?, operationName?, extensions?}`. Raises BadRequest."""
    if not isinstance(asked, dict):
        raise BadRequest("Send one operation: an object with `query`. Batches are not taken.")
    if is_deeper(asked):
        raise BadRequest(
            f"The operation is nested deeper than {MAX_DEPTH} levels; send flatter `variables`."
        )
    query, variables, operation = (
        asked.get("query"),
        asked.get("variables"),
        asked.get("operationName"),
    )
    if not isinstance(variables, dict | None) or not isinstance(operation, str | None):
        raise BadRequest(
            "`variables` is an object and `operationName` a text, where they are sent."
        )
    if not isinstance(query, str | None):
        raise BadRequest("Send the document as the text `query`.")
    extensions = asked.get("extensions")
    if not isinstance(extensions, dict | None):
        raise BadRequest("`extensions` is an object, where it is sent.")
    if query is not None:
        require_own(query)
    if (persisted := (extensions or {}).get("persistedQuery")) is not None:
        query = await document_of(caller, persisted, query)
        require_own(query)
    if query is None:
        raise BadRequest("Send the document as the text `query`.")
    return Request(query, variables, operation)
