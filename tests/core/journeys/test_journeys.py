from typing import Any

import orjson
import pytest

from core import journeys, lists, segments
from core.foundation.database import db
from core.foundation.errors import Conflict, Forbidden, NotFound, ValidationFailed
from core.foundation.security.caller import Scope
from core.foundation.validation.inputs import read_body
from core.journeys.errors import MAX_JOURNEYS
from core.journeys.outline import OUTLINE
from core.read_models.journeys import JOURNEY
from core.read_models.query_compiler import Selection, read_records
from tests.factories.journeys import STEPS, a_journey, journey_body
from tests.factories.nodes import a_list_id, a_segment_id
from tests.factories.numbers import a_number
from tests.factories.organizations import a_caller
from tests.factories.pipelines import a_pipeline
from tests.factories.templates import a_template

pytestmark = pytest.mark.usefixtures("clean_slate")


def refused(**changes: Any) -> dict[str, str]:
    """The pointers of a body that is not taken, with their codes."""
    with pytest.raises(ValidationFailed) as refusal:
        read_body(journeys.NewJourney, orjson.dumps(journey_body(**changes)))
    return {error.where: error.code for error in refusal.value.errors}


def steps(*configured: dict[str, Any]) -> dict[str, Any]:
    """Steps in a row, as a body has them."""
    return {
        "passos": [
            {
                "id": f"s{place}",
                **({"proximo": f"s{place + 1}"} if place + 1 < len(configured) else {}),
                **step,
            }
            for place, step in enumerate(configured)
        ],
        "entradaPasso": "s0",
    }


async def stored() -> int:
    return int(await db.fetchval("SELECT count(*) FROM journeys"))


async def test_a_journey_is_stored_as_a_draft_with_its_graph() -> None:
    caller = await a_caller()
    created = await a_journey(
        caller,
        reentrada="apos_concluir",
        intervaloReentradaHoras=24,
        silencio={"inicio": "22:00", "fim": "08:00"},
        tetoDeFrequencia={"mensagens": 2, "dias": 7},
        meta={"evento": "purchase"},
    )

    assert created["status"] == "rascunho"
    assert (created["gatilho"], created["reentrada"]) == ({"nome": "signup"}, "apos_concluir")
    assert (created["intervaloReentradaHoras"], created["versao"]) == (24, 1)
    assert created["silencio"] == {"inicio": "22:00", "fim": "08:00"}
    assert created["tetoDeFrequencia"] == {"mensagens": 2, "dias": 7}
    assert (created["meta"], created["metaEvento"]) == ({"evento": "purchase"}, "purchase")
    assert created["entradaPasso"] == "ola"
    assert [step["id"] for step in created["passos"]] == [step["id"] for step in STEPS]
    assert created["metricasPorPasso"]["fim"] == {
        "entraram": 0,
        "aguardando": 0,
        "concluiram": 0,
        "erros": 0,
        "pulados": {},
    }
    assert created["metricasPorPasso"]["ola"]["mensagens"] == dict.fromkeys(
        ("enviadas", "entregues", "lidas", "cliques"), 0
    )
    assert await journeys.get_journey(caller, created["id"]) == created


async def test_channels_and_flow_follow_a_run_from_its_first_step() -> None:
    shuffled = [STEPS[place] for place in (4, 3, 0, 2, 1)]

    created = await a_journey(await a_caller(), passos=shuffled)

    assert created["canais"] == ["sms", "email"]
    assert created["fluxo"] == ["mensagem", "espera", "divisao", "mensagem", "saida"]


async def test_the_list_has_no_graph_and_is_newest_first() -> None:
    caller = await a_caller()
    first, second = await a_journey(caller), await a_journey(caller)

    page = await journeys.list_journeys(caller, journeys.JourneyFilter())

    assert [item["id"] for item in page["items"]] == [second["id"], first["id"]]
    graph = {"passos", "entradaPasso", "metricasPorPasso"}
    assert page["items"][1] == {name: value for name, value in first.items() if name not in graph}


