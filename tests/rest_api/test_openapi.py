"""The OpenAPI document: valid, whole, and true to the operation list and to the interface."""

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from core.foundation.security.caller import Scope
from core.foundation.validation.inputs import QueryInput
from core.webhooks import EventType
from rest_api.app import OPERATIONS
from rest_api.openapi.scopes import SCOPES
from rest_api.openapi.tags import TAGS
from rest_api.support.operations import Operation
from tests.rest_api.contract import (
    must_fit,
    operation_of,
    resolved,
    the_closed_document,
    the_document,
)

IDS = Path(__file__).with_name("operation_ids.json")

EACH_OPERATION = pytest.mark.parametrize(
    "operation", OPERATIONS, ids=lambda o: f"{o.method} {o.path}"
)

TRANSPORT = {500, 503}
"""Refusals of the transport, outside the interface's lists; 413 where there is a body."""


def documented(method: str, path: str) -> dict[str, Any]:
    operation: dict[str, Any] = the_document()["paths"][path][method.lower()]
    return operation


def references(value: Any) -> set[str]:
    """Every `$ref` inside."""
    match value:
        case {"$ref": str(reference), **rest}:
            return {reference} | references(rest)
        case dict():
            return {found for item in value.values() for found in references(item)}
        case list():
            return {found for item in value for found in references(item)}
    return set()


async def test_the_service_publishes_the_document(rest: httpx.AsyncClient) -> None:
    answer = await rest.get("/openapi.json")

    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    assert answer.json() == json.loads(json.dumps(the_document()))


def test_the_document_is_valid_openapi_3_1() -> None:
    errors = list(OpenAPIV31SpecValidator(the_document()).iter_errors())

    assert errors == []
    assert re.fullmatch(r"3\.1\.\d+", the_document()["openapi"])


def test_every_schema_is_a_schema_and_is_used() -> None:
    schemas = the_document()["components"]["schemas"]
    for schema in schemas.values():
        OAS31Validator.check_schema(schema)

    used = {reference for reference in references(the_document()) if "/schemas/" in reference}
    assert used == {f"#/components/schemas/{name}" for name in schemas}


def enums(value: Any, path: str = "") -> dict[str, list[Any]]:
    """Every closed set of several values by the place where it is spelt out."""
    match value:
        case dict():
            here = value.get("enum")
            found = {path: here} if isinstance(here, list) and len(here) > 1 else {}
            for name, item in value.items():
                found |= enums(item, f"{path}/{name}")
            return found
        case list():
            inside = [enums(item, f"{path}/{place}") for place, item in enumerate(value)]
            return {place: values for one in inside for place, values in one.items()}
    return {}


def test_a_closed_set_of_values_is_one_type_with_a_name() -> None:
    found = enums(the_document())

    assert "/components/schemas/SmsStatus" in found
    unnamed = {path: values for path, values in found.items() if path.count("/") > 3}
    assert unnamed == {}, "name it in rest_api/openapi/enums.py"
    assert len({frozenset(values) for values in found.values()}) == len(found)


def test_a_shape_is_named_after_itself() -> None:
    for name in the_document()["components"]["schemas"]:
        assert re.fullmatch(r"[A-Z][A-Za-z0-9]+", name), (
            "two models share a name, or one serves in and out"
        )
        assert not re.search(r"(Input|Output)\d*$", name)


def defaults(value: Any, place: str = "") -> list[str]:
    """Every property that has a `default`."""
    match value:
        case {"properties": dict(fields), **rest}:
            own = [f"{place}/{name}" for name, field in fields.items() if "default" in field]
            return (
                own
                + defaults(rest, place)
                + [one for n, f in fields.items() for one in defaults(f, f"{place}/{n}")]
            )
        case dict():
            return [
                found for name, item in value.items() for found in defaults(item, f"{place}/{name}")
            ]
        case list():
            return [found for item in value for found in defaults(item, place)]
    return []


def test_a_default_is_told_in_words() -> None:
    assert defaults({"properties": {"a": {"properties": {"b": {"default": 1}}}}}) == ["/a/b"]
    assert defaults(the_document()["components"]) == [], (
        "generators take a field with a default to be always there"
    )

    fields = the_document()["components"]["schemas"]["NewSms"]["properties"]
    assert fields["trackLinks"]["description"].endswith("counted and told. Default: `false`.")


