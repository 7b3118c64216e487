"""The refusals of an operation, each with examples from the catalogue."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from core.foundation.errors import BadRequest, Forbidden, ServiceError, ValidationFailed
from core.foundation.security.caller import Scope
from core.foundation.validation.inputs import read_body, read_query
from core.idempotency import InvalidKey, KeyReusedWithAnotherBody
from rest_api.openapi.headers import headers_with
from rest_api.openapi.schemas import Schemas
from rest_api.problems.error_catalogue import ERROR_DOCS
from rest_api.problems.error_doc import ErrorDoc, everywhere, with_any_body, with_credential
from rest_api.problems.kinds import KINDS
from rest_api.support.operations import Operation
from rest_api.support.problems import as_listed, problem_body, status_of
from rest_api.support.sample_ids import REQUEST
from rest_api.support.shapes import Problem

SHARED = {401: "Unauthorized", 413: "PayloadTooLarge", 500: "Internal", 503: "ServiceUnavailable"}
"""Refusals that are the same everywhere, unless an operation has reasons of its own."""
SAME_EVERYWHERE = (everywhere, with_credential, with_any_body)
SOME_PATH = "/v2/sms/messages"


def problem_responses(operation: Operation, schemas: Schemas, *, base_url: str) -> dict[str, Any]:
    """By status: what the operation lists, and the refusals of the transport that it can meet."""
    transport: tuple[int, ...] = (413, 500, 503) if with_any_body(operation) else (500, 503)
    if operation.answers_file:
        transport += (416,)
    if operation.takes_key:
        transport += _of_the_key(operation)
    responses: dict[str, Any] = {}
    for status in sorted({*operation.errors, *transport}):
        docs = [
            doc for doc in ERROR_DOCS if doc.where(operation) and _status(doc, operation) == status
        ]
        if status in SHARED and all(doc.where in SAME_EVERYWHERE for doc in docs):
            responses[str(status)] = {"$ref": f"#/components/responses/{SHARED[status]}"}
            continue
        path = example_path(operation)
        refusals = [
            *_wrong_fields(operation, status),
            *((doc.meaning, doc.sample) for doc in docs),
        ]
        examples = _examples(
            [
                (told, _own(operation, as_listed(error, operation.errors)))
                for told, error in refusals
            ],
            base_url=base_url,
            path=path,
        )
        responses[str(status)] = _response(status, schemas, examples, limited=operation.limited)
    return responses


def _of_the_key(operation: Operation) -> tuple[int, ...]:
    """A key may be refused wherever it is honoured, whatever else the operation refuses."""
    return (
        status_of(as_listed(InvalidKey(), operation.errors)),
        status_of(KeyReusedWithAnotherBody()),
    )


def shared_problems(schemas: Schemas, *, base_url: str) -> dict[str, Any]:
    """The components for the refusals that are the same everywhere."""
    return {
        name: _response(
            status,
            schemas,
            _examples(
                [
                    (doc.meaning, doc.sample)
                    for doc in ERROR_DOCS
                    if doc.where in SAME_EVERYWHERE and status_of(doc.sample) == status
                ],
                base_url=base_url,
                path=SOME_PATH,
            ),
        )
        for status, name in SHARED.items()
    }


def example_path(operation: Operation) -> str:
    """The operation's path with an id in it."""
    path = operation.path
    for name, value in operation.ids.items():
        path = path.replace(f"{{{name}}}", value)
    return path


def _status(doc: ErrorDoc, operation: Operation) -> int:
    return status_of(as_listed(doc.sample, operation.errors))


def _own(operation: Operation, error: ServiceError) -> ServiceError:
    """A missing scope is that of the operation."""
    if (
        isinstance(error, Forbidden)
        and "escopoExigido" in error.meta
        and operation.scope is not None
    ):
        return Forbidden(meta={"escopoExigido": Scope(operation.scope).value})
    return error


def _wrong_fields(operation: Operation, status: int) -> Iterator[tuple[str, ServiceError]]:
    """What the entry point itself answers to an empty body or an unreadable parameter."""
    try:
        if operation.body is not None:
            read_body(operation.body, b"{}")
            read_body(operation.body, b'{"unknown": 1}')
    except ValidationFailed as invalid:
        if status_of(as_listed(invalid, operation.errors)) == status:
            yield "Fields are wrong; each is named.", invalid
    try:
        if operation.query is not None and not operation.lenient:
            read_query(
                operation.query, [("limit", "many"), ("from", "yesterday"), ("dia", "yesterday")]
            )
    except ValidationFailed as invalid:
        if status_of(as_listed(invalid, operation.errors)) == status:
            yield "Parameters are wrong; each is named.", invalid


def _examples(
    refusals: list[tuple[str, ServiceError]], *, base_url: str, path: str
) -> dict[str, Any]:
    examples: dict[str, Any] = {}
    for told, error in refusals:
        name = str(error.meta.get("code") or error.meta.get("motivo") or _plain_name(error))
        while name in examples:
            name += " again"
        value = problem_body(error, base_url=base_url, path=path, request_id=REQUEST)
        examples[name] = {"summary": told, "value": value}
    return examples


def _plain_name(error: ServiceError) -> str:
    if isinstance(error, ValidationFailed | BadRequest) and error.errors:
        return error.errors[0].code
    return error.code


def _response(
    status: int, schemas: Schemas, examples: dict[str, Any], *, limited: bool = False
) -> dict[str, Any]:
    meanings = {kind.status: kind.meaning for kind in KINDS}
    content: dict[str, Any] = {"schema": schemas.reference(Problem)}
    if examples:
        content["examples"] = examples
    return {
        "description": meanings.get(status, HTTPStatus(status).phrase),
        "headers": headers_with(status, limited=limited),
        "content": {"application/problem+json": content},
    }
