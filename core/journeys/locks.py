"""Holding a journey while it changes."""

from core.foundation.security.caller import Caller
from core.journeys.errors import JourneyIsArchived
from core.journeys.models import Journey, JourneyStatus


async def lock_journey(caller: Caller, id: str) -> Journey:
    """The journey, held until the transaction ends. Raises NotFound."""
    return await Journey.own(caller, "jor", id, lock=True)


async def lock_journey_in_use(caller: Caller, id: str) -> Journey:
    """One that is not archived. Raises NotFound and JourneyIsArchived."""
    found = await lock_journey(caller, id)
    if found.status is JourneyStatus.ARCHIVED:
        raise JourneyIsArchived
    return found
