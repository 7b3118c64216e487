"""The recipes of the page, as they are printed there, run on the movable clock of a sandbox."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from core import cards, customer_events, journeys
from core.foundation.clock import real_now, wire_time
from core.foundation.database import db
from core.foundation.http_client import GuardedClient
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.journeys.runs.program import Program
from tests.factories.contacts import a_contact
from tests.factories.journeys import a_running_journey, enrolled
from tests.factories.organizations import a_caller
from tests.factories.pipelines import a_pipeline
from tests.support.clocks import advance, freeze, request_of

pytestmark = pytest.mark.usefixtures("clean_slate")

PAGE = Path(__file__).parents[3] / "docs" / "journey-recipes.md"
START = datetime(real_now().year + 1, 3, 1, 12, tzinfo=UTC)
"""Nine in the morning in São Paulo."""
DAY = timedelta(days=1)


def recipe(name: str, **ids: str) -> dict[str, Any]:
    """The body of the page that has this name, with the ids that its shell would fill in."""
    bodies = re.findall(
        r"-d '(\{\n  \"name\".*?\})' \|", PAGE.read_text(encoding="utf-8"), re.DOTALL
    )
    (text,) = (body for body in bodies if f'"name": "{name}"' in body)
    body: dict[str, Any] = json.loads(re.sub(r"'\$([A-Z]+)'", lambda found: ids[found[1]], text))
    return body


async def started(caller: Caller, body: dict[str, Any]) -> Program:
    """The journey, and whatever events it names are noted."""
    program = await a_running_journey(
        caller, **{name: value for name, value in body.items() if name != "name"}
    )
    for event in program.events():
        await db.execute(
            "INSERT INTO journey_watches (organization_id, env, version_id, kind, ref, created_at) "
            "VALUES ($1, $2, $3, 'event', $4, now())",
            caller.organization_id, caller.env, program.version_id, event,
        )  # fmt: skip
    return program


async def does(caller: Caller, contact: str, event: str) -> None:
    body = {"name": event, "eventId": new_id("e"), "contact": {"contactId": contact}}
    async with request_of(caller):
        await customer_events.record_event(
            caller, customer_events.NewCustomerEvent.model_validate(body)
        )


async def way(caller: Caller, run: str) -> list[str]:
    """The steps that a run has left, and why it ended."""
    shown = await journeys.get_run(caller, run)
    return [
        *(step["passo"] for step in shown["trilha"] if "passo" in step),
        shown.get("motivo", ""),
    ]


async def when(caller: Caller, run: str, step: str) -> str:
    """When it left a step."""
    trail = (await journeys.get_run(caller, run))["trilha"]
    return next(one["em"] for one in trail if one.get("passo") == step)


async def test_welcome(http: GuardedClient) -> None:
    caller = await a_caller()
    program = await started(caller, recipe("Boas-vindas"))
    contacts = [(await a_contact(caller))["id"] for _ in range(12)]
    await freeze(caller, START)
    runs = await enrolled(program, contacts, at=START)

    await advance(caller, http, por="P30D")

    begin, end = ["ola", "dois-dias", "manha", "parte"], ["fim", "recebido"]
    reminded = [*begin, "lembrete", "marca", *end]
    ways = [await way(caller, run) for run in runs]
    assert all(one in (reminded, [*begin, *end]) for one in ways)
    assert await when(caller, runs[0], "manha") == wire_time(START + 3 * DAY)
    tagged = await db.fetchval("SELECT count(*) FROM contacts WHERE 'boas-vindas' = ANY (tags)")
    assert tagged == ways.count(reminded) > 0
    journey = await journeys.get_journey(caller, program.version_id)
    assert journey["execucoes"]["concluida"] == len(runs)
    assert journey["metricasPorPasso"]["lembrete"]["entraram"] == ways.count(reminded)


async def test_abandoned_cart(http: GuardedClient) -> None:
    caller = await a_caller()
    program = await started(caller, recipe("Carrinho abandonado"))
    contacts = [(await a_contact(caller))["id"] for _ in range(3)]
    at_once, next_day, _ = contacts
    await freeze(caller, START)
    runs = await enrolled(program, contacts, at=START)

    await advance(caller, http, por="PT30M")
    await does(caller, at_once, "compra")
    await advance(caller, http, por="PT10H")
    await does(caller, next_day, "compra")
    await advance(caller, http, por="P3D")

    assert [await way(caller, run) for run in runs] == [
        ["uma-hora", "comprou", "comprou"],
        ["uma-hora", "lembrete", "um-dia", "comprou", "comprou"],
        ["uma-hora", "lembrete", "um-dia", "ultimo", "desistiu", "desistiu"],
    ]
    assert await when(caller, runs[0], "uma-hora") == wire_time(START + timedelta(minutes=30))
    assert (await when(caller, runs[2], "uma-hora")) == wire_time(START + timedelta(hours=1))


async def test_a_deal_that_sleeps(http: GuardedClient) -> None:
    caller = await a_caller()
    await freeze(caller, START)
    stages = [{"nome": "Proposta"}, {"nome": "Resgate"}]
    pipeline = await a_pipeline(
        caller,
        etapas=[
            *stages,
            {"nome": "Ganho", "resultado": "ganho"},
            {"nome": "Perdido", "resultado": "perda"},
        ],
    )
    proposal, rescue = (stage["id"] for stage in pipeline["etapas"][:2])
    contacts = [(await a_contact(caller))["id"] for _ in range(2)]
    deals = []
    for contact in contacts:
        body = {
            "titulo": "Plano",
            "pipelineId": pipeline["id"],
            "etapaId": proposal,
            "contatoId": contact,
        }
        async with request_of(caller):
            deals.append(
                (await cards.create_card(caller, cards.NewCard.model_validate(body)))["id"]
            )
    ids = {"PIPELINE": pipeline["id"], "PROPOSTA": proposal, "RESGATE": rescue}
    body = {**recipe("Negócio parado", SEGMENT="seg", **ids), "gatilho": {"nome": "parado"}}
    program = await started(caller, body)
    await advance(caller, http, por="P20D")
    runs = await enrolled(program, contacts, at=START + 20 * DAY)

    await advance(caller, http, por="P1D")
    await db.execute(
        "UPDATE cards SET stage_id = $2, stage_since = $3 WHERE id = $1",
        deals[1],
        rescue,
        START + 21 * DAY,
    )
    await advance(caller, http, por="P5D")

    assert [await way(caller, run) for run in runs] == [
        ["oi", "dois-dias", "parado", "resgate", "fim"],
        ["oi", "dois-dias", "parado", "andou", "andou"],
    ]
    assert await db.fetchval("SELECT stage_id FROM cards WHERE id = $1", deals[0]) == rescue