FILTER = {"kind": "leaf", "filter": {"field": "tag", "operator": "is", "value": "vip"}}
EVERY_WAY: list[dict[str, Any]] = [
    {"id": "call", "tipo": "webhook", "config": {"url": "https://a.example/x", "corpo": {"words": "a lot"}},
     "proximo": "wait"},
    {"id": "wait", "tipo": "aguardarEvento", "config": {
        "evento": "purchase", "prazoHoras": 1, "seOcorrer": "ask", "seExpirar": "rcs"}},
    {"id": "ask", "tipo": "condicao", "config": {"filterTree": FILTER, "seSim": "sms", "seNao": "parts"}},
    {"id": "parts", "tipo": "divisao", "config": {
        "ramos": [{"percentual": 50, "proximo": "push"}, {"percentual": 50}]}},
    *({"id": channel, "tipo": "mensagem", "config": {"canal": channel, "texto": "words"}, "proximo": "end"}
      for channel in ("push", "rcs", "sms")),
    {"id": "end", "tipo": "saida"},
]  # fmt: skip


@pytest.mark.parametrize(
    "graph", [{"passos": EVERY_WAY, "entradaPasso": "call"}, {"passos": [], "entradaPasso": None}]
)
async def test_lists_read_the_way_from_an_outline_that_leaves_out_what_is_said(
    graph: dict[str, Any],
) -> None:
    caller = await a_caller()
    whole = await a_journey(caller, **graph)
    way = {name: whole[name] for name in ("canais", "fluxo", "metricasPorPasso")}

    (item,) = (await journeys.list_journeys(caller, journeys.JourneyFilter()))["items"]
    (told,) = await read_records(caller, JOURNEY, [whole["id"]], Selection(dict.fromkeys(way)))
    outline = await db.fetchval(f"SELECT {OUTLINE.format(t='j')} FROM journeys j")

    assert told == {"id": whole["id"], **way}
    assert (item["canais"], item["fluxo"]) == (way["canais"], way["fluxo"])
    assert len(way["fluxo"]) == len(outline) == len(graph["passos"])
    assert b"words" not in orjson.dumps(outline)


async def test_archived_journeys_are_listed_only_when_asked_for() -> None:
    caller = await a_caller()
    kept, archived = await a_journey(caller), await a_journey(caller)
    await db.execute("UPDATE journeys SET status = 'arquivada' WHERE id = $1", archived["id"])

    for status, ids in (
        (None, [kept["id"]]),
        ("arquivada", [archived["id"]]),
        ("ativa", []),
        ("nope", []),
    ):
        page = await journeys.list_journeys(caller, journeys.JourneyFilter(status=status))
        assert [item["id"] for item in page["items"]] == ids


async def test_the_trigger_tells_the_name_of_its_list_or_segment() -> None:
    caller = await a_caller()
    list_id = (await lists.create_list(caller, lists.NewList(name="Clientes")))["id"]
    segment_id = await a_segment_id(caller)

    of_list = await a_journey(caller, gatilho={"listId": list_id})
    of_segment = await a_journey(caller, gatilho={"segmentId": segment_id})

    assert (of_list["gatilho"], of_list["lista"]) == (
        {"listId": list_id},
        {"nome": "Clientes", "tamanho": 0},
    )
    assert of_segment["gatilho"] == {"segmentId": segment_id, "tipo": "segmento"}
    assert of_segment["segmento"] == {
        "nome": (await segments.get_segment(caller, segment_id))["name"]
    }


async def test_nobody_elses_journey_is_there() -> None:
    caller, other = await a_caller(), await a_caller()
    journey = await a_journey(caller)

    for stranger in (other, await a_caller(env="live", organization_id=caller.organization_id)):
        with pytest.raises(NotFound):
            await journeys.get_journey(stranger, journey["id"])
        assert (await journeys.list_journeys(stranger, journeys.JourneyFilter()))["items"] == []


async def test_reading_and_writing_need_their_scopes() -> None:
    reader = await a_caller(scopes=frozenset({Scope.CAMPAIGNS_READ}))
    with pytest.raises(Forbidden):
        await a_journey(reader)
    nobody = await a_caller(scopes=frozenset())
    with pytest.raises(Forbidden):
        await journeys.list_journeys(nobody, journeys.JourneyFilter())
    assert await stored() == 0


async def test_who_may_only_write_is_answered_what_was_stored() -> None:
    writer = await a_caller(scopes=frozenset({Scope.CAMPAIGNS_WRITE}))

    created = await a_journey(writer)

    assert created["status"] == "rascunho"
    with pytest.raises(Forbidden):
        await journeys.get_journey(writer, created["id"])


