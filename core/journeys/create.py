"""Use case: create a journey."""

from core import audit
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import transaction
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.journeys.errors import MAX_JOURNEYS, TooManyJourneys, UnknownJourneyLinks
from core.journeys.inputs import NewJourney
from core.journeys.links import wrong_links
from core.journeys.models import Journey, JourneyStatus
from core.journeys.queries import journey_record
from core.journeys.record import JourneyRecord
from core.journeys.stored import write_into


async def create_journey(caller: Caller, new: NewJourney) -> JourneyRecord:
    """Store a journey as a draft. Answers what the single read does.

    Raises UnknownJourneyLinks and TooManyJourneys. (Decisions: Settled on second reading,
    Journeys.)
    """
    caller.require(Scope.CAMPAIGNS_WRITE)
    if wrong := await wrong_links(caller, new):
        raise UnknownJourneyLinks(wrong)
    id, at = new_id("jor"), now()
    async with transaction():
        await keep_within_limit(caller)
        journey = Journey(
            id=id,
            **owned_by(caller),
            status=JourneyStatus.DRAFT,
            lineage_id=id,
            created_at=at,
            updated_at=at,
        )
        write_into(journey, new)
        await journey.save(force_create=True)
        await audit.write_entry(caller, "journey.created", id, {"steps": len(new.steps)}, at=at)
    return await journey_record(caller, id)


async def keep_within_limit(caller: Caller) -> None:
    """Raises TooManyJourneys where one more would be too many. Who else would add one waits until
    this transaction ends.
    """
    owner = (caller.organization_id, caller.env)
    await db.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended('journeys ' || $1 || $2, 0))", *owner
    )
    in_use = Journey.visible_to(caller).exclude(status=JourneyStatus.ARCHIVED)
    if await in_use.count() >= MAX_JOURNEYS:
        raise TooManyJourneys
