"""Interface: Journey; Endpoints, Journeys. Decisions: Segments, lists, journeys."""

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import Caller
from tests.contract.table import Endpoint, Event, Limit, Refusal
from tests.contract.world import World
from tests.factories import journeys as factory
from tests.factories.journeys import a_journey, a_running_journey, journey_body
from tests.factories.moving import asked, stand_on
from tests.factories.stored_contacts import stored_contacts


async def the_id_of_a_journey(caller: Caller) -> str:
    """The id of a journey."""
    return str((await a_journey(caller))["id"])


RECORDS = {"journey": the_id_of_a_journey}

LIST = "GET /v2/journeys"
CREATE = "POST /v2/journeys"
ARCHIVE = "POST /v2/journeys/{id}/arquivar"
DELETE = "DELETE /v2/journeys/{id}"
ENDPOINTS = [
    Endpoint(address=LIST, scope="campaigns:read", errors="401 403", parameters="status cursor"),
    Endpoint(
        address=CREATE,
        scope="campaigns:write",
        status=201,
        errors="401 403 409 422",
        fields="name! gatilho! reentrada intervaloReentradaHoras silencio tetoDeFrequencia meta passos[] entradaPasso",
        body=journey_body(),
    ),
    Endpoint(
        address="GET /v2/journeys/{id}",
        scope="campaigns:read",
        errors="401 403 404",
        ids={"id": "<journey>"},
    ),
    Endpoint(
        address=ARCHIVE, scope="campaigns:write", errors="401 403 404", ids={"id": "<journey>"}
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


async def it_runs(world: World) -> None:
    await db.execute("UPDATE journeys SET status = 'ativa'")


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
        address=CREATE,
        field="/reentrada",
        takes=["nunca", "apos_concluir"],
        refuses=[("sempre", "not_allowed")],
    ),
    Limit(
        address=CREATE,
        field="/intervaloReentradaHoras",
        takes=[1, 8_760],
        change={"reentrada": "apos_concluir"},
        refuses=[(0, "too_small"), (8_761, "too_large")],
    ),
    Limit(
        address=CREATE,
        field="/name",
        takes=["x", "x" * 120],
        refuses=[("", "too_short"), ("x" * 121, "too_long")],
    ),
    Limit(
        address=CREATE,
        field="/passos",
        takes=[in_a_row(1), in_a_row(100)],
        refuses=[
            (in_a_row(101), "too_many"),
            ([{"id": "ola", "tipo": "nope"}], "not_allowed", "/0"),
        ],
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
