"""Interface: CRM pipelines; Endpoints, CRM pipelines; Limits, Pipeline stage."""

from typing import Any

from core import pipelines
from core.foundation.security.caller import Caller
from core.pipelines.inputs import REQUIRABLE
from tests.contract.table import Endpoint, Limit, Page, Refusal
from tests.contract.world import World
from tests.factories import pipelines as factory
from tests.factories.stored_cards import a_stored_card


async def a_pipeline(caller: Caller) -> str:
    """The id of a pipeline with the usual stages."""
    return str((await factory.a_pipeline(caller))["id"])


async def a_stage(caller: Caller) -> str:
    """The id of the first stage of the caller's first pipeline."""
    return str((await _first(caller))["etapas"][0]["id"])


async def _first(caller: Caller) -> dict[str, Any]:
    page = await pipelines.list_pipelines(caller, pipelines.PipelineFilter())
    found: list[dict[str, Any]] = page["items"]
    return found[0] if found else await factory.a_pipeline(caller)


RECORDS = {"pipeline": a_pipeline, "stage": a_stage}

# Every operation of the CRM lists 422, also those that take nothing in which something could be
# wrong.
NOTHING_TO_BE_WRONG = "422"

PIPELINE = {"id": "<pipeline>"}
STAGE = {"id": "<pipeline>", "etapaId": "<stage>"}
STAGE_FIELDS = "resultado probabilidade tempoMaximoDias camposObrigatorios[] cor"
ONE_STAGE = {"nome": "Prova"}


async def one_stage_only(world: World) -> None:
    """A pipeline of one open stage, whose order is easily told."""
    created = await factory.a_pipeline(world.caller, etapas=[{"nome": "Novo"}])
    world.records |= {"pipeline": created["id"], "stage": created["etapas"][0]["id"]}


ENDPOINTS = [
    Endpoint(
        address="GET /pipelines",
        scope="crm:read",
        errors="401 403 422",
        parameters="contagem* includeArchived* limit* skip*",
    ),
    Endpoint(
        address="POST /pipelines",
        scope="crm:write",
        status=201,
        errors="401 403 409 422",
        fields="nome! tipo descricao moeda etapas[] motivos[]",
        body={"nome": "Vendas"},
    ),
    Endpoint(
        address="GET /pipelines/{id}",
        scope="crm:read",
        errors="401 403 404 422",
        ids=PIPELINE,
        never=NOTHING_TO_BE_WRONG,
    ),
    Endpoint(
        address="PATCH /pipelines/{id}",
        scope="crm:write",
        errors="401 403 404 409 422",
        ids=PIPELINE,
        fields="nome tipo descricao posicao motivos[] arquivado forcar versao",
        body={"nome": "Vendas"},
    ),
    Endpoint(
        address="GET /pipelines/{id}/resumo",
        scope="crm:read",
        errors="401 403 404 422",
        ids=PIPELINE,
        parameters="de* ate* responsavelId",
    ),
    Endpoint(
        address="POST /pipelines/{id}/etapas",
        scope="crm:write",
        status=201,
        errors="401 403 404 409 422",
        ids=PIPELINE,
        fields=f"nome! {STAGE_FIELDS} posicao",
        body=ONE_STAGE,
    ),
    Endpoint(
        address="PUT /pipelines/{id}/etapas/ordem",
        scope="crm:write",
        errors="401 403 404 422",
        ids=PIPELINE,
        fields="etapaIds[]!",
        body={"etapaIds": ["<stage>"]},
        before=one_stage_only,
    ),
    Endpoint(
        address="PATCH /pipelines/{id}/etapas/{etapaId}",
        scope="crm:write",
        errors="401 403 404 409 422",
        ids=STAGE,
        fields=f"nome {STAGE_FIELDS}",
        body=ONE_STAGE,
    ),
    Endpoint(
        address="DELETE /pipelines/{id}/etapas/{etapaId}",
        scope="crm:delete",
        status=204,
        errors="401 403 404 409 422",
        ids=STAGE,
        parameters="moverPara",
    ),
]


async def the_name_is_taken(world: World) -> None:
    await factory.a_pipeline(world.caller, nome="VIP")


async def a_card_is_there(world: World) -> None:
    """In `<stage>` of `<pipeline>`."""
    pipeline = await pipelines.get_pipeline(world.caller, await world.record("pipeline"))
    await a_stored_card(world.caller, pipeline["etapas"][0])


async def thirty_stages(world: World) -> None:
    created = await factory.a_pipeline(world.caller, etapas=[{"nome": str(n)} for n in range(30)])
    world.records["pipeline"] = created["id"]


async def a_lost_stage_with_reasons(world: World) -> None:
    """`<stage>` is the one that loses deals."""
    created = await factory.a_pipeline(world.caller, motivos=["Preço"])
    world.records |= {"pipeline": created["id"], "stage": created["etapas"][5]["id"]}


