"""Making pipelines, and reading them."""

from typing import Any

import pytest

from core import cards, pipelines
from core.audit.models import AuditEntry
from core.foundation.errors import Conflict, Forbidden, NotFound, ServiceError, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from core.pipelines import LostReason, Pipeline, PipelineFilter, Stage
from tests.factories.organizations import a_caller
from tests.factories.pipelines import a_pipeline, changed_pipeline, stage_ids
from tests.factories.stored_cards import a_stored_card

WON_ONLY = [{"nome": "Novo"}, {"nome": "Ganho", "resultado": "ganho"}]


async def refused(caller: Caller, **changes: Any) -> ServiceError:
    """The refusal that a creation meets; nothing is stored."""
    before = [await model.all().count() for model in (Pipeline, Stage, LostReason, AuditEntry)]
    with pytest.raises(ServiceError) as refusal:
        await a_pipeline(caller, **changes)
    assert [
        await model.all().count() for model in (Pipeline, Stage, LostReason, AuditEntry)
    ] == before
    return refusal.value


async def test_a_new_pipeline_has_the_usual_stages(caller: Caller) -> None:
    created = await a_pipeline(caller, nome="  Vendas ")

    assert {
        "organizationId": caller.organization_id,
        "nome": "Vendas",
        "tipo": "vendas",
        "moeda": "BRL",
        "posicao": 0,
        "arquivado": False,
        "motivos": [],
        "versao": 1,
        "createdById": caller.account_id,
    }.items() <= created.items()
    assert "descricao" not in created
    assert [
        (stage["nome"], stage["resultado"], stage["probabilidade"], stage["posicao"])
        for stage in created["etapas"]
    ] == [
        ("Novo", "aberta", 10, 0),
        ("Qualificado", "aberta", 30, 1),
        ("Proposta", "aberta", 60, 2),
        ("Negociação", "aberta", 80, 3),
        ("Ganho", "ganho", 100, 4),
        ("Perdido", "perda", 0, 5),
    ]
    assert {stage["pipelineId"] for stage in created["etapas"]} == {created["id"]}
    assert await pipelines.get_pipeline(caller, created["id"]) == created


async def test_a_pipeline_has_the_stages_and_reasons_that_were_sent(caller: Caller) -> None:
    created = await a_pipeline(
        caller,
        descricao="Direct",
        moeda="USD",
        etapas=[
            {
                "nome": "A",
                "probabilidade": 0,
                "tempoMaximoDias": 365,
                "camposObrigatorios": ["valor", "valor"],
            },
            {"nome": "B", "cor": "#00ff00"},
            {
                "nome": "Lost",
                "resultado": "perda",
                "probabilidade": 50,
                "camposObrigatorios": ["responsavel"],
            },
            {"nome": "Won", "resultado": "ganho", "probabilidade": 5},
        ],
        motivos=[
            " Preço ",
            {"texto": "Outro", "exigeObservacao": True},
            {"texto": "Old", "ativo": False},
        ],
    )

    assert (created["descricao"], created["moeda"]) == ("Direct", "USD")
    stages = [
        {name: value for name, value in stage.items() if name not in ("id", "pipelineId")}
        for stage in created["etapas"]
    ]
    assert stages == [
        {
            "nome": "A",
            "posicao": 0,
            "resultado": "aberta",
            "probabilidade": 0,
            "tempoMaximoDias": 365,
            "camposObrigatorios": ["valor"],
        },
        {
            "nome": "B",
            "posicao": 1,
            "resultado": "aberta",
            "camposObrigatorios": [],
            "cor": "#00ff00",
        },
        {
            "nome": "Lost",
            "posicao": 2,
            "resultado": "perda",
            "probabilidade": 0,
            "camposObrigatorios": ["responsavel"],
        },
        {
            "nome": "Won",
            "posicao": 3,
            "resultado": "ganho",
            "probabilidade": 100,
            "camposObrigatorios": [],
        },
    ]
    assert [(one["texto"], one["ativo"], one["exigeObservacao"]) for one in created["motivos"]] == [
        ("Preço", True, False),
        ("Outro", True, True),
        ("Old", False, False),
    ]
    assert await pipelines.get_pipeline(caller, created["id"]) == created


async def test_a_new_pipeline_stands_behind_the_others(caller: Caller) -> None:
    made = [await a_pipeline(caller) for _ in range(3)]

    assert [one["posicao"] for one in made] == [0, 1, 2]
    page = await cards.list_pipelines(caller, PipelineFilter())
    assert page == {"items": made, "total": 3}


