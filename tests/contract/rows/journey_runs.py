"""Decisions: Journeys; the design of journeys that run, API."""

from core import journeys
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.journeys.runs.finish import finish_runs
from core.journeys.runs.models import RunState
from core.journeys.runs.program import load_program
from tests.contract.table import Endpoint, Event, Limit, Page
from tests.contract.world import World
from tests.factories.journeys import a_run, a_running_journey, enrolled
from tests.factories.nodes import a_segment_id
from tests.factories.stored_contacts import stored_contacts
from tests.factories.webhooks import a_subscription


async def a_running_journey_id(caller: Caller) -> str:
    """A journey that contacts go through, made once."""
    found = await db.fetchval(
        "SELECT id FROM journeys WHERE organization_id = $1 AND env = $2 AND status = 'ativa' LIMIT 1",
        caller.organization_id,
        caller.env,
    )
    return str(found) if found else (await a_running_journey(caller)).version_id


async def the_id_of_a_run(caller: Caller) -> str:
    """Somebody who has just come into it."""
    return await a_run(await load_program(await a_running_journey_id(caller)))


RECORDS = {"running journey": a_running_journey_id, "journey run": the_id_of_a_run}

LIST = "GET /v2/journeys/{id}/execucoes"
REHEARSE = "POST /v2/journeys/{id}/simular"
FORECAST = "POST /v2/journeys/{id}/simular-amostra"
ENDPOINTS = [
    Endpoint(
        address=LIST,
        scope="campaigns:read",
        errors="401 403 404 422",
        ids={"id": "<running journey>"},
        parameters="estado* passo contactId limit* cursor",
    ),
    Endpoint(
        address="GET /v2/journeys/execucoes/{runId}",
        scope="campaigns:read",
        errors="401 403 404",
        ids={"runId": "<journey run>"},
    ),
    Endpoint(
        address="DELETE /v2/journeys/{id}/execucoes/{runId}",
        scope="campaigns:write",
        status=204,
        errors="401 403 404",
        ids={"id": "<running journey>", "runId": "<journey run>"},
        record_stays=True,
    ),
    Endpoint(
        address=REHEARSE,
        scope="campaigns:read",
        errors="400 401 403 404 409 422",
        ids={"id": "<running journey>"},
        fields="contactId! em eventos[]",
        body={"contactId": "<contact>"},
        unknown_is=422,
        never="409",
    ),
    Endpoint(
        address=FORECAST,
        scope="campaigns:read",
        errors="400 401 403 404 422",
        ids={"id": "<running journey>"},
        fields="n",
        body={},
        optional_body=True,
    ),
]


async def so_many_runs(world: World, count: int) -> None:
    program = await load_program(await a_running_journey_id(world.caller))
    await enrolled(program, await stored_contacts(world.caller, [{}] * count))


EVENT = {"nome": "purchase", "em": "2026-11-23T09:30:00Z"}
LIMITS = [
    Limit(
        address=LIST,
        field="?estado",
        takes=["ativa", "concluida", "cancelada", "erro"],
        refuses=[("parada", "not_allowed")],
    ),
    Limit(
        address=FORECAST,
        field="/n",
        takes=[1, 1_000],
        refuses=[(0, "too_small"), (1_001, "too_large")],
    ),
    Limit(
        address=REHEARSE,
        field="/contactId",
        takes=["<contact>"],
        refuses=[("", "too_short"), ("c" * 41, "too_long")],
    ),
    Limit(
        address=REHEARSE,
        field="/eventos",
        takes=[[], [EVENT] * 100],
        refuses=[
            ([EVENT] * 101, "too_many"),
            ([{**EVENT, "em": "ontem"}], "wrong_format", "/0/em"),
        ],
    ),
    Limit(address=LIST, field="?limit", takes=["1"], refuses=[("0", "too_small")]),
    Limit(
        address=LIST,
        field="?cursor",
        takes=[],
        refuses=[("nope", "wrong_format"), ("WzEsIngiXQ", "wrong_format")],
    ),
]

PAGES = [Page(address=LIST, fill=so_many_runs, skips=False)]


async def somebody_listens(world: World, event: str) -> None:
    """These events are written for listeners alone."""
    if not await db.fetchval("SELECT count(*) FROM webhook_subscriptions"):
        await a_subscription(world.caller, events=[event])


async def somebody_enters(world: World) -> None:
    await somebody_listens(world, "journey.entered")
    await the_id_of_a_run(world.caller)


async def somebody_reaches_the_goal(world: World) -> None:
    await somebody_listens(world, "journey.completed")
    await the_id_of_a_run(world.caller)
    await finish_runs(
        world.caller.organization_id,
        world.caller.env,
        "true",
        state=RunState.DONE,
        reason="meta",
        at=now(),
    )


async def its_segment_is_deleted(world: World) -> None:
    await somebody_listens(world, "journey.paused")
    segment = await a_segment_id(world.caller)
    await a_running_journey(world.caller, gatilho={"segmentId": segment})
    await journeys.delete_segment(world.caller, segment)


JOINED = "env journeyId versao quantidade journeyRunId contactId em"
EVENTS = [
    Event(name="journey.entered", data=JOINED, cause=somebody_enters),
    Event(name="journey.completed", data=f"{JOINED} motivo", cause=somebody_reaches_the_goal),
    Event(
        name="journey.paused",
        data="env journeyId versao em motivo passo",
        cause=its_segment_is_deleted,
    ),
]
