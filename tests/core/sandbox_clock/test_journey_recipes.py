"""The recipes of the page, as they are printed there, run on the movable clock of a sandbox."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from core import cards, customer_events, journeys, segments
from core.foundation.clock import real_now, wire_time
from core.foundation.database import db
from core.foundation.http_client import GuardedClient
from core.foundation.ids import new_id
from core.foundation.run_id import run_id
from core.foundation.security.caller import Caller
from tests.factories.contacts import a_contact
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


async def started(caller: Caller, body: dict[str, Any], **how: Any) -> str:
    """The journey, stored and activated as the page says; its id."""
    async with request_of(caller):
        new = journeys.NewJourney.model_validate(body)
        id = (await journeys.create_journey(caller, new))["id"]
        await journeys.activate_journey(caller, id, journeys.Activation.model_validate(how))
    return id


async def inside(id: str) -> list[str]:
    """The runs of a journey, in the order of its contacts."""
    rows = await db.fetch(
        "SELECT r.id FROM journey_runs r JOIN contacts c ON c.id = r.contact_id WHERE r.version_id = $1 "
        "ORDER BY c.name",
        id,
    )
    return [run_id(row["id"]) for row in rows]


async def people(caller: Caller, count: int) -> list[str]:
    """So many contacts, whose messages arrive."""
    return [
        (await a_contact(caller, name=f"{place:02}", phone=f"+55119{place:04}0005"))["id"]
        for place in range(1_000, 1_000 + count)
    ]


async def sent() -> int:
    """How many messages of journeys were delivered."""
    return int(
        await db.fetchval(
            "SELECT count(*) FROM messages WHERE journey_run IS NOT NULL AND status = 'delivered'"
        )
    )


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
    contacts = await people(caller, 12)
    await freeze(caller, START)
    id = await started(caller, recipe("Boas-vindas"))
    for contact in contacts:
        await does(caller, contact, "cadastro")

    await advance(caller, http, por="P1D")
    await does(caller, contacts[0], "compra")
    await advance(caller, http, por="P30D")
    bought, *runs = await inside(id)

    begin, end = ["ola", "dois-dias", "manha", "parte"], ["fim", "recebido"]
    reminded = [*begin, "lembrete", "marca", *end]
    ways = [await way(caller, run) for run in runs]
    assert all(one in (reminded, [*begin, *end]) for one in ways)
    assert await way(caller, bought) == ["ola", "dois-dias", "meta"]
    assert await when(caller, runs[0], "manha") == wire_time(START + 3 * DAY)
    tagged = await db.fetchval("SELECT count(*) FROM contacts WHERE 'boas-vindas' = ANY (tags)")
    assert tagged == ways.count(reminded) > 0
    journey = await journeys.get_journey(caller, id)
    metrics = journey["metricasPorPasso"]
    assert journey["execucoes"]["concluida"] == len(contacts)
    assert metrics["lembrete"]["entraram"] == ways.count(reminded)
    assert metrics["ola"]["mensagens"]["entregues"] == len(contacts)
    assert metrics["ola"]["conversoes"] == 1
    assert await sent() == len(contacts) + ways.count(reminded)


async def test_abandoned_cart(http: GuardedClient) -> None:
    caller = await a_caller()
    contacts = await people(caller, 3)
    at_once, next_day, _ = contacts
    await freeze(caller, START)
    id = await started(caller, recipe("Carrinho abandonado"))
    for contact in contacts:
        await does(caller, contact, "carrinho_abandonado")

    await advance(caller, http, por="PT30M")
    runs = await inside(id)
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
    assert await sent() == 3


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
    contacts = await people(caller, 2)
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
    asleep = {"field": "card", "operator": "is", "value": {"stage": proposal, "diasNaEtapa": 14}}
    new = segments.NewSegment.model_validate({"name": "Negócios parados", "filters": [asleep]})
    segment = (await segments.create_segment(caller, new))["id"]
    await advance(caller, http, por="P20D")
    id = await started(caller, recipe("Negócio parado", SEGMENT=segment, **ids), incluirAtuais=True)

    await advance(caller, http, por="P1D")
    await db.execute(
        "UPDATE cards SET stage_id = $2, stage_since = $3 WHERE id = $1",
        deals[1],
        rescue,
        START + 21 * DAY,
    )
    await advance(caller, http, por="P5D")

    runs = await inside(id)
    assert [await way(caller, run) for run in runs] == [
        ["oi", "dois-dias", "parado", "resgate", "fim"],
        ["oi", "dois-dias", "parado", "andou", "andou"],
    ]
    assert await db.fetchval("SELECT stage_id FROM cards WHERE id = $1", deals[0]) == rescue
