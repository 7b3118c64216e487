"""The operations of runs of journeys."""

from core import journeys
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.journeys import run_examples as examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import JOURNEY, JOURNEY_RUN


async def list_runs(call: Call[None, journeys.RunFilter]) -> WrittenPage[journeys.RunPage]:
    return await journeys.list_runs(call.caller, call.path["id"], call.query)


async def get_run(call: Call) -> journeys.WholeRunRecord:
    return await journeys.get_run(call.caller, call.path["runId"])


async def take_out(call: Call) -> None:
    await journeys.take_out(call.caller, call.path["id"], call.path["runId"])


operations = [
    Operation(
        "GET",
        "/v2/journeys/{id}/execucoes",
        list_runs,
        Scope.CAMPAIGNS_READ,
        "List who is, or was, on the way through a journey",
        "Journeys",
        description="Newest first; with `estado=ativa` or `passo` in the order in which they go "
        "on, step by step.",
        errors=(401, 403, 404, 422),
        query=journeys.RunFilter,
        answer=journeys.RunPage,
        answers={"one on its way": examples.PAGE},
        ids={"id": JOURNEY},
    ),
    Operation(
        "GET",
        "/v2/journeys/execucoes/{runId}",
        get_run,
        Scope.CAMPAIGNS_READ,
        "Read a contact's way through a journey, with its trail",
        "Journeys",
        description="The trail is kept for 90 days.",
        errors=(401, 403, 404),
        answer=journeys.WholeRunRecord,
        answers={"on its way": examples.WITH_TRAIL},
        ids={"runId": JOURNEY_RUN},
    ),
    Operation(
        "DELETE",
        "/v2/journeys/{id}/execucoes/{runId}",
        take_out,
        Scope.CAMPAIGNS_WRITE,
        "Take a contact out of a journey",
        "Journeys",
        description="Its run ends where it stands, as `cancelada`. One that has ended stays as it "
        "is.",
        errors=(401, 403, 404),
        status=204,
        ids={"id": JOURNEY, "runId": JOURNEY_RUN},
    ),
]
