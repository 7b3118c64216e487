"""One look at what is due about entering and leaving, for the workers."""

from datetime import datetime

from core.journeys.entry.members import look_at_changed
from core.journeys.entry.present import enrol_present
from core.journeys.entry.take_out import take_out_archived

STEPS = (look_at_changed, enrol_present, take_out_archived)


async def take_entries(*, at: datetime) -> int:
    """Do a part of what is due; answers 0 once there is nothing."""
    return sum([await step(at=at) for step in STEPS])
