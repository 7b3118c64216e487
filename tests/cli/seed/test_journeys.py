"""A seeded journey has people inside, and what is counted of it is what its trail tells."""

import pytest

from core import journeys
from core.foundation.clock import now
from core.foundation.database import db
from tests.factories.organizations import a_caller
from tests.factories.seeding import a_seed

pytestmark = pytest.mark.usefixtures("clean_slate")


async def test_people_stand_on_its_steps_and_nobody_goes_on() -> None:
    caller = await a_caller()
    told = await a_seed(caller, contacts=400)
    draft, inside = (await journeys.list_journeys(caller, journeys.JourneyFilter()))["items"][::-1]

    journey = await journeys.get_journey(caller, inside["id"])
    runs = journey["execucoes"]
    assert (draft["status"], inside["status"]) == ("rascunho", "pausada")
    assert (
        sum(runs[state] for state in ("ativa", "concluida", "cancelada", "erro"))
        == told["journeyRuns"]
        > 300
    )
    assert min(runs["ativa"], runs["concluida"], runs["cancelada"]) > 0 == runs["erro"]
    metrics = journey["metricasPorPasso"]
    assert metrics["dois-dias"]["aguardando"] == runs["ativa"]
    assert metrics["ola"]["entraram"] == told["journeyRuns"]
    assert metrics["ola"]["pulados"]["opt_out"] > 0
    assert metrics["dois-dias"]["tempoMedianoSegundos"] == 48 * 3_600
    for step, place in (("ola", 1), ("dois-dias", 2), ("lembrete", 3), ("fim", 4)):
        left = await db.fetchval(
            "SELECT count(*) FROM journey_trail t JOIN journey_runs r ON r.id = t.run_id "
            "WHERE r.version_id = $1 AND t.step = $2",
            inside["id"], place,
        )  # fmt: skip
        assert metrics[step]["concluiram"] == left
    page = await journeys.list_runs(
        caller, inside["id"], journeys.RunFilter.model_validate({"passo": "dois-dias", "limit": 1})
    )
    run = await journeys.get_run(caller, page["items"][0]["id"])
    assert [step.get("passo") for step in run["trilha"]] == [None, "ola"]
    assert await journeys.move_due(at=now()) == 0
