"""Use case: take one contact out of a journey."""

from core import audit
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.errors import NotFound
from core.foundation.ids import is_id
from core.foundation.run_id import key_of_run
from core.foundation.security.caller import Caller, Scope
from core.journeys.runs.finish import finish_runs
from core.journeys.runs.models import JourneyRun

REASON = "retirada"
"""Why such a run ended."""


async def take_out(caller: Caller, journey_id: str, id: str) -> None:
    """End a run of a journey where it stands, as `cancelada`; one that has ended stays as it is.
    Raises NotFound.
    """
    caller.require(Scope.CAMPAIGNS_WRITE)
    at = now()
    key = key_of_run(id)
    run = JourneyRun.visible_to(caller).filter(id=key, version_id=journey_id)
    owner = (caller.organization_id, caller.env)
    async with transaction():
        if not is_id("jor", journey_id) or not await run.exists():
            raise NotFound
        taken = await finish_runs(*owner, "r.id = $7", [key], reason=REASON, at=at)
        if taken:
            facts = {"journeyId": journey_id}
            await audit.write_entry(caller, "journey_run.taken_out", id, facts, at=at)