CREATE, CHANGE, ADD = "POST /pipelines", "PATCH /pipelines/{id}", "POST /pipelines/{id}/etapas"
CHANGE_STAGE, DELETE_STAGE = (
    "PATCH /pipelines/{id}/etapas/{etapaId}",
    "DELETE /pipelines/{id}/etapas/{etapaId}",
)
REORDER = "PUT /pipelines/{id}/etapas/ordem"

OPEN = {"nome": "A"}


def _conflict(code: str, address: str, **how: Any) -> Refusal:
    meta = {"code": code, **how.pop("meta", {})}
    return Refusal(status=409, address=address, meta=meta, **how)


def _wrong(code: str, address: str, field: str, **how: Any) -> Refusal:
    return Refusal(status=422, address=address, meta={"code": code}, wrong={field: code}, **how)


REFUSALS = [
    *(
        _conflict("NOME_JA_CADASTRADO", address, before=the_name_is_taken, change={"nome": "VIP"})
        for address in (CREATE, CHANGE)
    ),
    _conflict("NOME_JA_CADASTRADO", ADD, change={"nome": "Novo"}),
    _conflict("NOME_JA_CADASTRADO", CHANGE_STAGE, change={"nome": "Proposta"}),
    _wrong("TIPO_AINDA_NAO_DISPONIVEL", CREATE, "/tipo", change={"tipo": "cobranca"}),
    _wrong("MOTIVO_VAZIO", CREATE, "/motivos/0/texto", change={"motivos": [" "]}),
    _wrong("MOTIVO_VAZIO", CHANGE, "/motivos/0/texto", change={"motivos": [" "]}),
    _wrong(
        "CAMPO_DESCONHECIDO",
        CREATE,
        "/etapas/0/camposObrigatorios/0",
        change={"etapas": [{**OPEN, "camposObrigatorios": ["titulo"]}]},
    ),
    *(
        _wrong(
            "CAMPO_DESCONHECIDO",
            address,
            "/camposObrigatorios/0",
            change={"camposObrigatorios": ["titulo"]},
        )
        for address in (ADD, CHANGE_STAGE)
    ),
    _conflict(
        "MOTIVOS_SEM_ETAPA_DE_PERDA", CREATE, change={"etapas": [OPEN], "motivos": ["Preço"]}
    ),
    _conflict(
        "MOTIVOS_SEM_ETAPA_DE_PERDA", CHANGE, before=one_stage_only, change={"motivos": ["Preço"]}
    ),
    _conflict(
        "MOTIVOS_SEM_ETAPA_DE_PERDA",
        CHANGE_STAGE,
        before=a_lost_stage_with_reasons,
        change={"resultado": "aberta"},
    ),
    _conflict("MOTIVOS_SEM_ETAPA_DE_PERDA", DELETE_STAGE, before=a_lost_stage_with_reasons),
    _conflict(
        "ETAPA_DE_RESULTADO_JA_EXISTE",
        CREATE,
        change={
            "etapas": [
                OPEN,
                {"nome": "B", "resultado": "ganho"},
                {"nome": "C", "resultado": "ganho"},
            ]
        },
    ),
    _conflict("ETAPA_DE_RESULTADO_JA_EXISTE", ADD, change={"resultado": "perda"}),
    _conflict("ETAPA_DE_RESULTADO_JA_EXISTE", CHANGE_STAGE, change={"resultado": "ganho"}),
    _conflict("VERSAO_DESATUALIZADA", CHANGE, change={"versao": 7}, meta={"versaoAtual": 1}),
    _conflict("TIPO_IMUTAVEL", CHANGE, change={"tipo": "cobranca"}),
    _conflict(
        "PIPELINE_COM_NEGOCIOS_ABERTOS",
        CHANGE,
        before=a_card_is_there,
        change={"arquivado": True},
        meta={"quantidade": 1},
    ),
    _wrong(
        "VINCULO_INVALIDO",
        CHANGE,
        "/motivos/0/id",
        change={"motivos": [{"id": "mot_000000000000000000000", "texto": "Preço"}]},
    ),
    _conflict("LIMITE_DE_ETAPAS", ADD, before=thirty_stages),
    _conflict(
        "ETAPA_COM_NEGOCIOS",
        CHANGE_STAGE,
        before=a_card_is_there,
        change={"resultado": "ganho"},
        meta={"quantidade": 1, "exemplos": ...},
    ),
    _conflict(
        "ETAPA_COM_NEGOCIOS",
        DELETE_STAGE,
        before=a_card_is_there,
        meta={"quantidade": 1, "exemplos": ...},
    ),
    _conflict(
        "ULTIMA_ETAPA_ABERTA", CHANGE_STAGE, before=one_stage_only, change={"resultado": "ganho"}
    ),
    _conflict("ULTIMA_ETAPA_ABERTA", DELETE_STAGE, before=one_stage_only),
    _conflict(
        "MUITOS_NEGOCIOS",
        DELETE_STAGE,
        proven_by="tests/core/pipelines/test_delete_stage.py::test_five_thousand_deals_move_and_one_more_is_too_many",
    ),
    _wrong(
        "CAMPOS_OBRIGATORIOS_AUSENTES",
        DELETE_STAGE,
        "?moverPara",
        proven_by="tests/core/pipelines/test_delete_stage.py::test_one_deal_that_lacks_what_is_demanded_keeps_all_of_them",
    ),
    _wrong(
        "ORDEM_INCOMPLETA", REORDER, "/etapaIds", change={"etapaIds": ["etp_000000000000000000000"]}
    ),
    Refusal(
        status=422,
        address=DELETE_STAGE,
        query={"moverPara": "etp_000000000000000000000"},
        meta={"code": "VINCULO_INVALIDO"},
        wrong={"?moverPara": "VINCULO_INVALIDO"},
    ),
    Refusal(
        status=422,
        address="GET /pipelines/{id}/resumo",
        query={"de": "2026-02-02", "ate": "2026-02-01"},
        wrong={"?de": "too_large"},
    ),
]

