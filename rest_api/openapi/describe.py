"""One operation as OpenAPI tells it."""

import re
from http import HTTPStatus
from typing import Any

from rest_api.openapi.headers import headers_with
from rest_api.openapi.problems import problem_responses
from rest_api.openapi.schemas import Schemas
from rest_api.support.operations import Operation
from rest_api.support.uploads import MEDIA_TYPE, UPLOAD

IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": (
        "1 to 255 printable ASCII characters, drawn anew for each new request. For 24 hours the same key with the same "
        "body answers the first answer again, and does nothing."
    ),
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"},
    "example": "order-1042",
}
FILE_HEADERS = [
    {
        "name": "x-filename",
        "in": "header",
        "required": True,
        "description": "The name of the file, 1 to 255 characters; percent-encode (UTF-8) what is not ASCII.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"},
        "example": "proposta.pdf",
    },
    {
        "name": "x-content-type",
        "in": "header",
        "required": True,
        "description": "The media type of the file. What its bytes say goes before it.",
        "schema": {"type": "string", "pattern": MEDIA_TYPE.pattern},
        "example": "application/pdf",
    },
]

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
        "operationId": operation.handler.__module__.split(".")[-2] + "_" + operation.handler.__name__,
        "summary": operation.summary,
        "tags": [operation.tag],
        "parameters": _parameters(operation, schemas),
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
        described["description"] = f"{operation.description}\n\nNeeds the scope `{operation.scope}`.".strip()
    if operation.body is not None:
        described["requestBody"] = {
            "required": not operation.body_optional,
            "content": {
                "application/json": {
                    "schema": schemas.reference(operation.body, "validation"),
                    "examples": {name: {"value": value} for name, value in operation.examples.items()},
                }
            },
        }
    if operation.takes_file:
        described["requestBody"] = {
            "required": True,
            "content": {UPLOAD: {"schema": {"type": "string", "format": "binary", "minLength": 1}}},
        }
    return described


def _parameters(operation: Operation, schemas: Schemas) -> list[dict[str, Any]]:
    parameters: list[dict[str, Any]] = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "string"},
            **({"example": operation.ids[name]} if name in operation.ids else {}),
        }
        for name in re.findall(r"{(\w+)}", operation.path)
    ]
    if operation.takes_key:
        parameters.append({**IDEMPOTENCY_KEY, "required": operation.needs_key})
    if operation.takes_file:
        parameters += FILE_HEADERS
    if operation.query is not None:
        for name, required, schema in schemas.parameters(operation.query):
            told = {"description": schema["description"]} if "description" in schema else {}
            rest = {key: value for key, value in schema.items() if key != "description"}
            parameters.append({"name": name, "in": "query", "required": required, **told, "schema": rest})
    return parameters


def _success(operation: Operation, status: int, schemas: Schemas) -> dict[str, Any]:
    response: dict[str, Any] = {
        "description": HTTPStatus(status).phrase,
        "headers": headers_with(status, limited=operation.limited, keyed=operation.takes_key),
    }
    if operation.answers_file:
        response["content"] = _FILE
    if operation.answer is not None:
        content = {
            "schema": schemas.reference(operation.answer),
            "examples": {name: {"value": value} for name, value in operation.answers.items()},
        }
        response["content"] = {"application/json": content}
    return response
