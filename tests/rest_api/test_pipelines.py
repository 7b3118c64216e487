"""Pipelines over REST: statuses and shapes. (Every answer is also held to the OpenAPI document.)"""

from typing import Any

import httpx
import pytest

from core.foundation.clock import now
from core.foundation.security.caller import KEY_SCOPES, Caller, Scope
from core.pipelines import Pipeline, Stage
from tests.factories.organizations import a_caller, a_key
from tests.factories.stored_cards import a_stored_card
from tests.rest_api.problem_answers import must_not_hold, the_problem, wrong_fields

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
    await a_stored_card(caller, created["etapas"][0], value="100.50", expected_on=now().date())

    summary = (await rest.get(f"{address}/resumo", params={"de": "2020-01-01"})).json()

    assert summary["periodo"]["de"] == "2020-01-01T00:00:00.000Z"
    assert summary["etapas"][0]["valores"] == [
        {"moeda": "BRL", "valor": 100.5, "valorPonderado": 10.05}
    ]
    assert summary["totais"]["abertos"] == 1
    assert summary["previsao"] == [{"mes": f"{now():%Y-%m}", "moeda": "BRL", "ponderado": 10.05}]
    none = await rest.get(f"{address}/resumo", params={"responsavelId": "x"})
    assert none.json()["totais"]["abertos"] == 0


@pytest.mark.parametrize(
    ("query", "where"),
    [
        ("de=yesterday", "de"),
        ("ate=2026", "ate"),
        ("de=2026-02-02&ate=2026-02-01", "de"),
        ("responsavelId=%00", "responsavelId"),
    ],
)
async def test_a_wrong_parameter_of_a_summary_is_named(
    rest: httpx.AsyncClient, query: str, where: str
) -> None:
    await a_client(rest)
    address, _ = await a_pipeline(rest)

    ((kind, name, _),) = wrong_fields(the_problem(await rest.get(f"{address}/resumo?{query}"), 422))

    assert (kind, name) == ("parameter", where)


@pytest.mark.parametrize("query", ["contagem=perhaps", "includeArchived=x", "limit=0", "skip=-1"])
async def test_a_wrong_parameter_of_the_list_is_named(rest: httpx.AsyncClient, query: str) -> None:
    await a_client(rest)

    ((kind, name, _),) = wrong_fields(the_problem(await rest.get(f"{PIPELINES}?{query}"), 422))

    assert (kind, name) == ("parameter", query.partition("=")[0])


@pytest.mark.parametrize(
    ("body", "wrong", "code"),
    [
        ({"tipo": "cobranca"}, ("/tipo", "TIPO_AINDA_NAO_DISPONIVEL"), "TIPO_AINDA_NAO_DISPONIVEL"),
        ({"motivos": ["Secret", "  "]}, ("/motivos/1/texto", "MOTIVO_VAZIO"), "MOTIVO_VAZIO"),
        (
            {"etapas": [{"nome": "A", "camposObrigatorios": ["Secret"]}]},
            ("/etapas/0/camposObrigatorios/0", "CAMPO_DESCONHECIDO"),
            "CAMPO_DESCONHECIDO",
        ),
        ({"etapas": [{"nome": "A", "posicao": 1}]}, ("/etapas/0/posicao", "unknown_field"), None),
        ({"nome": None}, ("/nome", "wrong_type"), None),
        ({"moeda": "Secret"}, ("/moeda", "not_allowed"), None),
    ],
)
async def test_a_faulty_pipeline_is_refused(
    rest: httpx.AsyncClient, body: dict[str, Any], wrong: tuple[str, str], code: str | None
) -> None:
    await a_client(rest)

    answer = await rest.post(PIPELINES, json={"nome": "Vendas", **body})

    problem = the_problem(answer, 422)
    assert wrong_fields(problem) == [("pointer", *wrong)]
    assert problem.get("meta", {}).get("code") == code
    must_not_hold(answer, ["Secret"])
    assert await Pipeline.all().count() == 0


