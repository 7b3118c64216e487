"""Cards, their history and their activities: one table of operations, one of what they refuse, one
of their borders.
"""

from typing import Any

from core import cards
from core.cards.history import HistoryEntry, write_entries
from core.foundation.clock import now
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.pipelines import PipelineFilter, list_pipelines
from tests.contract.table import Endpoint, Limit, Page, Refusal
from tests.contract.world import World
from tests.factories import pipelines as factory
from tests.factories.cards import STAGES, Deals, some_deals

REASONS = ["Preço", {"texto": "Outro", "exigeObservacao": True}]


async def _deals(caller: Caller) -> Deals:
    """The caller's first pipeline."""
    found = (await list_pipelines(caller, PipelineFilter()))["items"]
    return Deals(caller, found[0] if found else await factory.a_pipeline(caller))


async def a_card(caller: Caller) -> str:
    """The id of an open card in the first stage of the caller's first pipeline."""
    deals = await _deals(caller)
    return str((await deals.card(deals.pipeline["etapas"][0]["nome"]))["id"])


async def the_next_stage(caller: Caller) -> str:
    """The id of the second stage of the caller's first pipeline."""
    return str((await _deals(caller)).pipeline["etapas"][1]["id"])


async def another_pipeline(caller: Caller) -> str:
    """The id of a pipeline that is not the caller's first."""
    await _deals(caller)
    return (await some_deals(caller)).id


async def an_activity(caller: Caller) -> str:
    """The id of a note on a card of its own."""
    note = cards.NewActivity.model_validate({"tipo": "nota", "texto": "Ligou de volta"})
    return str((await cards.add_activity(caller, await a_card(caller), note))["id"])


RECORDS = {
    "card": a_card,
    "next stage": the_next_stage,
    "other pipeline": another_pipeline,
    "activity": an_activity,
}

# All operations of cards list these two, also those that look nothing up, or take nothing that
# could be wrong.
NOTHING_TO_FIND = "404"
NOTHING_TO_BE_WRONG = "422"

CARD = {"id": "<card>"}
ACTIVITY = {"id": "<activity>"}
CHANGEABLE = "valor moeda dataPrevista probabilidade contatoId contatos[] companyId responsavelId atributos tags[] externalId"
CONFLICTING = "401 403 404 409 422"
PLAIN = "401 403 404 422"


async def a_won_card(world: World) -> None:
    await cards.win_card(world.caller, await world.record("card"), cards.CardWin())


