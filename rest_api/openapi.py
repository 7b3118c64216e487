"""OpenAPI 3.1, made from the operation list; nothing in it is written twice."""

import re
from collections.abc import Sequence
from functools import cache
from http import HTTPStatus
from importlib.metadata import version
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.foundation.settings import current
from rest_api.support.operations import Operation
from rest_api.support.pages import Page
from rest_api.support.shapes import Problem

TEMPLATE = "#/components/schemas/{model}"
TRANSPORT_ERRORS = (405, 413, 500, 503)
"""Refusals of the transport, which any operation may meet outside its own list."""


def route_for(operations: Sequence[Operation]) -> Route:
    """`GET /openapi.json`."""

    @cache
    def rendered() -> bytes:
        return JSONResponse(document(operations, base_url=current().base_url)).body  # type: ignore[return-value]

    async def openapi(request: Request) -> Response:
        return Response(rendered(), media_type="application/json")

    return Route("/openapi.json", Page(openapi))


def document(operations: Sequence[Operation], *, base_url: str) -> dict[str, Any]:
    """The whole document."""
    schemas = _schemas(operations)
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "SVC: messaging, contacts and CRM",
            "version": version("svc-messaging"),
            "description": (
                "Send messages on several channels and keep the customer data they are addressed to. "
                "A key beginning with `svc_test_` works in the sandbox, `svc_live_` in production. "
                "Every answer carries `X-Request-Id`; refusals are `application/problem+json` with a stable `code`."
            ),
        },
        "servers": [{"url": base_url}],
        "security": [{"bearer": []}],
        "tags": [{"name": tag} for tag in dict.fromkeys(operation.tag for operation in operations)],
        "paths": paths,
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
            "schemas": dict(sorted(schemas.definitions.items())),
        },
    }


class _Schemas:
    def __init__(self, inputs: set[type[BaseModel]], outputs: set[type[BaseModel]]) -> None:
        wanted: list[tuple[type[BaseModel], JsonSchemaMode]] = [
            *((model, "validation") for model in sorted(inputs, key=lambda model: model.__name__)),
            *((model, "serialization") for model in sorted(outputs, key=lambda model: model.__name__)),
        ]
        found, rest = models_json_schema(wanted, ref_template=TEMPLATE)
        self._references = {model: reference for (model, _), reference in found.items()}
        self.definitions: dict[str, Any] = rest.get("$defs", {})

    def reference(self, model: type[BaseModel]) -> dict[str, Any]:
        return self._references[model]

    def properties(self, model: type[BaseModel]) -> dict[str, Any]:
        """The properties of a query model, which is spelt out as parameters instead of being referred to."""
        return dict(model.model_json_schema(ref_template=TEMPLATE)["properties"])


def _schemas(operations: Sequence[Operation]) -> _Schemas:
    inputs: set[type[BaseModel]] = {operation.body for operation in operations if operation.body}
    outputs: set[type[BaseModel]] = {operation.answer for operation in operations if operation.answer}
    return _Schemas(inputs, {*outputs, Problem})


def _operation(operation: Operation, schemas: _Schemas) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.handler.__module__.split(".")[-2] + "_" + operation.handler.__name__,
        "summary": operation.summary,
        "tags": [operation.tag],
        "parameters": _parameters(operation, schemas),
        "responses": _responses(operation, schemas),
    }
    if operation.description:
        described["description"] = operation.description
    if operation.scope is not None:
        described["x-scope"] = operation.scope.value
        described["description"] = f"{operation.description} Needs the scope `{operation.scope}`.".strip()
    if operation.body is not None:
        content: dict[str, Any] = {"schema": schemas.reference(operation.body)}
        if operation.examples:
            content["examples"] = {name: {"value": value} for name, value in operation.examples.items()}
        described["requestBody"] = {
            "required": not operation.body_optional,
            "content": {"application/json": content},
        }
    return described


def _parameters(operation: Operation, schemas: _Schemas) -> list[dict[str, Any]]:
    parameters: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)}", operation.path)
    ]
    if operation.needs_key or operation.takes_key:
        parameters.append(
            {
                "name": "Idempotency-Key",
                "in": "header",
                "required": operation.needs_key,
                "description": "1 to 255 printable ASCII characters; the same key repeats the first answer",
                "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"},
            }
        )
    if operation.query is not None:
        for name, schema in schemas.properties(operation.query).items():
            parameters.append({"name": name, "in": "query", "required": False, "schema": _without_null(schema)})
    return parameters


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A query parameter is left out, not null."""
    kinds = [kind for kind in schema.get("anyOf", ()) if kind.get("type") != "null"]
    rest = {key: value for key, value in schema.items() if key not in ("anyOf", "default", "title")}
    return {**kinds[0], **rest} if len(kinds) == 1 else {**schema, **rest}


def _responses(operation: Operation, schemas: _Schemas) -> dict[str, Any]:
    responses: dict[str, Any] = {str(operation.status): {"description": HTTPStatus(operation.status).phrase}}
    if operation.answer is not None:
        responses[str(operation.status)]["content"] = {
            "application/json": {"schema": schemas.reference(operation.answer)}
        }
    for status in sorted({*operation.errors, *TRANSPORT_ERRORS}):
        responses[str(status)] = {
            "description": HTTPStatus(status).phrase,
            "content": {"application/problem+json": {"schema": schemas.reference(Problem)}},
        }
        if status == 429:
            responses["429"]["headers"] = {"Retry-After": {"schema": {"type": "integer"}}}
    return responses