async def test_a_name_is_taken_once_among_pipelines_that_are_not_archived(caller: Caller) -> None:
    first = await a_pipeline(caller, nome="Vendas")

    taken = await refused(caller, nome=" Vendas ")
    assert isinstance(taken, Conflict)
    assert taken.meta == {"code": "NOME_JA_CADASTRADO"}

    await a_pipeline(await a_caller(), nome="Vendas")
    await a_pipeline(await a_caller("live", organization_id=caller.organization_id), nome="Vendas")
    await changed_pipeline(caller, first["id"], arquivado=True)
    await a_pipeline(caller, nome="Vendas")


@pytest.mark.parametrize("kind", ["cobranca", "onboarding"])
async def test_kinds_that_are_not_available_yet_are_refused(caller: Caller, kind: str) -> None:
    unavailable = await refused(caller, tipo=kind)

    assert isinstance(unavailable, ValidationFailed)
    assert unavailable.meta == {"code": "TIPO_AINDA_NAO_DISPONIVEL"}


async def test_reasons_need_a_lost_stage(caller: Caller) -> None:
    without = await refused(caller, etapas=WON_ONLY, motivos=["Preço"])

    assert isinstance(without, Conflict)
    assert without.meta == {"code": "MOTIVOS_SEM_ETAPA_DE_PERDA"}
    await a_pipeline(caller, etapas=WON_ONLY)


@pytest.mark.parametrize("outcome", ["ganho", "perda"])
async def test_an_outcome_closes_deals_in_one_stage(caller: Caller, outcome: str) -> None:
    twice = [
        {"nome": "A"},
        {"nome": "B", "resultado": outcome},
        {"nome": "C", "resultado": outcome},
    ]

    assert (await refused(caller, etapas=twice)).meta == {"code": "ETAPA_DE_RESULTADO_JA_EXISTE"}


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({"motivos": [" "]}, "/motivos/0/texto", "MOTIVO_VAZIO"),
        ({"motivos": ["Preço", {"texto": ""}]}, "/motivos/1/texto", "MOTIVO_VAZIO"),
        ({"motivos": ["Preço", " Preço"]}, "/motivos", "repeated"),
        ({"motivos": ["x" * 201]}, "/motivos/0/texto", "too_long"),
        ({"motivos": [str(n) for n in range(51)]}, "/motivos", "too_many"),
        ({"motivos": [7]}, "/motivos/0", "wrong_type"),
        ({"etapas": []}, "/etapas", "too_few"),
        ({"etapas": [{"nome": str(n)} for n in range(31)]}, "/etapas", "too_many"),
        ({"etapas": [{"nome": "A"}, {"nome": "A "}]}, "/etapas", "repeated"),
        ({"etapas": [{"nome": "A", "resultado": "ganho"}]}, "/etapas", "required"),
        ({"etapas": [{"nome": "A", "resultado": "perdida"}]}, "/etapas/0/resultado", "not_allowed"),
        ({"etapas": [{"nome": " "}]}, "/etapas/0/nome", "too_short"),
        ({"etapas": [{"nome": "x" * 61}]}, "/etapas/0/nome", "too_long"),
        ({"etapas": [{"nome": "A", "probabilidade": -1}]}, "/etapas/0/probabilidade", "too_small"),
        ({"etapas": [{"nome": "A", "probabilidade": 101}]}, "/etapas/0/probabilidade", "too_large"),
        (
            {"etapas": [{"nome": "A", "tempoMaximoDias": 0}]},
            "/etapas/0/tempoMaximoDias",
            "too_small",
        ),
        (
            {"etapas": [{"nome": "A", "tempoMaximoDias": 366}]},
            "/etapas/0/tempoMaximoDias",
            "too_large",
        ),
        (
            {"etapas": [{"nome": "A"}, {"nome": "B", "resultado": "perda", "tempoMaximoDias": 1}]},
            "/etapas/1/tempoMaximoDias",
            "not_allowed",
        ),
        (
            {"etapas": [{"nome": "A", "camposObrigatorios": ["valor", "titulo"]}]},
            "/etapas/0/camposObrigatorios/1",
            "CAMPO_DESCONHECIDO",
        ),
        ({"nome": " "}, "/nome", "too_short"),
        ({"nome": "x" * 81}, "/nome", "too_long"),
        ({"descricao": "x" * 501}, "/descricao", "too_long"),
        ({"moeda": "brl"}, "/moeda", "not_allowed"),
        ({"tipo": "suporte"}, "/tipo", "not_allowed"),
        ({"posicao": 1}, "/posicao", "unknown_field"),
    ],
)
async def test_a_wrong_field_is_named(
    caller: Caller, body: dict[str, Any], pointer: str, code: str
) -> None:
    refusal = await refused(caller, **body)

    assert isinstance(refusal, ValidationFailed)
    assert [(error.where, error.code) for error in refusal.errors] == [(pointer, code)]
    assert refusal.meta == ({"code": code} if code.isupper() else {})