async def test_what_a_journey_names_must_be_the_callers() -> None:
    caller, other = await a_caller(), await a_caller()
    pipeline, foreign = await a_pipeline(caller), await a_pipeline(other)
    body = journey_body(
        gatilho={"segmentId": await a_segment_id(other)},
        **steps(
            {
                "tipo": "mensagem",
                "config": {
                    "canal": "whatsapp",
                    "numberId": (await a_number(other)).id,
                    "templateId": "tpl_x",
                },
            },
            {"tipo": "cardCriar", "config": {"pipelineId": foreign["id"]}},
            {
                "tipo": "cardMover",
                "config": {"pipelineId": pipeline["id"], "etapaId": foreign["etapas"][0]["id"]},
            },
            {
                "tipo": "condicao",
                "config": {
                    "filterTree": {
                        "kind": "leaf",
                        "filter": {
                            "field": "segment",
                            "operator": "is",
                            "value": await a_segment_id(other),
                        },
                    }
                },
            },
        ),
    )
    with pytest.raises(ValidationFailed) as refusal:
        await journeys.create_journey(caller, read_body(journeys.NewJourney, orjson.dumps(body)))

    assert refusal.value.meta == {"code": "VINCULO_INVALIDO"}
    assert {error.where for error in refusal.value.errors if error.code == "VINCULO_INVALIDO"} == {
        "/gatilho/segmentId",
        "/passos/0/config/templateId",
        "/passos/0/config/numberId",
        "/passos/1/config/pipelineId",
        "/passos/2/config/etapaId",
        "/passos/3/config/filterTree",
    }
    assert await stored() == 0
    stage = pipeline["etapas"][0]["id"]
    own = journey_body(
        gatilho={"listId": await a_list_id(caller)},
        **steps({"tipo": "cardMover", "config": {"pipelineId": pipeline["id"], "etapaId": stage}}),
    )
    await journeys.create_journey(caller, read_body(journeys.NewJourney, orjson.dumps(own)))


async def test_a_template_is_one_of_the_number_that_sends_it() -> None:
    caller = await a_caller()
    template = await a_template(caller)
    another = await a_number(caller)

    def sends(number_id: str) -> journeys.NewJourney:
        config = {"canal": "whatsapp", "numberId": number_id, "templateId": template["id"]}
        return read_body(
            journeys.NewJourney,
            orjson.dumps(journey_body(**steps({"tipo": "mensagem", "config": config}))),
        )

    with pytest.raises(ValidationFailed) as refusal:
        await journeys.create_journey(caller, sends(another.id))
    assert [error.where for error in refusal.value.errors] == ["/passos/0/config/templateId"]
    assert await stored() == 0
    assert (await journeys.create_journey(caller, sends(template["numberId"])))["canais"] == [
        "whatsapp"
    ]


SMS = {"canal": "sms", "texto": "Olá"}
LEAF = {"kind": "leaf", "filter": {"field": "tag", "operator": "is", "value": "vip"}}

TAKEN = [
    {"tipo": "mensagem", "config": SMS},
    {
        "tipo": "mensagem",
        "rotulo": "Olá",
        "config": {**SMS, "canal": "push", "aoFalhar": "outroCanal", "tentativas": 5},
    },
    {"tipo": "espera", "config": {"duracaoHoras": 0.5}},
    {
        "tipo": "espera",
        "config": {"ate": {"hora": "09:30", "dias": [1, 5], "fuso": "America/Manaus"}},
    },
    {"tipo": "espera", "config": {"campo": {"key": "vencimento", "deslocamentoHoras": -48}}},
    {
        "tipo": "aguardarEvento",
        "config": {"evento": "purchase", "filtros": {"loja": "centro"}, "prazoHoras": 48},
    },
    {"tipo": "condicao", "config": {"filterTree": LEAF}},
    {"tipo": "divisao", "config": {"ramos": [{"percentual": 33.3}, {"percentual": 66.7}]}},
    {"tipo": "atualizarContato", "config": {"tags": ["vip"], "attributes": {"nivel": 2}}},
    {
        "tipo": "webhook",
        "config": {"url": "https://example.com/x", "corpo": {"id": None, "deep": {"a": [1]}}},
    },
    {"tipo": "saida"},
]


@pytest.mark.parametrize("step", TAKEN, ids=lambda step: step["tipo"])
async def test_a_step_is_stored_as_it_was_sent(step: dict[str, Any]) -> None:
    created = await a_journey(await a_caller(), **steps(step))

    (kept,) = created["passos"]
    assert (kept["tipo"], kept.get("rotulo")) == (step["tipo"], step.get("rotulo"))
    assert kept["config"] | step.get("config", {}) == kept["config"]


