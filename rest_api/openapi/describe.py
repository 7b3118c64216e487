"""One operation as OpenAPI tells it."""

from http import HTTPStatus
from typing import Any

from rest_api.openapi.headers import headers_with
from rest_api.openapi.parameters import parameters_of
from rest_api.openapi.problems import problem_responses
from rest_api.openapi.schemas import Schemas
from rest_api.support.operations import Operation
from rest_api.support.uploads import UPLOAD

# Clients that know no */* read the bytes by the type before it.
_BYTES = {"schema": {"type": "string", "format": "binary"}}
_FILE = {"application/octet-stream": _BYTES, "*/*": _BYTES}
FILE_ANSWERS: dict[str, Any] = {
    "206": {"description": HTTPStatus(206).phrase, "headers": headers_with(206), "content": _FILE},
    "302": {
        "description": "The file lies at the address in `Location`, which needs no credential",
        "headers": {
            **headers_with(302),
            "Location": {"required": True, "schema": {"type": "string", "format": "uri"}},
        },
    },
}
"""What an operation that answers a file has beside its 200."""


def describe(operation: Operation, schemas: Schemas, *, base_url: str) -> dict[str, Any]:
    """The operation object."""
    described: dict[str, Any] = {
        "operationId": operation.handler.__module__.split(".")[-2]
        + "_"
        + operation.handler.__name__,
        "summary": operation.summary,
        "tags": [operation.tag],
        "parameters": parameters_of(operation, schemas),
        "responses": {
            **{str(status): _success(operation, status, schemas) for status in operation.successes},
            **(FILE_ANSWERS if operation.answers_file else {}),
            **problem_responses(operation, schemas, base_url=base_url),
        },
    }
    if operation.description:
        described["description"] = operation.description
    if operation.public:
        described["security"] = []
    if operation.scope is not None:
        described["security"] = [{"bearer": [operation.scope.value]}]
        described["x-scope"] = operation.scope.value
        described["description"] = (
            f"{operation.description}\n\nNeeds the scope `{operation.scope}`.".strip()
        )
    if operation.body is not None:
        described["requestBody"] = {
            "required": not operation.body_optional,
            "content": {
                "application/json": {
                    "schema": schemas.reference(operation.body, "validation"),
                    "examples": {
                        name: {"value": value} for name, value in operation.examples.items()
                    },
                }
            },
        }
    if operation.takes_file:
        described["requestBody"] = {
            "required": True,
            "content": {UPLOAD: {"schema": {"type": "string", "format": "binary", "minLength": 1}}},
        }
    return described


def _success(operation: Operation, status: int, schemas: Schemas) -> dict[str, Any]:
    response: dict[str, Any] = {
        "description": HTTPStatus(status).phrase,
        "headers": headers_with(status, limited=operation.limited, keyed=operation.takes_key),
    }
    if operation.answers_file:
        response["content"] = _FILE
    if operation.shape is not None and status != 204:
        content = {
            "schema": schemas.reference(operation.shape),
            "examples": {name: {"value": value} for name, value in operation.answers.items()},
        }
        response["content"] = {"application/json": content}
    return response
