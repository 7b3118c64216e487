"""Cards over REST: statuses and shapes. (Every answer is also held to the OpenAPI document.)"""

from typing import Any

import httpx
import pytest

from core.cards.models import Activity, Card
from core.foundation.ids import new_id
from core.foundation.security.caller import KEY_SCOPES, Caller, Scope
from tests.factories.cards import Deals, some_deals
from tests.factories.contacts import a_contact
from tests.factories.organizations import a_caller, a_key
from tests.rest_api.problem_answers import must_not_hold, the_problem, wrong_fields

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


@pytest.mark.parametrize(
    ("path", "body", "refusal"),
    [
        ("/mover", {"etapaId": "<Perdido>"}, (422, "MOTIVO_OBRIGATORIO")),
        ("/mover", {"etapaId": "etp_x"}, (422, "VINCULO_INVALIDO")),
        ("/mover", {"etapaId": "<Proposta>", "versao": 9}, (409, "VERSAO_DESATUALIZADA")),
        ("/mover", {"etapaId": "<Proposta>", "motivoPerdaId": "x"}, (422, "not_allowed")),
        ("/transferir", {"pipelineId": "<pipeline>"}, (422, "USE_MOVER")),
        ("/transferir", {"pipelineId": "pip_x"}, (422, "VINCULO_INVALIDO")),
        ("/ganhar", {"campos": {"responsavelId": "acc_x"}}, (422, "VINCULO_INVALIDO")),
        ("/perder", None, (422, "MOTIVO_OBRIGATORIO")),
        ("/reabrir", None, (409, "NEGOCIO_ABERTO")),
        (
            "/atividades",
            {"tipo": "nota", "texto": "x", "messageId": "msg_x"},
            (422, "VINCULO_INVALIDO"),
        ),
    ],
)
async def test_a_refusal_names_its_rule_and_changes_nothing(
    rest: httpx.AsyncClient,
    deals: Deals,
    path: str,
    body: dict[str, Any] | None,
    refusal: tuple[int, str],
) -> None:
    address, card = await a_card(rest, deals)
    known = {"<pipeline>": deals.id} | {f"<{name}>": id for name, id in deals.stages.items()}
    real = body and {
        name: known.get(value, value) if isinstance(value, str) else value
        for name, value in body.items()
    }

    answer = await (
        rest.post(f"{address}{path}") if real is None else rest.post(f"{address}{path}", json=real)
    )

    status, code = refusal
    assert the_problem(answer, status)["meta"]["code"] == code
    must_not_hold(answer, ["acc_x", "msg_x", "etp_x", "pip_x"])
    assert (await rest.get(address)).json() == card
    assert await Activity.all().count() == 0


async def test_a_taken_external_id_is_a_conflict(rest: httpx.AsyncClient, deals: Deals) -> None:
    await a_card(rest, deals, externalId="erp-7731")

    answer = await rest.post(
        CARDS, json={"titulo": "B", "pipelineId": deals.id, "externalId": "erp-7731"}
    )

    assert the_problem(answer, 409)["meta"] == {"code": "EXTERNAL_ID_JA_CADASTRADO"}
    must_not_hold(answer, ["7731"])
    assert await Card.all().count() == 1


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({}, [("/pipelineId", "required"), ("/titulo", "required")]),
        ({"titulo": "", "pipelineId": "p", "x": 1}, [("/titulo", "too_short"), ("/x", "unknown_field")]),
        ({"titulo": "a", "pipelineId": "p", "valor": True}, [("/valor", "wrong_type")]),
        ({"titulo": "a", "pipelineId": "p", "dataPrevista": "31/01/2027"}, [("/dataPrevista", "wrong_format")]),
        ({"titulo": "a\x00", "pipelineId": "p"}, [("/titulo", "nul")]),
        ({"titulo": "a", "pipelineId": "p", "contatos": [{"contatoId": 1}]}, [("/contatos/0/contatoId", "wrong_type")]),
        ([], [("", "wrong_type")]),
    ],
)  # fmt: skip
async def test_every_wrong_field_is_named(
    rest: httpx.AsyncClient, deals: Deals, body: Any, wrong: list[tuple[str, str]]
) -> None:
    answer = await rest.post(CARDS, json=body)

    assert wrong_fields(the_problem(answer, 422)) == [("pointer", *field) for field in wrong]
    assert await Card.all().count() == 0


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=101",
        "skip=-1",
        "cursor=x",
        "status=open",
        "ordenarPor=nome",
        "valorMin=x",
        "q=%00",
        "atrasado=7",
    ],
)
async def test_a_wrong_parameter_is_named(
    rest: httpx.AsyncClient, deals: Deals, query: str
) -> None:
    ((kind, where, _),) = wrong_fields(the_problem(await rest.get(f"{CARDS}?{query}"), 422))

    assert (kind, where) == ("parameter", query.partition("=")[0])