async def test_a_whole_number_of_a_step_stays_one() -> None:
    wait = {"id": "a", "tipo": "espera", "config": {"duracaoHoras": 24}, "proximo": "b"}
    date = {"id": "b", "tipo": "espera", "config": {"campo": {"key": "vencimento"}}, "proximo": "c"}
    split = {
        "id": "c",
        "tipo": "divisao",
        "config": {"ramos": [{"percentual": 50}, {"percentual": 50}]},
    }
    created = await a_journey(await a_caller(), passos=[wait, date, split], entradaPasso="a")

    numbers = [
        created["passos"][0]["config"]["duracaoHoras"],
        created["passos"][1]["config"]["campo"]["deslocamentoHoras"],
        created["passos"][2]["config"]["ramos"][0]["percentual"],
    ]
    assert orjson.dumps(numbers) == b"[24,0,50]"


NOT_TAKEN: list[tuple[dict[str, Any], dict[str, str]]] = [
    ({"tipo": "dança", "config": {}}, {"/tipo": "not_allowed"}),
    ({"tipo": "mensagem"}, {"/config": "required"}),
    (
        {"tipo": "mensagem", "config": {"canal": "pombo", "texto": "x"}},
        {"/config/canal": "not_allowed"},
    ),
    ({"tipo": "mensagem", "config": {"canal": "sms"}}, {"/config": "required"}),
    ({"tipo": "mensagem", "config": {**SMS, "templateId": "tpl_x"}}, {"/config": "required"}),
    (
        {"tipo": "mensagem", "config": {"canal": "sms", "templateId": "tpl_x"}},
        {"/config": "not_allowed"},
    ),
    ({"tipo": "mensagem", "config": {"canal": "whatsapp", "texto": "x"}}, {"/config": "required"}),
    ({"tipo": "mensagem", "config": {**SMS, "numberId": "num_x"}}, {"/config": "required"}),
    ({"tipo": "mensagem", "config": {**SMS, "variaveis": ["x"]}}, {"/config": "not_allowed"}),
    ({"tipo": "mensagem", "config": {**SMS, "tentativas": 6}}, {"/config/tentativas": "too_large"}),
    ({"tipo": "espera", "config": {}}, {"/config": "required"}),
    ({"tipo": "espera", "config": {"duracaoHoras": 0}}, {"/config/duracaoHoras": "too_small"}),
    ({"tipo": "espera", "config": {"duracaoHoras": -9}}, {"/config/duracaoHoras": "too_small"}),
    ({"tipo": "espera", "config": {"duracaoHoras": 8761}}, {"/config/duracaoHoras": "too_large"}),
    (
        {"tipo": "espera", "config": {"duracaoHoras": 1, "campo": {"key": "x"}}},
        {"/config": "required"},
    ),
    (
        {"tipo": "espera", "config": {"ate": {"hora": "24:00"}}},
        {"/config/ate/hora": "wrong_format"},
    ),
    (
        {"tipo": "espera", "config": {"ate": {"hora": "10:00", "fuso": "Marte"}}},
        {"/config/ate/fuso": "not_allowed"},
    ),
    (
        {"tipo": "espera", "config": {"ate": {"hora": "10:00", "dias": [7]}}},
        {"/config/ate/dias/0": "too_large"},
    ),
    ({"tipo": "aguardarEvento", "config": {"prazoHoras": 1}}, {"/config/evento": "required"}),
    ({"tipo": "aguardarEvento", "config": {"evento": "x"}}, {"/config/prazoHoras": "required"}),
    (
        {"tipo": "condicao", "config": {"filterTree": {"kind": "xor"}}},
        {"/config/filterTree/kind": "not_allowed"},
    ),
    (
        {"tipo": "condicao", "config": {"filterTree": LEAF}, "proximo": "s0"},
        {"/proximo": "unknown_field"},
    ),
    ({"tipo": "divisao", "config": {"ramos": [{"percentual": 100}]}}, {"/config/ramos": "too_few"}),
    (
        {"tipo": "divisao", "config": {"ramos": [{"percentual": 50}, {"percentual": 49}]}},
        {"/config": "PERCENTUAIS_INVALIDOS"},
    ),
    ({"tipo": "atualizarContato", "config": {}}, {"/config": "required"}),
    (
        {"tipo": "atualizarContato", "config": {"attributes": {"x": {"y": 1}}}},
        {"/config/attributes/x": "wrong_type"},
    ),
    ({"tipo": "cardMover", "config": {}}, {"/config/pipelineId": "required"}),
    (
        {"tipo": "webhook", "config": {"url": "https://me:pw@example.com"}},
        {"/config/url": "invalid_url"},
    ),
    ({"tipo": "webhook", "config": {"url": "https://10.0.0.1"}}, {"/config/url": "ssrf_blocked"}),
    (
        {"tipo": "webhook", "config": {"url": "https://example.com", "corpo": {"x": 2**60}}},
        {"/config/corpo": "too_large"},
    ),
    (
        {"tipo": "webhook", "config": {"url": "https://example.com", "corpo": {"x": "y" * 20_000}}},
        {"/config/corpo": "too_large"},
    ),
    ({"tipo": "saida", "config": {"motivo": ""}}, {"/config/motivo": "too_short"}),
    ({"id": "um passo", "tipo": "saida"}, {"/id": "wrong_format"}),
    ({"tipo": "mensagem", "config": {**SMS, "assunto": "Oi"}}, {"/config": "not_allowed"}),
    (
        {"tipo": "mensagem", "config": {"canal": "rcs", "texto": "x" * 161}},
        {"/config": "too_long"},
    ),
    (
        {"tipo": "mensagem", "config": {**SMS, "outrosCanais": [SMS], "esperaEntregaMin": 5}},
        {"/config": "not_allowed"},
    ),
    (
        {"tipo": "mensagem", "config": {**SMS, "aoFalhar": "outroCanal", "outrosCanais": [SMS]}},
        {"/config": "repeated"},
    ),
]


