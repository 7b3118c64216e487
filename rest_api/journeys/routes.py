"""The operations of journeys."""

from core import journeys
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.journeys import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import JOURNEY


async def list_journeys(
    call: Call[None, journeys.JourneyFilter],
) -> WrittenPage[journeys.JourneyPage]:
    return await journeys.list_journeys(call.caller, call.query)


async def create_journey(call: Call[journeys.NewJourney]) -> journeys.JourneyRecord:
    return await journeys.create_journey(call.caller, call.body)


async def get_journey(call: Call) -> journeys.JourneyRecord:
    return await journeys.get_journey(call.caller, call.path["id"])


async def archive_journey(call: Call) -> journeys.JourneyRecord:
    return await journeys.archive_journey(call.caller, call.path["id"])


async def delete_journey(call: Call) -> None:
    await journeys.delete_journey(call.caller, call.path["id"])


operations = [
    Operation(
        "GET",
        "/v2/journeys",
        list_journeys,
        Scope.CAMPAIGNS_READ,
        "List the journeys, newest first",
        "Journeys",
        description="Those that are not archived, without their steps; archived ones by their "
        "status.",
        errors=(401, 403),
        query=journeys.JourneyFilter,
        answer=journeys.JourneyPage,
        answers={"all of them": examples.PAGE},
    ),
    Operation(
        "POST",
        "/v2/journeys",
        create_journey,
        Scope.CAMPAIGNS_WRITE,
        "Store a journey as a draft",
        "Journeys",
        description="The graph of steps is checked whole: every fault is named by its place. "
        "Nothing runs yet.",
        errors=(401, 403, 409, 422),
        status=201,
        body=journeys.NewJourney,
        answer=journeys.JourneyRecord,
        answers={"stored": examples.STORED},
        examples={"welcome": examples.NEW},
    ),
    Operation(
        "GET",
        "/v2/journeys/{id}",
        get_journey,
        Scope.CAMPAIGNS_READ,
        "Read a journey with its steps",
        "Journeys",
        errors=(401, 403, 404),
        answer=journeys.JourneyRecord,
        answers={"journey": examples.STORED},
        ids={"id": JOURNEY},
    ),
    Operation(
        "POST",
        "/v2/journeys/{id}/arquivar",
        archive_journey,
        Scope.CAMPAIGNS_WRITE,
        "Archive a journey for good",
        "Journeys",
        description="Whatever its status. It counts no more towards the 200, and is listed by "
        "its status only.",
        errors=(401, 403, 404),
        answer=journeys.JourneyRecord,
        answers={"archived": examples.ARCHIVED},
        ids={"id": JOURNEY},
    ),
    Operation(
        "DELETE",
        "/v2/journeys/{id}",
        delete_journey,
        Scope.CAMPAIGNS_WRITE,
        "Delete a draft for good",
        "Journeys",
        errors=(401, 403, 404, 409),
        status=204,
        ids={"id": JOURNEY},
    ),
]