def patterns(value: Any) -> set[str]:
    """Every regular expression inside."""
    match value:
        case dict():
            own = {
                item for name, item in value.items() if name == "pattern" and isinstance(item, str)
            }
            return own.union(
                value.get("patternProperties", {}), *(patterns(item) for item in value.values())
            )
        case list():
            return {found for item in value for found in patterns(item)}
    return set()


def test_an_object_whose_names_are_free_says_so() -> None:
    def bare(schema: Any, path: str = "") -> list[str]:
        if isinstance(schema, list):
            return [
                found for place, one in enumerate(schema) for found in bare(one, f"{path}/{place}")
            ]
        if not isinstance(schema, dict):
            return []
        mute = schema.get("type") == "object" and not schema.keys() & {
            "properties",
            "additionalProperties",
        }
        return [path] * mute + [
            found for name, one in schema.items() for found in bare(one, f"{path}/{name}")
        ]

    schemas = the_document()["components"]["schemas"]
    told = {
        name: {key: value for key, value in one.items() if key != "examples"}
        for name, one in schemas.items()
    }

    assert bare(told) == [], "some clients read these as objects that are always empty"


def test_patterns_are_written_in_the_language_of_json_schema() -> None:
    found = patterns(the_document())

    assert found
    assert not [pattern for pattern in found if re.search(r"\\[AzZ]|\(\?[P<]|\(\?[a-z]", pattern)]


def test_the_document_has_the_operations_of_the_list_and_no_other() -> None:
    in_document = {
        (method.upper(), path)
        for path, operations in the_document()["paths"].items()
        for method in operations
    }

    assert in_document == {(operation.method, operation.path) for operation in OPERATIONS}


def test_no_two_operations_share_an_id() -> None:
    ids = [
        operation["operationId"]
        for methods in the_document()["paths"].values()
        for operation in methods.values()
    ]

    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[a-z][a-z0-9_]+", id) for id in ids)


@EACH_OPERATION
def test_an_operation_tells_its_scope_its_statuses_and_its_shapes(operation: Operation) -> None:
    described = documented(operation.method, operation.path)

    assert described.get("x-scope") == operation.scope
    if operation.scope is not None:
        assert operation.scope in Scope
        assert f"`{operation.scope.value}`" in described["description"]
    assert described["summary"]
    assert described["tags"] == [operation.tag]
    too_large = {413} if operation.body else set()
    of_files = {206, 302, 416} if operation.answers_file else set()
    of_the_key = {409} if operation.takes_key else set()
    if operation.takes_key and not {400, 422} & {*operation.errors}:
        of_the_key.add(400)
    statuses = {
        *operation.successes,
        *operation.errors,
        *TRANSPORT,
        *too_large,
        *of_files,
        *of_the_key,
    }
    assert {int(status) for status in described["responses"]} == statuses
    for status, response in described["responses"].items():
        success = (
            ["application/octet-stream", "*/*"] if operation.answers_file else ["application/json"]
        )
        media = (
            success if int(status) in (*operation.successes, 206) else ["application/problem+json"]
        )
        assert list(resolved(response).get("content", {})) == (
            [] if status in ("204", "302") else media
        )


@EACH_OPERATION
def test_an_operation_names_each_parameter_once(operation: Operation) -> None:
    parameters = documented(operation.method, operation.path)["parameters"]

    names = [(parameter["in"], parameter["name"]) for parameter in parameters]
    assert len(names) == len(set(names))
    in_path = {name for place, name in names if place == "path"}
    assert in_path == set(re.findall(r"{(\w+)}", operation.path))
    for parameter in parameters:
        assert parameter["schema"], parameter["name"]
        assert "null" not in json.dumps(parameter["schema"]), "a parameter is left out, not null"


@pytest.mark.usefixtures("servers")  # some inputs ask the settings
@EACH_OPERATION
def test_the_examples_of_an_operation_fit_its_body(operation: Operation) -> None:
    if operation.takes_file:
        assert list(documented(operation.method, operation.path)["requestBody"]["content"]) == [
            "application/octet-stream"
        ]
        return
    if operation.body is None:
        assert "requestBody" not in documented(operation.method, operation.path)
        return
    content = documented(operation.method, operation.path)["requestBody"]["content"][
        "application/json"
    ]

    assert content["examples"]
    for name, example in content["examples"].items():
        must_fit(example["value"], content["schema"])
        operation.body.model_validate_json(json.dumps(example["value"])), name