ENDPOINTS = [
    Endpoint(
        address="GET /cards",
        scope="crm:read",
        errors=PLAIN,
        parameters="pipelineId etapaId status* responsavelId contatoId companyId atrasado* valorMin* valorMax* "
        "previstoDe* previstoAte* externalId q ordenarPor* limit* skip* cursor",
        never=NOTHING_TO_FIND,
    ),
    Endpoint(
        address="POST /cards",
        scope="crm:write",
        status=201,
        errors=CONFLICTING,
        fields=f"titulo! pipelineId! etapaId {CHANGEABLE} motivoPerdaId observacaoPerda origem origemMessageId",
        body={"titulo": "Renovação", "pipelineId": "<pipeline>"},
        unknown_is=422,
        never=NOTHING_TO_FIND,
    ),
    Endpoint(
        address="POST /cards/mover-lote",
        scope="crm:write",
        errors=CONFLICTING,
        fields="cardIds[]! etapaId! campos",
        body={"cardIds": ["crd_x"], "etapaId": "<stage>"},
        unknown_is=422,
        never=NOTHING_TO_FIND,
    ),
    Endpoint(
        address="GET /cards/{id}",
        scope="crm:read",
        errors=PLAIN,
        ids=CARD,
        never=NOTHING_TO_BE_WRONG,
    ),
    Endpoint(
        address="PATCH /cards/{id}",
        scope="crm:write",
        errors=CONFLICTING,
        ids=CARD,
        fields=f"titulo {CHANGEABLE} versao",
        body={"titulo": "Renovação anual"},
    ),
    Endpoint(
        address="DELETE /cards/{id}",
        scope="crm:delete",
        status=204,
        errors=PLAIN,
        ids=CARD,
        never=NOTHING_TO_BE_WRONG,
    ),
    Endpoint(
        address="POST /cards/{id}/mover",
        scope="crm:write",
        errors=CONFLICTING,
        ids=CARD,
        fields="etapaId! antesDe depoisDe campos motivoPerdaId observacaoPerda versao",
        body={"etapaId": "<next stage>"},
    ),
    Endpoint(
        address="POST /cards/{id}/transferir",
        scope="crm:write",
        errors=CONFLICTING,
        ids=CARD,
        fields="pipelineId! etapaId campos",
        body={"pipelineId": "<other pipeline>"},
    ),
    Endpoint(
        address="POST /cards/{id}/ganhar",
        scope="crm:write",
        errors=CONFLICTING,
        ids=CARD,
        fields="valor ganhoEm campos",
        body={"valor": 10},
        optional_body=True,
    ),
    Endpoint(
        address="POST /cards/{id}/perder",
        scope="crm:write",
        errors=CONFLICTING,
        ids=CARD,
        fields="motivoPerdaId observacaoPerda perdidoEm",
        body={"observacaoPerda": "Sumiu"},
        optional_body=True,
    ),
    Endpoint(
        address="POST /cards/{id}/reabrir",
        scope="crm:write",
        errors=CONFLICTING,
        ids=CARD,
        fields="etapaId",
        body={},
        optional_body=True,
        before=a_won_card,
    ),
    Endpoint(
        address="GET /cards/{id}/historico",
        scope="crm:read",
        errors=PLAIN,
        ids=CARD,
        parameters="tipo* limit* cursor",
    ),
    Endpoint(
        address="GET /cards/{id}/atividades",
        scope="crm:read",
        errors=PLAIN,
        ids=CARD,
        parameters="concluida* tipo* limit* skip*",
    ),
    Endpoint(
        address="POST /cards/{id}/atividades",
        scope="crm:write",
        status=201,
        errors=PLAIN,
        ids=CARD,
        whole="required",
        fields="tipo! titulo texto venceEm concluidaEm responsavelId messageId",
        body={"tipo": "nota", "texto": "Ligou de volta"},
    ),
    Endpoint(
        address="PATCH /atividades/{id}",
        scope="crm:write",
        errors=PLAIN,
        ids=ACTIVITY,
        fields="titulo texto venceEm responsavelId concluida",
        body={"concluida": True},
    ),
    Endpoint(
        address="DELETE /atividades/{id}",
        scope="crm:delete",
        status=204,
        errors=PLAIN,
        ids=ACTIVITY,
        never=NOTHING_TO_BE_WRONG,
    ),
]

CREATE, CHANGE, BATCH = "POST /cards", "PATCH /cards/{id}", "POST /cards/mover-lote"
MOVE, TRANSFER = "POST /cards/{id}/mover", "POST /cards/{id}/transferir"
WIN, LOSE, REOPEN = "POST /cards/{id}/ganhar", "POST /cards/{id}/perder", "POST /cards/{id}/reabrir"
ADD, CHANGE_ACTIVITY = "POST /cards/{id}/atividades", "PATCH /atividades/{id}"

NOBODY = {"contato": "cnt_000000000000000000000", "account": "acc_000000000000000000000"}


def a_board(**pipeline: Any) -> Any:
    """A pipeline like this with a card; `<stage>` is where the body leads to, by the name `into`."""
    into, closed, archived = (pipeline.pop(name, None) for name in ("into", "closed", "archived"))

    async def before(world: World) -> None:
        deals = await some_deals(world.caller, **pipeline)
        card = await deals.card(externalId="erp-1")
        if closed:
            await deals.move(card["id"], closed)
        if archived:
            await factory.changed_pipeline(world.caller, deals.id, arquivado=True, forcar=True)
        stage = deals.stages[into or "Proposta"]
        world.records |= {
            "pipeline": deals.id,
            "card": card["id"],
            "stage": stage,
            "next stage": stage,
        }

    return before


async def an_archive_to_go_to(world: World) -> None:
    other = await world.record("other pipeline")
    await factory.changed_pipeline(world.caller, other, arquivado=True)


async def its_own_pipeline(world: World) -> None:
    await world.record("card")
    world.records["other pipeline"] = (await _deals(world.caller)).id


def _conflict(code: str, address: str, **how: Any) -> Refusal:
    meta = {"code": code, **how.pop("meta", {})}
    return Refusal(status=409, address=address, meta=meta, **how)


