"""Every operation has its row, every row its operation, and both say the same as the OpenAPI
document.
"""

from typing import Any

import pytest

from rest_api.app import OPERATIONS, create_app
from rest_api.support.operations import Operation
from tests.contract.domains import BY_ADDRESS, CALLBACKS, ENDPOINTS, OTHER_ROUTES
from tests.contract.table import Endpoint
from tests.rest_api.contract import resolved, the_closed_document

ADDED = "add its row to a file of tests/contract/rows"
TRANSPORT = {405, 413, 415, 416, 500, 503}
"""Refusals of the transport, which no operation lists."""

OPERATION: dict[str, Operation] = {
    f"{operation.method} {operation.path}": operation for operation in OPERATIONS
}

EACH = pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.address)


def documented(endpoint: Endpoint) -> dict[str, Any]:
    found: dict[str, Any] = the_closed_document()["paths"][endpoint.path][endpoint.method.lower()]
    return found


@pytest.mark.parametrize("address", OPERATION)
def test_every_operation_has_one_row(address: str) -> None:
    rows = [endpoint for endpoint in ENDPOINTS if endpoint.address == address]

    assert rows, f"{address} is registered and no row tells of it: {ADDED} (ENDPOINTS)"
    assert len(rows) == 1


def test_every_row_has_an_operation() -> None:
    assert set(BY_ADDRESS) - set(OPERATION) == set()


def test_every_other_route_is_named(database: None) -> None:
    operations = {operation.path for operation in OPERATIONS}
    routes = {getattr(route, "path", repr(route)) for route in create_app().router.routes}

    rows = {row.path for row in OTHER_ROUTES} | {row.path for row in CALLBACKS}
    rows.add("/graphql")  # an entry point of its own: tests/graphql_api
    assert routes - operations == rows, (
        f"{ADDED} (OTHER_ROUTES, CALLBACKS), or make it an operation"
    )


@EACH
def test_a_row_says_what_the_operation_declares(endpoint: Endpoint) -> None:
    operation = OPERATION[endpoint.address]

    assert endpoint.scope == (operation.scope.value if operation.scope else None)
    assert endpoint.statuses == set(operation.errors)
    assert (endpoint.status, endpoint.again or endpoint.other) == (
        operation.status,
        operation.other_status,
    )
    assert (endpoint.by == "nobody") == operation.public
    assert endpoint.takes_key == operation.takes_key
    assert (endpoint.key == "required") == operation.needs_key
    assert endpoint.body_limit == operation.body_limit
    assert endpoint.optional_body == operation.body_optional


@EACH
def test_a_row_is_described_in_the_document(endpoint: Endpoint) -> None:
    told = documented(endpoint)

    assert told.get("x-scope") == endpoint.scope
    assert {int(status) for status in told["responses"]} - TRANSPORT == (
        {endpoint.status, *(status for status in (endpoint.again, endpoint.other) if status)}
        | endpoint.statuses
        | endpoint.of_the_key
        | ({206, 302} if endpoint.answers_file else set())
    ) - TRANSPORT
    assert ("Idempotency-Key" in {one["name"] for one in told["parameters"]}) == endpoint.takes_key
    assert {one["name"] for one in told["parameters"] if one["in"] == "path"} == set(endpoint.ids)
    assert {one["name"]: one["required"] for one in told["parameters"] if one["in"] == "query"} == {
        name: name in endpoint.required_parameters for name in endpoint.parameter_names
    }
    body = told.get("requestBody")
    if endpoint.file is not None:
        assert body is not None
        assert body["required"]
        assert list(body["content"]) == ["application/octet-stream"]
        return
    assert (body is not None) == bool(endpoint.fields)
    if body is not None:
        assert body["required"] is not endpoint.optional_body
        schema = resolved(body["content"]["application/json"]["schema"])
        assert set(schema["properties"]) == set(endpoint.field_names)
        assert set(schema.get("required", ())) == set(endpoint.required)
