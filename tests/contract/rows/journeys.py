"""Interface: Journey; Endpoints, Journeys. Decisions: Segments, lists, journeys."""

from core import journeys
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.journeys.runs.enrol import enrol
from tests.contract.table import Endpoint, Event, Limit, Refusal
from tests.contract.world import World
from tests.factories import journeys as factory
from tests.factories.batches import a_desk
from tests.factories.journeys import a_journey, a_running_journey, journey_body
from tests.factories.moving import asked, stand_on
from tests.factories.stored_contacts import stored_contact, stored_contacts


async def the_id_of_a_journey(caller: Caller) -> str:
    """The id of a journey."""
    return str((await a_journey(caller))["id"])


async def the_id_of_an_active_journey(caller: Caller) -> str:
    """The id of a journey that runs."""
    return (await a_running_journey(caller)).version_id


async def the_id_of_a_paused_journey(caller: Caller) -> str:
    """The id of a journey that was paused."""
    id = await the_id_of_an_active_journey(caller)
    await db.execute("UPDATE journeys SET status = 'pausada' WHERE id = $1", id)
    return id


RECORDS = {
    "journey": the_id_of_a_journey,
    "active journey": the_id_of_an_active_journey,
    "paused journey": the_id_of_a_paused_journey,
}

LIST = "GET /v2/journeys"
CREATE = "POST /v2/journeys"
ARCHIVE = "POST /v2/journeys/{id}/arquivar"
DELETE = "DELETE /v2/journeys/{id}"
CHANGE = "PATCH /v2/journeys/{id}"
ACTIVATE = "POST /v2/journeys/{id}/ativar"
PAUSE = "POST /v2/journeys/{id}/pausar"
RESUME = "POST /v2/journeys/{id}/retomar"
END_ENTRIES = "POST /v2/journeys/{id}/encerrar-entradas"
ENTER = "POST /v2/journeys/{id}/entradas"
MIGRATE = "POST /v2/journeys/{id}/migrar"
SETTINGS = "PUT /v2/journeys/settings"
DUPLICATE = "POST /v2/journeys/{id}/duplicar"
FIELDS = "reentrada intervaloReentradaHoras silencio tetoDeFrequencia meta sairQuando passos[] entradaPasso"
ENDPOINTS = [
    Endpoint(address=LIST, scope="campaigns:read", errors="401 403", parameters="status cursor"),
    Endpoint(
        address=CREATE,
        scope="campaigns:write",
        status=201,
        errors="401 403 409 422",
        fields=f"name! gatilho! {FIELDS}",
        body=journey_body(),
    ),
    Endpoint(
        address="GET /v2/journeys/{id}",
        scope="campaigns:read",
        errors="401 403 404",
        ids={"id": "<journey>"},
    ),
    Endpoint(
        address=CHANGE,
        scope="campaigns:write",
        errors="401 403 404 409 422",
        ids={"id": "<journey>"},
        fields=f"name gatilho {FIELDS} updatedAt",
        body={"name": "Outro nome"},
    ),
    Endpoint(
        address=ACTIVATE,
        scope="campaigns:write",
        errors="401 403 404 409 422",
        ids={"id": "<journey>"},
        fields="incluirAtuais quoteId",
        optional_body=True,
        body={},
    ),
    Endpoint(
        address=PAUSE,
        scope="campaigns:write",
        errors="401 403 404 409",
        ids={"id": "<active journey>"},
    ),
    Endpoint(
        address=RESUME,
        scope="campaigns:write",
        errors="401 403 404 409 422",
        ids={"id": "<paused journey>"},
    ),
    Endpoint(
        address=ENTER,
        scope="campaigns:write",
        errors="401 403 404 409 422",
        ids={"id": "<active journey>"},
        fields="contactIds[]!",
        body={"contactIds": ["<contact>"]},
    ),
    Endpoint(
        address=MIGRATE,
        scope="campaigns:write",
        errors="401 403 404 409 422",
        ids={"id": "<active journey>"},
        fields="mapa! passosSemMapa simular",
        body={"mapa": {}, "simular": False},
    ),
    Endpoint(address="GET /v2/journeys/settings", scope="campaigns:read", errors="401 403"),
    Endpoint(
        address=SETTINGS,
        scope="campaigns:write",
        errors="401 403 422",
        fields="teto!",
        body={"teto": {"mensagens": 3, "dias": 7}},
    ),
    Endpoint(
        address=END_ENTRIES,
        scope="campaigns:write",
        errors="401 403 404 409",
        ids={"id": "<active journey>"},
    ),
    Endpoint(
        address=DUPLICATE,
        scope="campaigns:write",
        status=201,
        errors="401 403 404 409 422",
        ids={"id": "<journey>"},
        fields="name",
        optional_body=True,
        body={"name": "Cópia"},
    ),
    Endpoint(
        address=ARCHIVE,
        scope="campaigns:write",
        errors="401 403 404 422",
        ids={"id": "<journey>"},
        fields="execucoes",
        optional_body=True,
        body={},
    ),
    Endpoint(
        address=DELETE,
        scope="campaigns:write",
        status=204,
        errors="401 403 404 409",
        ids={"id": "<journey>"},
    ),
]