def _wrong(code: str, address: str, field: str, **how: Any) -> Refusal:
    meta = {"code": code, **how.pop("meta", {})}
    return Refusal(status=422, address=address, meta=meta, wrong={field: code}, **how)


DEMANDING = [*STAGES[:1], {"nome": "Proposta", "camposObrigatorios": ["valor"]}, *STAGES[2:]]

REFUSALS = [
    _conflict(
        "EXTERNAL_ID_JA_CADASTRADO", CREATE, before=a_board(), change={"externalId": "erp-1"}
    ),
    _conflict(
        "EXTERNAL_ID_JA_CADASTRADO",
        CHANGE,
        proven_by="tests/core/cards/test_create_and_change.py::"
        "test_an_external_id_is_not_changed_into_a_taken_one",
    ),
    _conflict("VERSAO_DESATUALIZADA", CHANGE, change={"versao": 7}, meta={"versaoAtual": 1}),
    _conflict("VERSAO_DESATUALIZADA", MOVE, change={"versao": 7}, meta={"versaoAtual": 1}),
    *(
        _conflict("PIPELINE_ARQUIVADO", address, before=a_board(archived=True))
        for address in (CREATE, BATCH, MOVE, WIN, LOSE)
    ),
    _conflict("PIPELINE_ARQUIVADO", TRANSFER, before=an_archive_to_go_to),
    _conflict("PIPELINE_ARQUIVADO", REOPEN, before=a_board(closed="Ganho", archived=True)),
    _conflict("NEGOCIO_FECHADO", MOVE, before=a_board(closed="Ganho", into="Perdido")),
    _conflict("NEGOCIO_FECHADO", TRANSFER, before=a_board(closed="Ganho")),
    _conflict("NEGOCIO_FECHADO", WIN, before=a_board(closed="Perdido")),
    _conflict("NEGOCIO_FECHADO", LOSE, before=a_board(closed="Ganho")),
    _conflict("NEGOCIO_ABERTO", REOPEN, before=a_board()),
    _conflict("SEM_ETAPA_DE_GANHO", WIN, before=a_board(etapas=STAGES[:2])),
    _conflict("SEM_ETAPA_DE_PERDA", LOSE, before=a_board(etapas=STAGES[:2])),
    _wrong("VINCULO_INVALIDO", CREATE, "/contatoId", change={"contatoId": NOBODY["contato"]}),
    _wrong(
        "VINCULO_INVALIDO", CHANGE, "/responsavelId", change={"responsavelId": NOBODY["account"]}
    ),
    _wrong("VINCULO_INVALIDO", MOVE, "/etapaId", change={"etapaId": "etp_000000000000000000000"}),
    _wrong("VINCULO_INVALIDO", MOVE, "/antesDe", change={"antesDe": "crd_000000000000000000000"}),
    _wrong(
        "VINCULO_INVALIDO", TRANSFER, "/etapaId", change={"etapaId": "etp_000000000000000000000"}
    ),
    _wrong(
        "VINCULO_INVALIDO",
        TRANSFER,
        "/pipelineId",
        change={"pipelineId": "pip_000000000000000000000"},
    ),
    _wrong(
        "VINCULO_INVALIDO",
        WIN,
        "/campos/responsavelId",
        change={"campos": {"responsavelId": NOBODY["account"]}},
    ),
    _wrong(
        "VINCULO_INVALIDO",
        WIN,
        "/campos/contatoId",
        change={"campos": {"contatoId": NOBODY["contato"]}},
    ),
    _wrong(
        "VINCULO_INVALIDO",
        LOSE,
        "/motivoPerdaId",
        change={"motivoPerdaId": "mot_000000000000000000000"},
    ),
    _wrong("VINCULO_INVALIDO", REOPEN, "/etapaId", change={"etapaId": "etp_000000000000000000000"}),
    _wrong("VINCULO_INVALIDO", BATCH, "/etapaId", change={"etapaId": "etp_000000000000000000000"}),
    _wrong(
        "VINCULO_INVALIDO", ADD, "/messageId", change={"messageId": "msg_000000000000000000000"}
    ),
    _wrong(
        "VINCULO_INVALIDO",
        CHANGE_ACTIVITY,
        "/responsavelId",
        change={"responsavelId": NOBODY["account"]},
    ),
    _wrong(
        "CAMPOS_OBRIGATORIOS_AUSENTES",
        MOVE,
        "/campos/valor",
        before=a_board(etapas=DEMANDING),
        meta={"campos": ["valor"]},
    ),
    _wrong("MOTIVO_OBRIGATORIO", LOSE, "/motivoPerdaId", before=a_board(motivos=REASONS)),
    _wrong(
        "MOTIVO_OBRIGATORIO",
        MOVE,
        "/motivoPerdaId",
        before=a_board(motivos=REASONS, into="Perdido"),
    ),
    _wrong(
        "OBSERVACAO_OBRIGATORIA",
        LOSE,
        "/observacaoPerda",
        proven_by="tests/core/cards/test_moves.py::test_to_enter_the_lost_stage_asks_for_a_reason",
    ),
    *(
        _wrong("not_allowed", address, "/observacaoPerda", change={"observacaoPerda": "Sumiu"})
        for address in (CREATE, MOVE)
    ),
    _wrong(
        "not_allowed",
        MOVE,
        "/motivoPerdaId",
        change={"motivoPerdaId": "mot_000000000000000000000"},
    ),
    *(
        _wrong("USE_MOVER", CHANGE, f"/{field}", change={field: "x"})
        for field in ("etapaId", "status")
    ),
    _wrong("USE_MOVER", TRANSFER, "/pipelineId", before=its_own_pipeline),
    Refusal(
        status=422,
        address=MOVE,
        change={"antesDe": "x", "depoisDe": "y"},
        wrong={"": "not_allowed"},
    ),
    Refusal(status=422, address=ADD, change={"texto": ...}, wrong={"": "required"}),
    Refusal(status=422, address=CHANGE_ACTIVITY, change={"texto": None}, wrong={"": "required"}),
    *(
        Refusal(
            status=422,
            address=address,
            change={field: "2999-01-01T00:00:00Z"},
            wrong={f"/{field}": "in_the_future"},
        )
        for address, field in ((WIN, "ganhoEm"), (LOSE, "perdidoEm"), (ADD, "concluidaEm"))
    ),
]

