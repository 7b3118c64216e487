"""The operations that rehearse journeys."""

from core.foundation.security.caller import Scope
from core.journeys.rehearsal_inputs import RehearsalOfOne, RehearsalOfSample
from core.journeys.rehearsal_record import ForecastRecord, RehearsalRecord
from core.read_models import rehearse_journey as rehearsals
from rest_api.journeys import rehearsal_examples as examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import JOURNEY


async def rehearse_journey(call: Call[RehearsalOfOne]) -> RehearsalRecord:
    return await rehearsals.rehearse_journey(call.caller, call.path["id"], call.body)


async def forecast_journey(call: Call[RehearsalOfSample]) -> ForecastRecord:
    return await rehearsals.forecast_journey(call.caller, call.path["id"], call.body)


operations = [
    Operation(
        "POST",
        "/v2/journeys/{id}/simular",
        rehearse_journey,
        Scope.CAMPAIGNS_READ,
        "Walk a contact through a journey without doing anything",
        "Journeys",
        description=(
            "The steps decide as for a run that enters at `em`: waits in the contact's zone, "
            "conditions as the contact is now, its own share of every split. Nobody does anything "
            "but `eventos`. Of each message it is told whether it could be sent, on the channels "
            "that the credential may read. Nothing is sent, charged or kept."
        ),
        errors=(400, 401, 403, 404, 409, 422),
        body=RehearsalOfOne,
        answer=RehearsalRecord,
        answers={"its way": examples.REHEARSED},
        examples={"with a purchase": examples.ONE},
        ids={"id": JOURNEY},
    ),
    Operation(
        "POST",
        "/v2/journeys/{id}/simular-amostra",
        forecast_journey,
        Scope.CAMPAIGNS_READ,
        "Tell what is expected of a journey, by a sample",
        "Journeys",
        description=(
            "Of those who would enter now: the contacts of its segment or list, or those who did "
            "its customer event within 30 days. Nobody is expected to do an event on the way, and "
            "every message counts as sent. Nothing is kept."
        ),
        errors=(400, 401, 403, 404, 422),
        body=RehearsalOfSample,
        body_optional=True,
        answer=ForecastRecord,
        answers={"expected": examples.FORECAST},
        examples={"a larger sample": examples.SAMPLE},
        ids={"id": JOURNEY},
    ),
]