@pytest.mark.parametrize(("step", "wrong"), NOT_TAKEN, ids=range(len(NOT_TAKEN)))
def test_a_wrong_step_is_refused_at_its_place(step: dict[str, Any], wrong: dict[str, str]) -> None:
    assert refused(**steps(step)) == {f"/passos/0{place}": code for place, code in wrong.items()}


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"gatilho": {}}, {"/gatilho": "required"}),
        ({"gatilho": {"nome": "x", "listId": "lst_x"}}, {"/gatilho": "required"}),
        ({"gatilho": {"nome": "x", "tipo": "segmento"}}, {"/gatilho": "required"}),
        ({"gatilho": {"segmentId": "seg_x", "tipo": "lista"}}, {"/gatilho/tipo": "not_allowed"}),
        ({"reentrada": "sempre"}, {"/reentrada": "not_allowed"}),
        ({"intervaloReentradaHoras": 1}, {"/intervaloReentradaHoras": "not_allowed"}),
        ({"silencio": {"inicio": "22:00"}}, {"/silencio/fim": "required"}),
        ({"silencio": {"inicio": "22h", "fim": "08:00"}}, {"/silencio/inicio": "wrong_format"}),
        (
            {"tetoDeFrequencia": {"mensagens": 0, "dias": 1}},
            {"/tetoDeFrequencia/mensagens": "too_small"},
        ),
        ({"meta": {}}, {"/meta/evento": "required"}),
        ({"name": " "}, {"/name": "too_short"}),
        (
            {"passos": [{"id": "a", "tipo": "saida"}] * 101, "entradaPasso": "a"},
            {"/passos": "too_many"},
        ),
        ({"entradaPasso": "nada"}, {"/entradaPasso": "PASSO_DESCONHECIDO"}),
    ],
)
def test_what_is_wrong_with_a_journey_is_named(
    changes: dict[str, Any], wrong: dict[str, str]
) -> None:
    assert refused(**changes) == wrong


def test_a_step_of_no_kind_is_refused_in_words_of_the_body() -> None:
    with pytest.raises(ValidationFailed) as refusal:
        read_body(
            journeys.NewJourney, orjson.dumps(journey_body(passos=[{"id": "a"}], entradaPasso="a"))
        )

    (error,) = refusal.value.errors
    assert (error.where, error.code) == ("/passos/0/tipo", "required")
    assert "discriminator" not in error.message


