"""The examples of the OpenAPI document: every operation, every status and every event has one, and
it is true.
"""

import ast
import json
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from core import sms
from core.foundation.clock import now
from core.foundation.database import db
from core.webhooks import EventType
from rest_api.app import OPERATIONS
from rest_api.openapi.events import EVENTS
from rest_api.support.operations import Operation
from tests.factories.organizations import a_key
from tests.rest_api.contract import must_fit, resolved, the_closed_document

EACH_OPERATION = pytest.mark.parametrize(
    "operation", OPERATIONS, ids=lambda o: f"{o.method} {o.path}"
)
EACH_EVENT = pytest.mark.parametrize("name", EVENTS)
CORE = Path(__file__).resolve().parents[2] / "core"


def described(operation: Operation) -> dict[str, Any]:
    found: dict[str, Any] = the_closed_document()["paths"][operation.path][operation.method.lower()]
    return found


@EACH_OPERATION
def test_an_answer_has_examples_that_fit_its_shape(operation: Operation) -> None:
    if operation.answer is None:
        assert not operation.answers
        return
    status = operation.other_status if operation.status == 204 else operation.status
    content = described(operation)["responses"][str(status)]["content"]["application/json"]

    assert content["examples"]
    for example in content["examples"].values():
        must_fit(example["value"], content["schema"])


@EACH_OPERATION
def test_a_refusal_has_examples_for_every_status(operation: Operation) -> None:
    for status, response in described(operation)["responses"].items():
        if int(status) < 400:
            continue
        content = resolved(response)["content"]["application/problem+json"]
        assert content.get("examples"), f"no cause in the catalogue of problems explains {status}"
        for name, example in content["examples"].items():
            must_fit(example["value"], content["schema"])
            assert example["value"]["status"] == int(status), name
            assert example["summary"].endswith("."), name
            if "$ref" not in response:
                assert re.fullmatch(
                    re.sub(r"{\w+}", r"\\w+", operation.path), example["value"]["instance"]
                )


def examples_in(part: Any, place: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Every example that stands beside a schema: where, the example, the schema."""
    if isinstance(part, list):
        for index, inside in enumerate(part):
            yield from examples_in(inside, f"{place}/{index}")
    if not isinstance(part, dict):
        return
    if "schema" in part:
        told = [part["example"]] if "example" in part else []
        told += [one["value"] for one in part.get("examples", {}).values()]
        yield from ((place, example, part["schema"]) for example in told)
    for name, inside in part.items():
        if name not in ("example", "examples"):
            yield from examples_in(inside, f"{place}/{name}")


def test_every_example_of_the_document_fits_the_schema_beside_it() -> None:
    places = set()
    for place, example, schema in examples_in(the_closed_document()):
        must_fit(example, schema)
        places.add(place.split("/")[1])

    assert places == {"paths", "webhooks", "components"}


@EACH_OPERATION
def test_the_parameters_of_a_path_have_examples(operation: Operation) -> None:
    assert set(operation.ids) == set(re.findall(r"{(\w+)}", operation.path))


def test_a_missing_scope_is_the_one_of_the_operation() -> None:
    for operation in OPERATIONS:
        if operation.scope is not None:
            (example,) = [
                example["value"]
                for example in described(operation)["responses"]["403"]["content"][
                    "application/problem+json"
                ]["examples"].values()
                if "escopoExigido" in example["value"].get("meta", {})
            ]
            assert example["meta"] == {"escopoExigido": operation.scope.value}


@EACH_EVENT
def test_an_event_has_an_example_that_fits_its_shape(name: str) -> None:
    body = the_closed_document()["webhooks"][name]["post"]["requestBody"]["content"][
        "application/json"
    ]

    (example,) = body["examples"].values()
    must_fit(example["value"], body["schema"])
    assert example["value"]["type"] == name


def test_every_event_that_the_service_sends_is_documented() -> None:
    named: set[str] = set()
    for path in CORE.rglob("*.py"):
        if path.name != "event_types.py" and "migrations" not in path.parts:
            tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            named |= {
                node.value
                for node in tree
                if isinstance(node, ast.Constant) and isinstance(node.value, str)
            }

    sent = named & set(EventType)
    assert sent
    assert sent - set(EVENTS) == set(), "add a row to rest_api/openapi/events.py"
    assert set(EVENTS) - set(EventType) == {"webhook.ping"}


async def test_the_events_of_a_message_have_the_documented_shape(rest: httpx.AsyncClient) -> None:
    key = await a_key()
    bearer = {"Authorization": f"Bearer {key}"}
    texts = {"0005": "https://example.com/orders/1", "0006": "Olá", "0013": "Olá"}
    for ending, text in texts.items():
        body = {"to": f"+551198765{ending}", "body": text, "route": "premium", "trackLinks": True}
        body |= {"metadata": {"order": 7, "gift": True}, "campaignId": "spring"}
        sent = await rest.post(
            "/v2/sms/messages", json=body, headers={**bearer, "Idempotency-Key": ending}
        )
        assert sent.status_code == 201
        if ending == "0005":
            reply = {"inReplyTo": sent.json()["id"], "body": "SIM"}
            assert (
                await rest.post("/v2/sandbox/sms/replies", json=reply, headers=bearer)
            ).status_code == 201
            links = await rest.get(
                "/v2/links", params={"messageId": sent.json()["id"]}, headers=bearer
            )
            (link,) = links.json()["items"]
            assert (await rest.get(link["shortUrl"])).status_code == 302
    await sms.apply_due_reports(at=now() + timedelta(minutes=1))

    events = await db.fetch("SELECT type, data FROM webhook_events")

    assert {row["type"] for row in events} >= {
        "sms.delivered", "sms.undelivered", "sms.failed", "sms.received", "sms.clicked",
    }  # fmt: skip
    for row in events:
        body = the_closed_document()["webhooks"][row["type"]]["post"]["requestBody"]["content"][
            "application/json"
        ]
        must_fit(json.loads(json.dumps(row["data"])), body["schema"]["properties"]["data"])
