"""Journeys."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from core import journeys
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.ids import new_id
from core.foundation.run_id import run_id
from core.foundation.security.caller import Caller, system_caller
from core.journeys.models import Journey, JourneyStatus
from core.journeys.runs.enrol import enrol
from core.journeys.runs.program import Program, compile_program, load_program
from tests.factories.contacts import a_contact

STEPS: list[dict[str, Any]] = [
    {
        "id": "ola",
        "tipo": "mensagem",
        "config": {"canal": "sms", "texto": "Olá"},
        "proximo": "pausa",
    },
    {"id": "pausa", "tipo": "espera", "config": {"duracaoHoras": 24}, "proximo": "parte"},
    {
        "id": "parte",
        "tipo": "divisao",
        "config": {
            "ramos": [{"percentual": 50, "proximo": "carta"}, {"percentual": 50, "proximo": "fim"}]
        },
    },
    {
        "id": "carta",
        "tipo": "mensagem",
        "config": {"canal": "email", "texto": "Até logo"},
        "proximo": "fim",
    },
    {"id": "fim", "tipo": "saida", "config": {"motivo": "acabou"}},
]


def journey_body(**changes: Any) -> dict[str, Any]:
    """A body that is taken, with changes."""
    body = {
        "name": "Boas-vindas",
        "gatilho": {"nome": "signup"},
        "passos": STEPS,
        "entradaPasso": "ola",
    }
    return {name: value for name, value in {**body, **changes}.items() if value is not None}


async def a_journey(caller: Caller, **changes: Any) -> journeys.JourneyRecord:
    """A stored journey."""
    new = journeys.NewJourney.model_validate(journey_body(name=new_id("name"), **changes))
    return await journeys.create_journey(caller, new)


async def a_running_journey(caller: Caller, **changes: Any) -> Program:
    """A journey that is active, with its program, whatever activating it would ask."""
    journey = await a_journey(caller, **changes)
    row = await Journey.visible_to(caller).get(id=journey["id"])
    row.status, row.lineage_id, row.activated_at = JourneyStatus.ACTIVE, row.id, now()
    row.program = compile_program(row.steps, row.entry_step_id)
    row.exit_when = changes.get("sairQuando")
    await row.save()
    return await load_program(row.id)


def in_a_row(*steps: dict[str, Any]) -> dict[str, Any]:
    """`passos` and `entradaPasso` of steps that follow one another, called s0, s1 …"""
    return {
        "passos": [
            {
                "id": f"s{place}",
                **({"proximo": f"s{place + 1}"} if place + 1 < len(steps) else {}),
                **step,
            }
            for place, step in enumerate(steps)
        ],
        "entradaPasso": "s0",
    }


async def enrolled(
    program: Program, contact_ids: Sequence[str], *, at: datetime | None = None
) -> list[str]:
    """These contacts at the start of the journey; the ids of their runs, in the order of theirs."""
    at = at or now()
    entered = await enrol(
        program, "SELECT unnest($1::text[]) AS contact_id", [list(contact_ids)], at=at
    )
    assert entered == len(contact_ids)
    rows = await db.fetch(
        "SELECT contact_id, id FROM journey_runs WHERE version_id = $1 AND entered_at = $2",
        program.version_id,
        at,
    )
    keys = {row["contact_id"]: row["id"] for row in rows}
    return [run_id(keys[id]) for id in contact_ids]


async def a_run(program: Program) -> str:
    """A contact that has just come into the journey; the id of its run."""
    caller = system_caller(program.organization_id, program.env)
    (run,) = await enrolled(program, [(await a_contact(caller))["id"]])
    return run
