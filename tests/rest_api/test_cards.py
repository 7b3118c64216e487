"""Cards over REST: statuses and shapes. (Every answer is also held to the OpenAPI document.)"""

from typing import Any

import httpx
import pytest

from core.foundation.security.caller import KEY_SCOPES, Caller, Scope
from tests.factories.cards import Deals, some_deals
from tests.factories.contacts import a_contact
from tests.factories.organizations import a_caller, a_key
from tests.rest_api.problem_answers import the_problem

CARDS = "/cards"


async def speak_as(
    rest: httpx.AsyncClient, *, scopes: frozenset[Scope] = KEY_SCOPES, **how: Any
) -> None:
    """The client calls with another key."""
    rest.headers["Authorization"] = (
        f"Bearer {await a_key(how.pop('env', 'test'), scopes=scopes, **how)}"
    )


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller("test")


@pytest.fixture
async def deals(rest: httpx.AsyncClient, caller: Caller) -> Deals:
    """A pipeline; the client calls with a key of its organization."""
    await speak_as(rest, organization_id=caller.organization_id)
    return await some_deals(caller, motivos=["Preço"])


async def a_card(rest: httpx.AsyncClient, deals: Deals, **body: Any) -> tuple[str, dict[str, Any]]:
    """The address of a new card, and its record."""
    answer = await rest.post(CARDS, json={"titulo": "Renovação", "pipelineId": deals.id, **body})
    assert answer.status_code == 201, answer.text
    return f"{CARDS}/{answer.json()['id']}", answer.json()


async def test_a_card_goes_its_way(rest: httpx.AsyncClient, caller: Caller, deals: Deals) -> None:
    contact = await a_contact(caller)
    address, created = await a_card(
        rest,
        deals,
        valor=1500,
        dataPrevista="2027-01-31",
        contatos=[{"contatoId": contact["id"], "principal": True}],
    )

    read = await rest.get(address)
    changed = await rest.patch(
        address, json={"titulo": "Renovação anual", "dataPrevista": None, "versao": 1}
    )
    moved = await rest.post(
        f"{address}/mover", json={"etapaId": deals.stages["Proposta"], "versao": 2}
    )
    won = await rest.post(f"{address}/ganhar")
    again = await rest.post(f"{address}/ganhar", json={})
    reopened = await rest.post(f"{address}/reabrir")
    lost = await rest.post(f"{address}/perder", json={"motivoPerdaId": deals.reasons["Preço"]})
    history = await rest.get(f"{address}/historico", params={"limit": "3"})
    older = await rest.get(f"{address}/historico", params={"cursor": history.json()["nextCursor"]})
    listed = await rest.get(CARDS, params={"pipelineId": deals.id, "q": "renovacao"})
    deleted = await rest.delete(address)

    assert read.json() == created
    assert (changed.json()["titulo"], "dataPrevista" in changed.json()) == (
        "Renovação anual",
        False,
    )
    assert moved.json()["card"]["etapaId"] == deals.stages["Proposta"]
    assert moved.json()["movimento"]["tipo"] == "movido"
    assert (won.json()["status"], again.json()) == ("ganho", won.json())
    assert (reopened.json()["status"], reopened.json()["etapaId"]) == (
        "aberto",
        deals.stages["Proposta"],
    )
    assert (lost.json()["status"], lost.json()["motivoPerdaId"]) == (
        "perdido",
        deals.reasons["Preço"],
    )
    assert [line["tipo"] for line in history.json()["items"]] == ["perdido", "reaberto", "ganho"]
    assert sorted(line["tipo"] for line in older.json()["items"]) == [
        "campo",
        "campo",
        "criado",
        "movido",
    ]
    assert listed.json() == {"items": [lost.json()], "total": 1}
    assert (deleted.status_code, deleted.content) == (204, b"")
    the_problem(await rest.get(address), 404)
    the_problem(await rest.delete(address), 404)


async def test_cards_are_transferred_and_moved_in_a_batch(
    rest: httpx.AsyncClient, caller: Caller, deals: Deals
) -> None:
    other = await some_deals(caller)
    address, card = await a_card(rest, deals)
    _, second = await a_card(rest, other)

    transferred = await rest.post(f"{address}/transferir", json={"pipelineId": other.id})
    ids = [card["id"], second["id"], "crd_x"]
    batch = await rest.post(
        f"{CARDS}/mover-lote", json={"cardIds": ids, "etapaId": other.stages["Ganho"]}
    )

    assert transferred.json()["pipelineId"] == other.id
    assert batch.json()["movidos"] == 2
    assert [(error["cardId"], error["codigo"]) for error in batch.json()["erros"]] == [
        ("crd_x", "NOT_FOUND")
    ]


async def test_an_activity_goes_its_way(rest: httpx.AsyncClient, deals: Deals) -> None:
    address, _ = await a_card(rest, deals)

    added = await rest.post(
        f"{address}/atividades",
        json={"tipo": "tarefa", "titulo": "Ligar", "venceEm": "2027-01-01T12:00:00Z"},
    )
    activity = f"/atividades/{added.json()['id']}"
    card = await rest.get(address)
    done = await rest.patch(activity, json={"concluida": True})
    listed = await rest.get(f"{address}/atividades", params={"concluida": "true", "tipo": "tarefa"})
    deleted = await rest.delete(activity)

    assert added.status_code == 201
    assert card.json()["proximaAtividade"]["id"] == added.json()["id"]
    assert done.json()["concluidaEm"]
    assert listed.json() == {"items": [done.json()], "total": 1}
    assert (deleted.status_code, deleted.content) == (204, b"")
    assert (await rest.get(f"{address}/atividades")).json() == {"items": [], "total": 0}
    the_problem(await rest.delete(activity), 404)