async def test_an_organization_has_at_most_200_journeys_that_are_not_archived() -> None:
    caller = await a_caller()
    first = await a_journey(caller)
    columns = "organization_id, env, name, trigger, reentry, steps, status, created_at, updated_at"
    await db.execute(
        f"INSERT INTO journeys (id, {columns}) "
        f"SELECT 'jor_' || n, {columns} FROM journeys, generate_series(1, {MAX_JOURNEYS - 1}) n"
    )

    with pytest.raises(Conflict) as refusal:
        await a_journey(caller)
    assert refusal.value.meta == {"code": "LIMITE_DE_JORNADAS"}
    assert (
        len((await journeys.list_journeys(caller, journeys.JourneyFilter()))["items"])
        == MAX_JOURNEYS
    )
    await a_journey(await a_caller())
    await journeys.archive_journey(caller, first["id"])
    await a_journey(caller)


async def test_more_archived_journeys_than_a_page_holds_are_all_shown() -> None:
    caller = await a_caller()
    await a_journey(caller)
    columns = "organization_id, env, name, trigger, reentry, steps, created_at, updated_at"
    await db.execute(
        f"INSERT INTO journeys (id, status, {columns}) "
        f"SELECT 'jor_' || n, 'arquivada', {columns} FROM journeys, generate_series(1, {MAX_JOURNEYS + 1}) n"
    )

    first = await journeys.list_journeys(caller, journeys.JourneyFilter(status="arquivada"))
    rest = await journeys.list_journeys(
        caller, journeys.JourneyFilter(status="arquivada", cursor=first["nextCursor"])
    )

    assert (len(first["items"]), len(rest["items"])) == (MAX_JOURNEYS, 1)
    assert "nextCursor" not in rest
    assert len({one["id"] for one in first["items"] + rest["items"]}) == MAX_JOURNEYS + 1


async def test_archiving_and_deleting_are_in_the_audit_once() -> None:
    caller = await a_caller()
    kept, draft = await a_journey(caller), await a_journey(caller)

    for _ in range(2):
        assert (await journeys.archive_journey(caller, kept["id"]))["status"] == "arquivada"
    await journeys.delete_journey(caller, draft["id"])

    entries = await db.fetch(
        "SELECT action FROM audit_entries WHERE action LIKE 'journey.%ed' ORDER BY id"
    )
    assert sorted(entry["action"] for entry in entries) == [
        "journey.archived", "journey.created", "journey.created", "journey.deleted",
    ]  # fmt: skip


async def test_a_creation_is_in_the_audit_without_its_texts() -> None:
    caller = await a_caller()
    journey = await a_journey(caller)

    (entry,) = await db.fetch("SELECT * FROM audit_entries WHERE subject_id = $1", journey["id"])
    assert (entry["action"], entry["facts"]) == ("journey.created", {"steps": 5})


async def test_a_segment_tells_how_many_journeys_use_it() -> None:
    caller = await a_caller()
    segment = await a_segment_id(caller)
    leaf = {"kind": "leaf", "filter": {"field": "segment", "operator": "is", "value": segment}}
    asked = {"kind": "not", "child": leaf}
    await a_journey(caller, gatilho={"segmentId": segment})
    await a_journey(caller, **steps({"tipo": "condicao", "config": {"filterTree": asked}}))
    archived = await a_journey(caller, gatilho={"segmentId": segment})
    await db.execute("UPDATE journeys SET status = 'arquivada' WHERE id = $1", archived["id"])
    await a_journey(caller, gatilho={"segmentId": await a_segment_id(caller)})

    assert (await segments.get_segment(caller, segment))["inUse"] == {
        "journeys": 2,
        "dispatches": 0,
    }


async def test_a_segment_that_goes_pauses_the_journeys_that_run_on_it() -> None:
    caller = await a_caller()
    segment = await a_segment_id(caller)
    running, draft = [await a_journey(caller, gatilho={"segmentId": segment}) for _ in range(2)]
    other = await a_journey(caller, gatilho={"segmentId": await a_segment_id(caller)})
    await db.execute(
        "UPDATE journeys SET status = 'ativa' WHERE id = ANY ($1)", [running["id"], other["id"]]
    )

    await journeys.delete_segment(caller, segment)

    paused = await journeys.get_journey(caller, running["id"])
    assert paused["status"] == "pausada"
    assert (paused["pausadaPor"]["motivo"], paused["pausadaPor"]["passo"]) == (
        "segmento_removido",
        "ola",
    )
    assert paused["pausadaPor"]["em"] == paused["updatedAt"]
    assert "segmento" not in paused
    assert (await journeys.get_journey(caller, draft["id"]))["status"] == "rascunho"
    assert (await journeys.get_journey(caller, other["id"]))["status"] == "ativa"