TEXT_ERRORS = [("", "too_short"), (" ", "too_short")]
TITLE_ERRORS = [*TEXT_ERRORS, ("a\nb", "line_break"), ("a\x00b", "nul")]


def _of_a_card(address: str) -> list[Limit]:
    """The borders of a card's fields."""
    return [
        Limit(
            address=address,
            field="/titulo",
            takes=["x", "x" * 160],
            refuses=[*TITLE_ERRORS, ("x" * 161, "too_long")],
        ),
        Limit(address=address, field="/valor", **VALUES),
        Limit(address=address, field="/moeda", takes=["USD"], refuses=[("usd", "not_allowed")]),
        Limit(
            address=address,
            field="/dataPrevista",
            takes=["2027-02-28"],
            refuses=[("2027-02-29", "wrong_format"), ("28/02/2027", "wrong_format")],
        ),
        Limit(
            address=address,
            field="/probabilidade",
            takes=[0, 100],
            refuses=[(-1, "too_small"), (101, "too_large")],
        ),
        Limit(
            address=address,
            field="/contatos",
            takes=[[]],
            refuses=[
                ([{"contatoId": f"c{n}"} for n in range(21)], "too_many"),
                ([{"contatoId": "c"}] * 2, "repeated"),
                ([{"contatoId": f"c{n}", "principal": True} for n in range(2)], "repeated"),
                ([{"contatoId": "c", "papel": "x" * 61}], "too_long", "/0/papel"),
                ([{"contatoId": True}], "wrong_type", "/0/contatoId"),
            ],
        ),
        Limit(
            address=address,
            field="/atributos",
            takes=[{}, {"x" * 64: 1}],
            refuses=[
                ({f"k{n}": 1 for n in range(101)}, "too_many"),
                ({"k": {}}, "wrong_type", "/k"),
            ],
        ),
        Limit(
            address=address,
            field="/tags",
            takes=[[], [f"t{n}" for n in range(100)]],
            refuses=[([f"t{n}" for n in range(101)], "too_many")],
        ),
        Limit(
            address=address,
            field="/externalId",
            takes=["x" * 200],
            refuses=[("", "too_short"), ("x" * 201, "too_long")],
        ),
    ]