NAME_ERRORS = [("", "too_short"), (" ", "too_short")]


def _of_a_stage(address: str) -> list[Limit]:
    """The borders of a stage's fields."""
    return [
        Limit(
            address=address,
            field="/nome",
            takes=["x", "x" * 60],
            refuses=[*NAME_ERRORS, ("x" * 61, "too_long")],
        ),
        Limit(
            address=address,
            field="/probabilidade",
            takes=[0, 100],
            refuses=[(-1, "too_small"), (101, "too_large")],
        ),
        Limit(address=address, field="/resultado", refuses=[("vendido", "not_allowed")]),
        Limit(
            address=address,
            field="/tempoMaximoDias",
            takes=[1, 365],
            refuses=[(0, "too_small"), (366, "too_large")],
        ),
        Limit(
            address=address,
            field="/camposObrigatorios",
            takes=[[], list(REQUIRABLE)],
            refuses=[(["titulo"], "CAMPO_DESCONHECIDO", "/0"), (["valor"] * 21, "too_many")],
        ),
        Limit(
            address=address,
            field="/cor",
            takes=["x", "x" * 20],
            refuses=[("", "too_short"), ("x" * 21, "too_long")],
        ),
    ]


LIMITS = [
    *(
        limit
        for address in (CREATE, CHANGE)
        for limit in (
            Limit(
                address=address,
                field="/nome",
                takes=["x", "x" * 80],
                refuses=[*NAME_ERRORS, ("x" * 81, "too_long"), (None, "wrong_type")],
            ),
            Limit(
                address=address,
                field="/descricao",
                takes=["", "x" * 500],
                refuses=[("x" * 501, "too_long")],
            ),
            Limit(
                address=address,
                field="/motivos",
                takes=[[], [str(n) for n in range(50)], ["x" * 200]],
                refuses=[
                    ([str(n) for n in range(51)], "too_many"),
                    (["x" * 201], "too_long", "/0/texto"),
                    (["a", "a"], "repeated"),
                ],
            ),
        )
    ),
    Limit(address=CREATE, field="/moeda", takes=["USD"], refuses=[("usd", "not_allowed")]),
    Limit(
        address=CREATE,
        field="/tipo",
        takes=["vendas"],
        refuses=[("onboarding", "TIPO_AINDA_NAO_DISPONIVEL"), ("suporte", "not_allowed")],
    ),
    *(
        Limit(
            address=address,
            field="/posicao",
            takes=[0, 2**53 - 1],
            refuses=[(-1, "too_small"), (2**53, "too_large")],
        )
        for address in (CHANGE, ADD)
    ),
    Limit(address=REORDER, field="/etapaIds", refuses=[([], "too_few"), (["x"] * 101, "too_many")]),
    Limit(
        address=CREATE,
        field="/etapas",
        takes=[[OPEN], [{"nome": str(n)} for n in range(30)]],
        refuses=[
            ([], "too_few"),
            ([{"nome": str(n)} for n in range(31)], "too_many"),
            ([OPEN, OPEN], "repeated"),
            ([{"nome": "A", "resultado": "ganho"}], "required"),
            ([{**OPEN, "posicao": 1}], "unknown_field", "/0/posicao"),
            ([{**OPEN, "probabilidade": 101}], "too_large", "/0/probabilidade"),
            ([{**OPEN, "probabilidade": -1}], "too_small", "/0/probabilidade"),
            ([{**OPEN, "tempoMaximoDias": 0}], "too_small", "/0/tempoMaximoDias"),
            ([{**OPEN, "tempoMaximoDias": 366}], "too_large", "/0/tempoMaximoDias"),
        ],
    ),
    *_of_a_stage(ADD),
    *_of_a_stage(CHANGE_STAGE),
]


async def many(world: World, count: int) -> None:
    await world.rows("pipeline", count, table="pipelines", unique=("name",))


PAGES = [Page(address="GET /pipelines", fill=many, default=200, ceiling=200)]
