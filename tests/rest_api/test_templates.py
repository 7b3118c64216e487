"""Templates and flows over REST: statuses, shapes and refusals. (Every answer is also held to the
OpenAPI document.)
"""

from typing import Any

import httpx

from core import templates
from core.foundation.clock import now
from core.foundation.security.caller import Caller
from core.templates import Template
from tests.factories.numbers import a_number
from tests.factories.templates import BODY, a_screen
from tests.rest_api.problem_answers import must_not_hold, the_problem, wrong_fields
from tests.rest_api.speaking import a_client

TEMPLATES, FLOWS = "/v2/templates", "/v2/flows"
OTHER = [{"type": "BODY", "payload": {"text": "Até logo."}}]


async def a_body(caller: Caller, **changes: Any) -> dict[str, Any]:
    number = await a_number(caller)
    body = {
        "numberId": number.id,
        "name": "pedido",
        "language": "pt-BR",
        "category": "utility",
        "components": [BODY],
    }
    return {**body, **changes}


async def test_a_template_is_written_submitted_approved_changed_and_deleted(
    rest: httpx.AsyncClient,
) -> None:
    caller = await a_client(rest)

    written = await rest.post(TEMPLATES, json=await a_body(caller))
    address = f"{TEMPLATES}/{written.json()['id']}"
    submitted = await rest.post(f"{address}/submit")
    await Template.all().update(due_at=now())
    await templates.review_templates(at=now())
    approved = await rest.get(address)
    changed = await rest.patch(address, json={"components": OTHER})
    listed = await rest.get(TEMPLATES, params={"status": "approved"})
    deleted = await rest.delete(f"{TEMPLATES}/{changed.json()['id']}")

    assert (written.status_code, written.json()["status"], len(written.json()["variaveis"])) == (
        201,
        "draft",
        2,
    )
    assert (submitted.status_code, submitted.json()["status"]) == (200, "submitted")
    assert (approved.json()["status"], approved.json()["components"]) == ("approved", [BODY])
    assert (changed.status_code, changed.json()["versaoDe"]) == (200, written.json()["id"])
    assert listed.json() == {"items": [approved.json()], "total": 1}
    assert (deleted.status_code, deleted.content) == (204, b"")


async def test_every_defect_of_a_template_is_named_by_its_place_and_no_value_is_repeated(
    rest: httpx.AsyncClient,
) -> None:
    caller = await a_client(rest)
    text = "{{1}} segredo-do-cliente {{3}}"
    body = await a_body(
        caller, name="Não", components=[{"type": "BODY", "payload": {"text": text, "~/": 1}}]
    )

    answer = await rest.post(TEMPLATES, json=body)
    problem = the_problem(answer, 422)

    assert set(wrong_fields(problem)) == {
        ("pointer", "/name", "wrong_format"),
        ("pointer", "/components/0/payload/~0~1", "unknown_field"),
        ("pointer", "/components/0/payload/text", "not_contiguous"),
        ("pointer", "/components/0/payload/text", "at_the_edge"),
        ("pointer", "/components/0/payload/example/0", "required"),
        ("pointer", "/components/0/payload/example/1", "required"),
    }
    must_not_hold(answer, ["segredo-do-cliente"])
    assert not await Template.all().exists()


async def test_a_flow_is_written_looked_through_published_and_retired(
    rest: httpx.AsyncClient,
) -> None:
    caller = await a_client(rest)
    body = {
        "numberId": (await a_number(caller)).id,
        "name": "Pesquisa",
        "flowJson": {"screens": [a_screen()]},
    }

    written = await rest.post(FLOWS, json=body)
    address = f"{FLOWS}/{written.json()['id']}"
    statuses = [
        (await rest.post(f"{address}/{move}")).json().get("status")
        for move in ("publish", "pause", "resume", "deprecate", "archive")
    ]
    refused = await rest.delete(address)
    listed = await rest.get(
        FLOWS, params={"status": "archived", "metaStatus": "DEPRECATED", "category": "OTHER"}
    )

    assert (written.status_code, written.json()["status"]) == (201, "draft")
    assert statuses == ["active", "paused", "active", "deprecated", "archived"]
    assert the_problem(refused, 409)["meta"] == {"code": "STATUS_NAO_PERMITE", "status": "archived"}
    assert [one["id"] for one in listed.json()["items"]] == [written.json()["id"]]


async def test_what_is_wrong_with_a_flow_is_named_by_the_refusal_to_publish_it(
    rest: httpx.AsyncClient,
) -> None:
    caller = await a_client(rest)
    flow_json = {
        "screens": [a_screen("A", {"type": "TextBody", "text": "${data.x}"}, terminal=False)]
    }
    body = {"numberId": (await a_number(caller)).id, "name": "Pesquisa", "flowJson": flow_json}
    address = f"{FLOWS}/{(await rest.post(FLOWS, json=body)).json()['id']}"

    found = (await rest.post(f"{address}/validate")).json()
    problem = the_problem(await rest.post(f"{address}/publish"), 409)

    assert found["valido"] is False
    assert [(one["pointer"], one["codigo"]) for one in found["erros"]] == [
        (where, code) for _, where, code in wrong_fields(problem)
    ]
    assert len(found["erros"]) == 2