async def as_many_as_may_be(world: World) -> None:
    await db.execute("DELETE FROM journeys")
    await world.rows("journey", 200, table="journeys")


async def as_many_as_may_be_with_one_more(world: World) -> None:
    await db.execute("DELETE FROM journeys WHERE id LIKE 'jor_copy%'")
    await world.rows("journey", 200, table="journeys")


async def it_runs(world: World) -> None:
    await db.execute("UPDATE journeys SET status = 'ativa'")


async def its_entries_ended(world: World) -> None:
    await db.execute("UPDATE journeys SET entries_ended = true")


async def as_many_inside_as_may_be(world: World) -> None:
    """And there is a segment with somebody in it."""
    await it_begins_with_a_segment(world)
    await stored_contact(world.caller, tags=["vip"])
    await db.execute(
        "INSERT INTO journey_step_counts (organization_id, env, version_id, step, kind, delta) "
        "SELECT organization_id, env, id, -1, 1, 5000000 FROM journeys"
    )


async def somebody_is_inside_the_version_before(world: World) -> None:
    contact = await stored_contact(world.caller)
    id = await world.record("active journey")
    first = await a_running_journey(world.caller)
    await enrol(first, "SELECT $1::text AS contact_id", [contact], at=now())
    await db.execute("UPDATE journey_runs SET step = 1")
    await db.execute(
        "UPDATE journeys SET lineage_id = $1::text, version = CASE WHEN id = $1::text THEN 1 ELSE 2 END "
        "WHERE id = ANY ($2::text[])",
        first.version_id,
        [first.version_id, id],
    )


async def it_is_archived(world: World) -> None:
    await db.execute("UPDATE journeys SET status = 'arquivada'")


async def it_is_a_draft(world: World) -> None:
    await db.execute("UPDATE journeys SET status = 'rascunho'")


async def it_is_paused(world: World) -> None:
    await db.execute("UPDATE journeys SET status = 'pausada'")


async def it_has_no_steps(world: World) -> None:
    await db.execute("UPDATE journeys SET steps = '[]', entry_step_id = NULL")


async def it_waits_only(world: World) -> None:
    await db.execute("UPDATE journeys SET steps = $1, entry_step_id = 'ola'", [WAIT])


async def it_decides_nothing(world: World) -> None:
    step = {"id": "a", "tipo": "aguardarEvento", "config": {"evento": "x", "prazoHoras": 1}}
    first = {"id": "ola", "tipo": "mensagem", "config": SMS, "proximo": "a"}
    await db.execute("UPDATE journeys SET steps = $1, entry_step_id = 'ola'", [first, step])


async def it_begins_with_a_segment(world: World) -> None:
    segment = await world.record("segment")
    await db.execute("UPDATE journeys SET trigger = $1", {"segmentId": segment})