async def test_conflicts_tell_which_rule_it_was(rest: httpx.AsyncClient) -> None:
    caller = await a_client(rest)
    address, created = await a_pipeline(rest, motivos=["Preço"])
    stages = {one["nome"]: one for one in created["etapas"]}
    card = await a_stored_card(caller, stages["Novo"])
    novo = f"{address}/etapas/{stages['Novo']['id']}"
    lost = f"{address}/etapas/{stages['Perdido']['id']}"

    for answer, meta in (
        (await rest.post(PIPELINES, json={"nome": "Vendas"}), {"code": "NOME_JA_CADASTRADO"}),
        (
            await rest.post(
                PIPELINES, json={"nome": "B", "etapas": [{"nome": "A"}], "motivos": ["C"]}
            ),
            {"code": "MOTIVOS_SEM_ETAPA_DE_PERDA"},
        ),
        (
            await rest.patch(address, json={"nome": "B", "versao": 9}),
            {"code": "VERSAO_DESATUALIZADA", "versaoAtual": 1},
        ),
        (await rest.patch(address, json={"tipo": "cobranca"}), {"code": "TIPO_IMUTAVEL"}),
        (
            await rest.patch(address, json={"arquivado": True}),
            {"code": "PIPELINE_COM_NEGOCIOS_ABERTOS", "quantidade": 1},
        ),
        (
            await rest.post(f"{address}/etapas", json={"nome": "B", "resultado": "ganho"}),
            {"code": "ETAPA_DE_RESULTADO_JA_EXISTE"},
        ),
        (
            await rest.post(f"{address}/etapas", json={"nome": "Novo"}),
            {"code": "NOME_JA_CADASTRADO"},
        ),
        (
            await rest.patch(novo, json={"resultado": "ganho"}),
            {"code": "ETAPA_COM_NEGOCIOS", "quantidade": 1, "exemplos": [card.id]},
        ),
        (
            await rest.delete(novo),
            {"code": "ETAPA_COM_NEGOCIOS", "quantidade": 1, "exemplos": [card.id]},
        ),
        (await rest.delete(lost), {"code": "MOTIVOS_SEM_ETAPA_DE_PERDA"}),
    ):
        assert the_problem(answer, 409)["meta"] == meta
    assert (await rest.get(address)).json() == created


async def test_an_order_that_is_not_whole_is_refused(rest: httpx.AsyncClient) -> None:
    await a_client(rest)
    address, created = await a_pipeline(rest)
    ids = [one["id"] for one in created["etapas"]]

    for wrong in (ids[1:], [*ids, ids[0]], [*ids[:-1], "etp_x"]):
        problem = the_problem(
            await rest.put(f"{address}/etapas/ordem", json={"etapaIds": wrong}), 422
        )
        assert problem["meta"] == {"code": "ORDEM_INCOMPLETA"}
    the_problem(await rest.put(f"{address}/etapas/ordem", json={}), 422)
    assert (await rest.get(address)).json() == created


async def test_a_body_that_is_no_json_is_refused_with_a_listed_status(
    rest: httpx.AsyncClient,
) -> None:
    await a_client(rest)
    address, created = await a_pipeline(rest)
    stage = f"{address}/etapas/{created['etapas'][0]['id']}"

    for method, path in (
        ("POST", PIPELINES),
        ("PATCH", address),
        ("POST", f"{address}/etapas"),
        ("PATCH", stage),
        ("PUT", f"{address}/etapas/ordem"),
    ):
        the_problem(await rest.request(method, path, content=b"{"), 422)


async def everything(
    rest: httpx.AsyncClient, address: str, stage: str
) -> list[tuple[str, httpx.Response]]:
    """Every operation on one pipeline, by the scope that it needs."""
    at = f"{address}/etapas"
    return [
        ("crm:read", await rest.get(address)),
        ("crm:read", await rest.get(f"{address}/resumo")),
        ("crm:write", await rest.patch(address, json={"nome": "Mine"})),
        ("crm:write", await rest.post(at, json={"nome": "Mine"})),
        ("crm:write", await rest.put(f"{at}/ordem", json={"etapaIds": [stage]})),
        ("crm:write", await rest.patch(f"{at}/{stage}", json={"nome": "Mine"})),
        ("crm:delete", await rest.delete(f"{at}/{stage}")),
    ]


@pytest.mark.parametrize("whose", ["another organization", "the other environment"])
async def test_a_pipeline_of_others_is_not_there(rest: httpx.AsyncClient, whose: str) -> None:
    caller = await a_client(rest)
    address, created = await a_pipeline(rest)
    if whose == "another organization":
        await speak_as(rest)
    else:
        await speak_as(rest, env="live", organization_id=caller.organization_id)

    for _, answer in await everything(rest, address, created["etapas"][0]["id"]):
        the_problem(answer, 404)
    for strange in ("pip_x", "%00", "%ff"):
        the_problem(await rest.get(f"{PIPELINES}/{strange}"), 404)
    assert (await rest.get(PIPELINES, params={"contagem": "true"})).json() == {
        "items": [],
        "total": 0,
        "cardCounts": {},
        "openStageCounts": {},
    }
    assert await Stage.filter(name="Mine").count() == 0
    assert (await Pipeline.get()).name == "Vendas"


async def test_pipelines_need_a_key_and_its_scope(rest: httpx.AsyncClient) -> None:
    caller = await a_client(rest)
    address, created = await a_pipeline(rest)
    stage = created["etapas"][0]["id"]

    await speak_as(rest, organization_id=caller.organization_id, scopes=frozenset({Scope.SMS_READ}))
    for scope, answer in [
        ("crm:read", await rest.get(PIPELINES)),
        ("crm:write", await rest.post(PIPELINES, json={"nome": "More"})),
        *await everything(rest, address, stage),
    ]:
        assert the_problem(answer, 403)["meta"] == {"escopoExigido": scope}

    del rest.headers["Authorization"]
    for _, answer in [("", await rest.get(PIPELINES)), *await everything(rest, address, stage)]:
        the_problem(answer, 401)
    assert await Pipeline.all().count() == 1
    assert await Stage.all().count() == 6