VALUES: dict[str, Any] = {
    "takes": [0, 0.01, 19.99, 1e3, 10**12, 999_999_999_999.99],
    "refuses": [
        (-0.01, "too_small"),
        (10**12 + 1, "too_large"),
        (0.001, "too_precise"),
        (True, "wrong_type"),
        ("10", "wrong_type"),
        (10.005, "too_precise"),
    ],
}
AMOUNTS: dict[str, Any] = {
    "takes": ["0", "10.5", "1000000000000"],
    "refuses": [("-1", "too_small"), ("1000000000001", "too_large")],
}

LIMITS = [
    *_of_a_card(CREATE),
    *_of_a_card(CHANGE),
    Limit(address=WIN, field="/valor", **VALUES),
    *(
        Limit(address=address, field="/campos/valor", change={"campos": {}}, **VALUES)
        for address in (MOVE, WIN, TRANSFER)
    ),
    *(Limit(address="GET /cards", field=field, **AMOUNTS) for field in ("?valorMin", "?valorMax")),
    Limit(
        address="GET /cards",
        field="?status",
        takes=["aberto", "ganho", "perdido"],
        refuses=[("ganha", "not_allowed")],
    ),
    Limit(
        address="GET /cards",
        field="?ordenarPor",
        takes=["ordem", "-valor", "dataPrevista", "-updatedAt", "createdAt"],
        refuses=[("titulo", "not_allowed"), ("+valor", "not_allowed")],
    ),
    Limit(
        address="GET /cards/{id}/historico",
        field="?tipo",
        takes=["criado", "movido", "ganho", "perdido", "reaberto", "transferido", "campo"],
        refuses=[("excluido", "not_allowed")],
    ),
    Limit(
        address="GET /cards/{id}/atividades",
        field="?tipo",
        takes=["nota"],
        refuses=[("visita", "not_allowed")],
    ),
    Limit(
        address=CREATE,
        field="/origem",
        takes=["manual", "conversa"],
        refuses=[("email", "not_allowed")],
    ),
    *(
        Limit(
            address=address,
            field="/observacaoPerda",
            takes=takes,
            refuses=[("x" * 1001, "too_long")],
        )
        for address, takes in ((CREATE, []), (MOVE, []), (LOSE, ["", "x" * 1000]))
    ),
    Limit(
        address=BATCH,
        field="/cardIds",
        takes=[["x"] * 200],
        refuses=[([], "too_few"), (["x"] * 201, "too_many")],
    ),
    Limit(
        address=ADD,
        field="/tipo",
        takes=["nota", "tarefa", "ligacao", "reuniao", "email", "mensagem"],
        refuses=[("visita", "not_allowed")],
    ),
    *(
        limit
        for address in (ADD, CHANGE_ACTIVITY)
        for limit in (
            Limit(
                address=address,
                field="/titulo",
                takes=["x", "x" * 200],
                refuses=[*TITLE_ERRORS, ("x" * 201, "too_long")],
            ),
            Limit(
                address=address,
                field="/texto",
                takes=["x", "x" * 10_000],
                refuses=[*TEXT_ERRORS, ("x" * 10_001, "too_long")],
            ),
        )
    ),
]


async def a_long_history(world: World, count: int) -> None:
    """The creation, and so many changes more that all together are as many."""
    id, at = await world.record("card"), now()
    pipeline_id = (await cards.get_card(world.caller, id))["pipelineId"]
    lines = [
        HistoryEntry(id, pipeline_id, "campo", at, new_id("his"), field="titulo")
        for _ in range(count - 1)
    ]
    await write_entries(world.caller, lines)


async def many_activities(world: World, count: int) -> None:
    note = cards.NewActivity.model_validate({"tipo": "nota", "texto": "x"})
    added = await cards.add_activity(world.caller, await world.record("card"), note)
    await world.copies(added["id"], count - 1, table="card_activities")


PAGES = [
    Page(
        address="GET /cards",
        fill=lambda world, count: world.rows("card", count, table="cards", unique=("rank",)),
        default=25,
        ceiling=100,
        above="refused",
    ),
    Page(address="GET /cards/{id}/historico", fill=a_long_history, skips=False),
    Page(address="GET /cards/{id}/atividades", fill=many_activities),
]