async def its_segment_is_gone(world: World) -> None:
    missing = "seg_000000000000000000000"
    await db.execute("UPDATE journeys SET trigger = $1", {"segmentId": missing})


async def its_template_is_gone(world: World) -> None:
    """And its number cannot send any more."""
    desk = await a_desk(world.caller)
    config = {"canal": "whatsapp", "numberId": desk.number_id, "templateId": desk.template_id}
    step = {"id": "ola", "tipo": "mensagem", "config": config}
    await db.execute("UPDATE journeys SET steps = $1, entry_step_id = 'ola'", [step])
    await db.execute("UPDATE templates SET status = 'paused'")


async def its_number_is_gone(world: World) -> None:
    await its_template_is_gone(world)
    await db.execute("UPDATE templates SET status = 'approved'")
    await db.execute("UPDATE numbers SET status = 'disconnected'")


async def as_many_segments_as_may_be(world: World) -> None:
    await it_begins_with_a_segment(world)
    await db.execute(
        "INSERT INTO journey_watches (organization_id, env, version_id, kind, ref, created_at) "
        "SELECT organization_id, env, id, 'segment', 'seg_' || n, now() FROM journeys, generate_series(1, 20) n ON CONFLICT DO NOTHING"
    )


async def it_has_a_newer_version(world: World) -> None:
    await it_runs(world)
    id = await world.record("journey")
    await journeys.change_journey(world.caller, id, journeys.JourneyChanges(name="Dois"))


SMS = {"canal": "sms", "texto": "Oi"}


async def a_step_calls(world: World) -> None:
    step = {"tipo": "webhook", "config": {"url": "http://127.0.0.1:9009/hooks"}}
    program = await a_running_journey(world.caller, **factory.in_a_row(step))
    runs = await stand_on(program, 1, await stored_contacts(world.caller, [{}]))
    await asked(program, 1, runs, at=now())


EVENTS = [
    Event(
        name="journey.called",
        data="env journeyId stepId journeyRunId contactId corpo",
        cause=a_step_calls,
    )
]

WAIT = {"id": "ola", "tipo": "espera", "config": {"duracaoHoras": 1}}

