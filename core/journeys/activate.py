"""Use case: activate a journey, with what it will cost and how many enter."""

from datetime import datetime, timedelta
from typing import Annotated, NotRequired, TypedDict

from core import audit, segments
from core.foundation.clock import now, wire_time
from core.foundation.database.transactions import transaction
from core.foundation.records import Doc, Id, Instant, LargeInt
from core.foundation.security.caller import Caller, Scope
from core.journeys.entry.begin import begin
from core.journeys.entry.limit import keep_within_runs
from core.journeys.entry.sources import would_enter
from core.journeys.errors import (
    JourneyCannotRun,
    JourneyIsActive,
    JourneyStatusConflict,
    JourneyWithoutSteps,
)
from core.journeys.estimate import estimate
from core.journeys.inputs import Activation, NewJourney
from core.journeys.locks import lock_journey_in_use
from core.journeys.models import Journey, JourneyStatus
from core.journeys.readiness import faults_of
from core.journeys.runs.program import load_program
from core.journeys.stored import as_new
from core.journeys.tell import announce

UNLESS_TOLD = Activation()
PAUSED = "The journey is paused; let it go on in place of activating it."


class ActivatedJourney(TypedDict):
    """What comes of an activation."""

    journeyId: Annotated[Id, Doc("The journey")]
    entrarao: Annotated[
        int, Doc("How many contacts enter now; none unless those present were included")
    ]
    coinsEstimados: Annotated[
        LargeInt,
        Doc(
            "What they cost at the prices of now, or of the quote: splits as they share out, of "
            "other ways the dearer one; 1 coin = 0.0001 BRL"
        ),
    ]
    terminoEstimado: NotRequired[
        Annotated[
            Instant,
            Doc("When the last of them is through, on the longest way; absent where nobody enters"),
        ]
    ]


async def activate_journey(
    caller: Caller, id: str, how: Activation = UNLESS_TOLD
) -> ActivatedJourney:
    """Let a draft run: contacts enter from now on, and those present too where it is said. Of a new
    version, the one before takes nobody in any more.

    Raises NotFound, JourneyIsArchived, JourneyIsActive, JourneyStatusConflict, JourneyWithoutSteps,
    TooManyRuns, and JourneyCannotRun with everything that is missing.
    """
    caller.require(Scope.CAMPAIGNS_WRITE)
    at = now()
    async with transaction():
        journey = await lock_journey_in_use(caller, id)
        _refuse_unfit(journey)
        new = as_new(journey)
        if wrong := await faults_of(
            caller, new, include_present=how.include_present, quote_id=how.quote_id, at=at
        ):
            raise JourneyCannotRun(errors=wrong)
        include_present = bool(how.include_present)
        present = await _count_present(caller, journey, new, at=at) if include_present else 0
        await keep_within_runs(caller, present, pointer="/incluirAtuais")
        journey.quote_id = how.quote_id
        told = await _told(caller, journey, new, present, at=at)
        await begin(caller, journey, new, include_present=include_present, at=at)
        facts: dict[str, object] = {
            "version": journey.version,
            "present": include_present,
            "enter": present,
        }
        if how.quote_id is not None:
            facts["quoteId"] = how.quote_id
        await audit.write_entry(caller, "journey.activated", id, facts, at=at)
        await announce(caller.organization_id, caller.env, [id])
    return told


def _refuse_unfit(journey: Journey) -> None:
    """Raises what keeps a journey of this status from being activated."""
    if journey.status is JourneyStatus.ACTIVE:
        raise JourneyIsActive
    if journey.status is JourneyStatus.PAUSED:
        raise JourneyStatusConflict(journey.status, PAUSED)
    if not journey.steps:
        raise JourneyWithoutSteps


async def _count_present(caller: Caller, journey: Journey, new: NewJourney, *, at: datetime) -> int:
    program = await load_program(journey.id)
    return await segments.count_matching(*await would_enter(caller, new.trigger, program, at=at))


async def _told(
    caller: Caller, journey: Journey, new: NewJourney, present: int, *, at: datetime
) -> ActivatedJourney:
    assert new.entry_step_id is not None, "a graph with steps names the first one"
    each = await estimate(caller, new.steps, new.entry_step_id, quote_id=journey.quote_id, at=at)
    told: ActivatedJourney = {
        "journeyId": journey.id,
        "entrarao": present,
        "coinsEstimados": round(each.coins * present),
    }
    if present:
        told["terminoEstimado"] = wire_time(at + timedelta(hours=each.hours))
    return told
