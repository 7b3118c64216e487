"""Pipelines over REST: statuses and shapes. (Every answer is also held to the OpenAPI document.)"""

from typing import Any

import httpx

from core.foundation.clock import now
from core.foundation.security.caller import KEY_SCOPES, Caller, Scope
from tests.factories.organizations import a_caller, a_key
from tests.factories.stored_cards import a_stored_card
from tests.rest_api.problem_answers import the_problem

PIPELINES = "/pipelines"


async def a_client(rest: httpx.AsyncClient) -> Caller:
    """A caller of a new organization; from now on the client calls with a key of it."""
    caller = await a_caller("test")
    await speak_as(rest, organization_id=caller.organization_id)
    return caller


async def speak_as(
    rest: httpx.AsyncClient, *, scopes: frozenset[Scope] = KEY_SCOPES, **how: Any
) -> None:
    """The client calls with another key."""
    rest.headers["Authorization"] = (
        f"Bearer {await a_key(how.pop('env', 'test'), scopes=scopes, **how)}"
    )


async def a_pipeline(rest: httpx.AsyncClient, **body: Any) -> tuple[str, dict[str, Any]]:
    """The address of a new pipeline, and its record."""
    answer = await rest.post(PIPELINES, json={"nome": "Vendas", **body})
    assert answer.status_code == 201, answer.text
    return f"{PIPELINES}/{answer.json()['id']}", answer.json()


async def test_a_pipeline_is_created_read_changed_and_listed(rest: httpx.AsyncClient) -> None:
    await a_client(rest)

    address, created = await a_pipeline(rest, motivos=["Preço"], descricao="Direct")
    read = await rest.get(address)
    changed = await rest.patch(address, json={"nome": "Diretas", "descricao": None, "versao": 1})
    listed = await rest.get(PIPELINES)
    counted = await rest.get(PIPELINES, params={"contagem": "true"})

    assert read.json() == created
    assert (changed.json()["nome"], changed.json()["versao"], "descricao" in changed.json()) == (
        "Diretas",
        2,
        False,
    )
    assert listed.json() == {"items": [changed.json()], "total": 1}
    assert counted.json() == {
        "items": [changed.json()],
        "total": 1,
        "cardCounts": {created["id"]: 0},
        "openStageCounts": {created["id"]: 4},
    }


async def test_an_archived_pipeline_is_listed_on_request(rest: httpx.AsyncClient) -> None:
    await a_client(rest)
    address, _ = await a_pipeline(rest)

    archived = await rest.patch(address, json={"arquivado": True})

    assert archived.json()["arquivado"] is True
    assert (await rest.get(PIPELINES)).json() == {"items": [], "total": 0}
    assert (await rest.get(PIPELINES, params={"includeArchived": "true"})).json()["items"] == [
        archived.json()
    ]


async def test_stages_are_added_changed_ordered_and_deleted(rest: httpx.AsyncClient) -> None:
    await a_client(rest)
    address, _ = await a_pipeline(
        rest, etapas=[{"nome": "A"}, {"nome": "Ganho", "resultado": "ganho"}]
    )

    added = await rest.post(f"{address}/etapas", json={"nome": "B", "probabilidade": 40})
    stage = f"{address}/etapas/{added.json()['id']}"
    changed = await rest.patch(stage, json={"nome": "C", "probabilidade": None})
    before = (await rest.get(address)).json()
    order = [one["id"] for one in reversed(before["etapas"])]
    ordered = await rest.put(f"{address}/etapas/ordem", json={"etapaIds": order})
    deleted = await rest.delete(stage)

    assert (added.status_code, added.json()["posicao"]) == (201, 1)
    assert (changed.json()["nome"], "probabilidade" in changed.json()) == ("C", False)
    assert [one["nome"] for one in before["etapas"]] == ["A", "C", "Ganho"]
    assert [one["id"] for one in ordered.json()["etapas"]] == order
    assert (deleted.status_code, deleted.content) == (204, b"")
    assert [one["nome"] for one in (await rest.get(address)).json()["etapas"]] == ["Ganho", "A"]
    the_problem(await rest.delete(stage), 404)


async def test_a_pipeline_is_summed_up(rest: httpx.AsyncClient) -> None:
    caller = await a_client(rest)
    address, created = await a_pipeline(rest)
    expected = now().date()
    await a_stored_card(caller, created["etapas"][0], value="100.50", expected_on=expected)

    summary = (await rest.get(f"{address}/resumo", params={"de": "2020-01-01"})).json()

    assert summary["periodo"]["de"] == "2020-01-01T00:00:00.000Z"
    assert summary["etapas"][0]["valores"] == [
        {"moeda": "BRL", "valor": 100.5, "valorPonderado": 10.05}
    ]
    assert summary["totais"]["abertos"] == 1
    assert summary["previsao"] == [{"mes": f"{expected:%Y-%m}", "moeda": "BRL", "ponderado": 10.05}]
    none = await rest.get(f"{address}/resumo", params={"responsavelId": "x"})
    assert none.json()["totais"]["abertos"] == 0