REFUSALS = [
    Refusal(
        status=409, address=CREATE, before=as_many_as_may_be, meta={"code": "LIMITE_DE_JORNADAS"}
    ),
    Refusal(
        status=409,
        address=DELETE,
        before=it_runs,
        meta={"code": "STATUS_NAO_PERMITE", "status": "ativa"},
    ),
    Refusal(
        status=409,
        address=DUPLICATE,
        before=as_many_as_may_be_with_one_more,
        meta={"code": "LIMITE_DE_JORNADAS"},
    ),
    *(
        Refusal(
            status=409,
            address=address,
            before=before,
            meta={"code": "STATUS_NAO_PERMITE", "status": status},
        )
        for address, before, status in (
            (ACTIVATE, it_is_paused, "pausada"),
            (PAUSE, it_is_a_draft, "rascunho"),
            (RESUME, it_is_a_draft, "rascunho"),
            (END_ENTRIES, it_is_a_draft, "rascunho"),
            (ENTER, it_is_paused, "pausada"),
            (MIGRATE, it_is_paused, "pausada"),
        )
    ),
    *(
        Refusal(
            status=409, address=address, before=it_is_archived, meta={"code": "JORNADA_ARQUIVADA"}
        )
        for address in (CHANGE, ACTIVATE, PAUSE, RESUME, END_ENTRIES, ENTER, MIGRATE)
    ),
    Refusal(
        status=409, address=ENTER, before=its_entries_ended, meta={"code": "ENTRADAS_ENCERRADAS"}
    ),
    Refusal(
        status=422,
        address=ENTER,
        change={"contactIds": ["cnt_000000000000000000000"]},
        meta={"code": "VINCULO_INVALIDO"},
        wrong={"/contactIds/0": "VINCULO_INVALIDO"},
    ),
    *(
        Refusal(
            status=422,
            address=address,
            before=as_many_inside_as_may_be,
            change=change,
            meta={"code": "LIMITE_DE_EXECUCOES"},
            wrong={pointer: "LIMITE_DE_EXECUCOES"},
        )
        for address, change, pointer in (
            (ENTER, {}, "/contactIds"),
            (ACTIVATE, {"incluirAtuais": True}, "/incluirAtuais"),
        )
    ),
    Refusal(
        status=422,
        address=MIGRATE,
        change={"mapa": {"nada": "ola"}},
        meta={"code": "PASSO_DESCONHECIDO"},
        wrong={"/mapa/nada": "PASSO_DESCONHECIDO"},
    ),
    Refusal(
        status=422,
        address=MIGRATE,
        before=somebody_is_inside_the_version_before,
        meta={"code": "MAPA_INCOMPLETO"},
        wrong={"/passosSemMapa": "MAPA_INCOMPLETO"},
    ),
    Refusal(status=409, address=ACTIVATE, before=it_runs, meta={"code": "JORNADA_ATIVA"}),
    Refusal(
        status=409, address=ACTIVATE, before=it_has_no_steps, meta={"code": "JORNADA_SEM_PASSOS"}
    ),
    Refusal(
        status=409,
        address=CHANGE,
        before=it_has_a_newer_version,
        meta={"code": "VERSAO_DESATUALIZADA", "journeyId": ...},
    ),
    Refusal(
        status=409,
        address=CHANGE,
        change={"updatedAt": "2020-01-01T00:00:00.000Z"},
        meta={"code": "VERSAO_DESATUALIZADA", "updatedAt": ...},
    ),
    *(
        Refusal(
            status=422,
            address=address,
            before=before,
            meta={"code": code},
            wrong={pointer: code},
        )
        for address, before, code, pointer in (
            (ACTIVATE, it_begins_with_a_segment, "INCLUIR_ATUAIS_AUSENTE", "/incluirAtuais"),
            (ACTIVATE, it_decides_nothing, "PASSO_SEM_DESTINO", "/passos/1/config"),
            (ACTIVATE, it_waits_only, "JORNADA_SEM_EFEITO", "/passos"),
            (
                ACTIVATE,
                its_template_is_gone,
                "TEMPLATE_INDISPONIVEL",
                "/passos/0/config/templateId",
            ),
            (RESUME, its_template_is_gone, "TEMPLATE_INDISPONIVEL", "/passos/0/config/templateId"),
            (ACTIVATE, its_number_is_gone, "NUMERO_INDISPONIVEL", "/passos/0/config/numberId"),
            (RESUME, its_number_is_gone, "NUMERO_INDISPONIVEL", "/passos/0/config/numberId"),
            (RESUME, its_segment_is_gone, "VINCULO_INVALIDO", "/gatilho/segmentId"),
        )
    ),
    Refusal(
        status=422,
        address=ACTIVATE,
        before=as_many_segments_as_may_be,
        change={"incluirAtuais": True},
        meta={"code": "LIMITE_DE_SEGMENTOS"},
        wrong={"/gatilho/segmentId": "LIMITE_DE_SEGMENTOS"},
    ),
    Refusal(
        status=422,
        address=ACTIVATE,
        before=its_segment_is_gone,
        change={"incluirAtuais": True},
        meta={"code": "VINCULO_INVALIDO"},
        wrong={"/gatilho/segmentId": "VINCULO_INVALIDO"},
    ),
    Refusal(
        status=422,
        address=ACTIVATE,
        change={"incluirAtuais": True},
        wrong={"/incluirAtuais": "not_allowed"},
    ),
    Refusal(
        status=422,
        address=CREATE,
        change={"gatilho": {"listId": "lst_000000000000000000000"}},
        meta={"code": "VINCULO_INVALIDO"},
        wrong={"/gatilho/listId": "VINCULO_INVALIDO"},
    ),
    *(
        Refusal(
            status=422,
            address=CREATE,
            change={"passos": steps, "entradaPasso": "ola"},
            meta={"code": code},
            wrong={pointer: code},
        )
        for code, pointer, steps in (
            ("PASSO_DESCONHECIDO", "/passos/0/proximo", [{**WAIT, "proximo": "nada"}]),
            ("CICLO", "/passos/0/proximo", [{**WAIT, "proximo": "ola"}]),
            ("PASSO_INALCANCAVEL", "/passos/1/id", [WAIT, {**WAIT, "id": "ilha"}]),
            (
                "PERCENTUAIS_INVALIDOS",
                "/passos/0/config",
                [
                    {
                        "id": "ola",
                        "tipo": "divisao",
                        "config": {"ramos": [{"percentual": 1}, {"percentual": 2}]},
                    }
                ],
            ),
        )
    ),
    Refusal(
        status=422,
        address=CREATE,
        change={
            "passos": [{"id": "a", "tipo": "espera", "config": {"duracaoHoras": 1}, "proximo": "b"}]
        },
        wrong={"/passos/0/proximo": "PASSO_DESCONHECIDO", "/entradaPasso": "PASSO_DESCONHECIDO"},
    ),
]