async def test_thirty_stages_and_the_longest_names_fit(caller: Caller) -> None:
    stages = [{"nome": f"{n:060}"} for n in range(30)]

    created = await a_pipeline(caller, nome="x" * 80, descricao="x" * 500, etapas=stages)

    assert len(created["etapas"]) == 30


async def test_archived_pipelines_are_listed_on_request(caller: Caller) -> None:
    first, second = await a_pipeline(caller), await a_pipeline(caller)
    archived = await changed_pipeline(caller, first["id"], arquivado=True)

    assert await cards.list_pipelines(caller, PipelineFilter()) == {
        "items": [second],
        "total": 1,
    }
    assert await cards.list_pipelines(caller, PipelineFilter(include_archived=True)) == {
        "items": [archived, second],
        "total": 2,
    }


async def test_a_page_has_as_many_as_asked_for(caller: Caller) -> None:
    made = [await a_pipeline(caller) for _ in range(4)]

    page = await cards.list_pipelines(caller, PipelineFilter(limit=2, skip=1))

    assert page == {"items": made[1:3], "total": 4}


async def test_cards_and_open_stages_are_counted_on_request(caller: Caller) -> None:
    first, second = await a_pipeline(caller), await a_pipeline(caller, etapas=WON_ONLY)
    for stage in (first["etapas"][0], first["etapas"][0], first["etapas"][4]):
        await a_stored_card(caller, stage)
    stranger = await a_caller()
    await a_stored_card(stranger, (await a_pipeline(stranger))["etapas"][0])

    page = await cards.list_pipelines(caller, PipelineFilter(counted=True))

    assert page["cardCounts"] == {first["id"]: 3, second["id"]: 0}
    assert page["openStageCounts"] == {first["id"]: 4, second["id"]: 1}


@pytest.mark.parametrize("env", ["test", "live"])
async def test_a_pipeline_of_others_is_not_there(caller: Caller, env: Any) -> None:
    created = await a_pipeline(caller)
    stranger = await a_caller(
        env, organization_id=caller.organization_id if env == "live" else None
    )

    for attempt in (
        pipelines.get_pipeline(stranger, created["id"]),
        cards.summarize_pipeline(stranger, created["id"], pipelines.SummaryFilter()),
        changed_pipeline(stranger, created["id"], nome="Mine"),
        pipelines.add_stage(stranger, created["id"], pipelines.AddedStage(name="Mine")),
        cards.change_pipeline_stage(
            stranger, created["id"], stage_ids(created)["Novo"], pipelines.StageChanges(name="Mine")
        ),
        pipelines.reorder_stages(
            stranger,
            created["id"],
            pipelines.StageOrder(stage_ids=list(stage_ids(created).values())),
        ),
    ):
        with pytest.raises(NotFound):
            await attempt
    assert await cards.list_pipelines(stranger, PipelineFilter(counted=True)) == {
        "items": [],
        "total": 0,
        "cardCounts": {},
        "openStageCounts": {},
    }
    assert await pipelines.get_pipeline(caller, created["id"]) == created


async def test_every_use_case_needs_its_scope(caller: Caller) -> None:
    created = await a_pipeline(caller)
    id, stage = created["id"], stage_ids(created)["Novo"]
    writer = await a_caller(
        scopes=frozenset({Scope.CRM_WRITE}), organization_id=caller.organization_id
    )
    reader = await a_caller(
        scopes=frozenset({Scope.CRM_READ}), organization_id=caller.organization_id
    )

    for scope, attempt in (
        ("crm:read", pipelines.get_pipeline(writer, id)),
        ("crm:read", cards.list_pipelines(writer, PipelineFilter())),
        ("crm:read", cards.summarize_pipeline(writer, id, pipelines.SummaryFilter())),
        ("crm:write", a_pipeline(reader)),
        ("crm:write", changed_pipeline(reader, id, nome="Other")),
        ("crm:write", pipelines.add_stage(reader, id, pipelines.AddedStage(name="Other"))),
        (
            "crm:write",
            cards.change_pipeline_stage(reader, id, stage, pipelines.StageChanges(name="Other")),
        ),
        (
            "crm:write",
            pipelines.reorder_stages(reader, id, pipelines.StageOrder(stage_ids=[stage])),
        ),
    ):
        with pytest.raises(Forbidden) as refusal:
            await attempt
        assert refusal.value.meta == {"escopoExigido": scope}
    assert (await cards.list_pipelines(caller, PipelineFilter()))["items"] == [created]


async def test_a_creation_is_told_in_the_trail_without_names(caller: Caller) -> None:
    created = await a_pipeline(caller, nome="Secret", motivos=["Secret reason"])

    (entry,) = await AuditEntry.filter(subject_id=created["id"])
    assert (entry.action, entry.facts) == ("pipeline.created", {"stages": 6, "reasons": 1})