def test_only_the_send_demands_an_idempotency_key() -> None:
    demanding = {
        (operation.method, operation.path)
        for operation in OPERATIONS
        for parameter in documented(operation.method, operation.path)["parameters"]
        if parameter["name"] == "Idempotency-Key" and parameter["required"]
    }

    assert demanding == {
        ("POST", f"/v2/{channel}/messages") for channel in ("sms", "rcs", "email", "push")
    }


def test_the_query_of_the_sms_list_is_the_interfaces() -> None:
    parameters = {
        parameter["name"]: parameter
        for parameter in documented("GET", "/v2/sms/messages")["parameters"]
    }

    assert set(parameters) == {
        "status", "region", "contactId", "campaignId", "phone", "from", "to", "limit", "skip", "cursor",
    }  # fmt: skip
    assert resolved(parameters["status"]["schema"])["enum"] == [
        "queued", "sending", "sent", "delivered", "failed", "undelivered",
    ]  # fmt: skip
    assert resolved(parameters["region"]["schema"])["enum"] == ["BR", "INTL"]
    assert parameters["from"]["schema"]["format"] == "date-time"
    assert not any(parameter["required"] for parameter in parameters.values())


def test_the_events_that_may_be_subscribed_to_are_the_closed_set() -> None:
    schemas = the_document()["components"]["schemas"]
    events = schemas["NewSubscription"]["properties"]["events"]

    assert events["items"] == {"$ref": "#/components/schemas/EventType"}
    assert schemas["EventType"]["enum"] == list(EventType)
    assert len(EventType) == 36
    assert events["minItems"] == 1


@EACH_OPERATION
def test_an_operation_needs_the_bearer_credential_with_its_scope_unless_it_is_public(
    operation: Operation,
) -> None:
    security = documented(operation.method, operation.path).get(
        "security", the_document()["security"]
    )

    if operation.public:
        assert security == []
    else:
        assert security == [{"bearer": [operation.scope.value] if operation.scope else []}]


def test_the_scopes_that_are_asked_for_are_described() -> None:
    scheme = the_document()["components"]["securitySchemes"]["bearer"]
    asked = {operation.scope.value for operation in OPERATIONS if operation.scope}

    assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")
    assert set(scheme["x-scopes"]) == asked | {"pii:full"}
    assert all(
        f"| `{scope}` | {told}" in scheme["description"]
        for scope, told in scheme["x-scopes"].items()
    )
    assert set(SCOPES) == set(Scope)


def test_the_sections_are_described_and_stand_in_order() -> None:
    tags = the_document()["tags"]

    assert {operation.tag for operation in OPERATIONS} < set(TAGS)
    assert [tag["name"] for tag in tags] == [
        name for name in TAGS if name in {tag["name"] for tag in tags}
    ]
    assert all(tag["description"].endswith(".") for tag in tags)


@EACH_OPERATION
def test_a_parameter_without_which_nothing_works_is_required(operation: Operation) -> None:
    required = {
        name
        for name, field in (operation.query or QueryInput).model_fields.items()
        if field.is_required()
    }
    parameters = documented(operation.method, operation.path)["parameters"]

    told = {
        parameter["name"]
        for parameter in parameters
        if parameter["in"] == "query" and parameter["required"]
    }
    assert (
        told == {operation.query.model_fields[name].alias for name in required}
        if operation.query
        else not told
    )


def test_the_guide_stands_in_front_of_the_operations() -> None:
    told = the_document()["info"]["description"]

    assert re.findall("^## (.*)$", told, re.MULTILINE) == [
        "First steps",
        "Authentication and environments",
        "Sandbox",
        "Idempotency",
        "Errors",
        "Pagination",
        "Masking",
        "Rate limits",
        "Webhooks",
        "Versions",
    ]
    for ending in ("0005", "0006", "0008", "0013", "0018", "0099", "0114"):
        assert f"| `{ending}` |" in told


def test_an_operation_keeps_its_id_for_ever() -> None:
    kept = json.loads(IDS.read_text())
    ids = {
        f"{method.upper()} {path}": operation["operationId"]
        for path, methods in the_document()["paths"].items()
        for method, operation in methods.items()
    }

    assert {address: ids.get(address) for address in kept} == kept, (
        "generated clients call operations by these names"
    )
    assert set(ids) == set(kept), f"add new operations to {IDS.name}"


def test_a_fixed_address_is_not_taken_for_one_with_a_parameter() -> None:
    for operation in OPERATIONS:
        address = re.sub(r"{\w+}", "x", operation.path)
        described = the_closed_document()["paths"][operation.path][operation.method.lower()]
        assert operation_of(operation.method, address) is described