def in_a_row(count: int) -> list[dict[str, object]]:
    """So many steps, beginning with the one that the body begins with."""
    ids = ["ola", *(f"s{place}" for place in range(1, count))]
    return [
        {
            "id": id,
            "tipo": "espera",
            "config": {"duracaoHoras": 1},
            **({} if following is None else {"proximo": following}),
        }
        for id, following in zip(ids, [*ids[1:], None], strict=True)
    ]


LIMITS = [
    Limit(
        address=MIGRATE,
        field="/mapa",
        refuses=[({f"s{place}": "ola" for place in range(101)}, "too_many")],
    ),
    Limit(
        address=MIGRATE,
        field="/passosSemMapa",
        takes=["manter", "encerrar"],
        refuses=[("talvez", "not_allowed")],
    ),
    Limit(
        address=SETTINGS,
        field="/teto",
        takes=[{"mensagens": 1, "dias": 90}, {"mensagens": 100, "dias": 1}, None],
        refuses=[
            ({"mensagens": 101, "dias": 1}, "too_large", "/mensagens"),
            ({"mensagens": 1, "dias": 91}, "too_large", "/dias"),
        ],
    ),
    Limit(
        address=ENTER,
        field="/contactIds",
        refuses=[([], "too_few"), (["<contact>"] * 1_001, "too_many")],
    ),
    *(
        Limit(
            address=address,
            field="/reentrada",
            takes=["nunca", "apos_concluir"],
            refuses=[("sempre", "not_allowed")],
        )
        for address in (CREATE, CHANGE)
    ),
    *(
        Limit(
            address=address,
            field="/intervaloReentradaHoras",
            takes=[1, 8_760],
            change={"reentrada": "apos_concluir"},
            refuses=[(0, "too_small"), (8_761, "too_large")],
        )
        for address in (CREATE, CHANGE)
    ),
    *(
        Limit(
            address=address,
            field="/name",
            takes=["x", "x" * 120],
            refuses=[("", "too_short"), ("x" * 121, "too_long")],
        )
        for address in (CREATE, CHANGE, DUPLICATE)
    ),
    *(
        Limit(
            address=address,
            field="/passos",
            takes=[in_a_row(1), in_a_row(100)],
            refuses=[
                (in_a_row(101), "too_many"),
                ([{"id": "ola", "tipo": "nope"}], "not_allowed", "/0/tipo"),
            ],
        )
        for address in (CREATE, CHANGE)
    ),
    Limit(
        address=ARCHIVE,
        field="/execucoes",
        takes=["concluir", "cancelar"],
        refuses=[("talvez", "not_allowed")],
    ),
    Limit(
        address=CREATE,
        field="/tetoDeFrequencia",
        takes=[{"mensagens": 1, "dias": 90}, {"mensagens": 100, "dias": 1}],
        refuses=[
            ({"mensagens": 101, "dias": 1}, "too_large", "/mensagens"),
            ({"mensagens": 1, "dias": 91}, "too_large", "/dias"),
        ],
    ),
]