async def everything(
    rest: httpx.AsyncClient, address: str, activity: str, deals: Deals
) -> list[httpx.Response]:
    """Every operation on one card."""
    bodies: dict[str, Any] = {
        "mover": {"etapaId": deals.stages["Proposta"]}, "transferir": {"pipelineId": deals.id}, "ganhar": {},
        "perder": {}, "reabrir": {}, "atividades": {"tipo": "nota", "texto": "x"},
    }  # fmt: skip
    return [
        await rest.get(address),
        await rest.get(f"{address}/historico"),
        await rest.get(f"{address}/atividades"),
        *[await rest.post(f"{address}/{path}", json=body) for path, body in bodies.items()],
        await rest.patch(address, json={"titulo": "Meu"}),
        await rest.patch(activity, json={"titulo": "Meu"}),
        await rest.delete(activity),
        await rest.delete(address),
    ]


async def an_activity(rest: httpx.AsyncClient, address: str) -> str:
    added = await rest.post(f"{address}/atividades", json={"tipo": "nota", "texto": "x"})
    return f"/atividades/{added.json()['id']}"


@pytest.mark.parametrize("whose", ["another organization", "the other environment"])
async def test_cards_of_others_are_not_there(
    rest: httpx.AsyncClient, deals: Deals, whose: str
) -> None:
    address, card = await a_card(rest, deals)
    activity = await an_activity(rest, address)
    if whose == "another organization":
        await speak_as(rest)
    else:
        await speak_as(rest, env="live", organization_id=deals.caller.organization_id)

    for answer in await everything(rest, address, activity, deals):
        the_problem(answer, 404)
    for strange in ("crd_x", "%00", "%ff"):
        the_problem(await rest.get(f"{CARDS}/{strange}"), 404)
    assert (await rest.get(CARDS)).json() == {"items": [], "total": 0}
    assert (await Card.get()).version == card["versao"]
    assert (await Activity.get()).title is None


async def test_cards_need_a_key_and_its_scope(rest: httpx.AsyncClient, deals: Deals) -> None:
    address, _ = await a_card(rest, deals)
    activity = await an_activity(rest, address)
    batch = {"cardIds": [new_id("crd")], "etapaId": deals.stages["Novo"]}

    await speak_as(
        rest, organization_id=deals.caller.organization_id, scopes=frozenset({Scope.WALLET_READ})
    )
    answers = [
        await rest.get(CARDS),
        await rest.post(CARDS, json={}),
        await rest.post(f"{CARDS}/mover-lote", json=batch),
        *await everything(rest, address, activity, deals),
    ]
    needed = [the_problem(answer, 403)["meta"]["escopoExigido"] for answer in answers]
    assert needed == [
        "crm:read",
        *["crm:write"] * 2,
        *["crm:read"] * 3,
        *["crm:write"] * 8,
        *["crm:delete"] * 2,
    ]

    del rest.headers["Authorization"]
    for answer in [await rest.get(CARDS), *await everything(rest, address, activity, deals)]:
        the_problem(answer, 401)
    assert await Card.all().count() == await Activity.all().count() == 1
