"""One look at what is due about entering and leaving, for the workers."""

from datetime import datetime

from core.foundation.database import db
from core.foundation.moved_clocks import narrowed
from core.journeys.entry.members import look_at_changed
from core.journeys.entry.present import enrol_present
from core.journeys.entry.take_out import take_out_archived


async def take_entries(*, at: datetime) -> int:
    """Do a part of what is due; answers 0 once there is nothing."""
    taken = await look_at_changed(at=at)
    if await db.fetch_planned(*narrowed(IS_UNDER_WAY)):
        taken += await enrol_present(at=at)
        taken += await take_out_archived(at=at)
    return taken


IS_UNDER_WAY = "SELECT FROM journeys j WHERE j.enrol_cursor IS NOT NULL /* whose j. */ LIMIT 1"
"""Whether some journey is being filled, or emptied."""
