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


async def create_journey(caller: Caller, new: NewJourney) -> JourneyRecord:
    """Store a journey as a draft. Answers what the single read does.

    Raises UnknownJourneyLinks and TooManyJourneys. (Decisions: Settled on second reading, Journeys.)
    """
    caller.require(Scope.CAMPAIGNS_WRITE)
    if wrong := await wrong_links(caller, new):
        raise UnknownJourneyLinks(wrong)
    id, at = new_id("jor"), now()
    # As it was sent, with what was left out spelled out.
    stored = new.model_dump(mode="json", by_alias=True, exclude_none=True)
    async with transaction():
        if await _count(caller) >= MAX_JOURNEYS:
            raise TooManyJourneys
        await Journey.create(
            id=id,
            **owned_by(caller),
            name=new.name,
            status=JourneyStatus.DRAFT,
            trigger=stored["gatilho"] | ({"tipo": "segmento"} if new.trigger.segment_id else {}),
            reentry=new.reentry,
            reentry_hours=new.reentry_hours,
            quiet=stored.get("silencio"),
            frequency_cap=stored.get("tetoDeFrequencia"),
            goal=stored.get("meta"),
            steps=stored["passos"],
            entry_step_id=new.entry_step_id,
            created_at=at,
            updated_at=at,
        )
        await audit.write_entry(caller, "journey.created", id, {"steps": len(new.steps)}, at=at)
    return await journey_record(caller, id)


async def _count(caller: Caller) -> int:
    """How many journeys count against the limit; who else would add one waits until this
    transaction ends.
    """
    owner = (caller.organization_id, caller.env)
    await db.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended('journeys ' || $1 || $2, 0))", *owner
    )
    found = await db.fetchval(
        "SELECT count(*) FROM journeys WHERE organization_id = $1 AND env = $2 AND status <> "
        "'arquivada'",
        *owner,
    )
    return int(found)
