"""Reading clocks: what time it is in a sandbox."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from core.foundation import moved_clocks
from core.foundation.clock import clock_set_to, real_now, wire_time
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.sandbox_clock.dues import next_due
from core.sandbox_clock.models import ClockLimit, ClockStatus, SandboxClock
from core.sandbox_clock.record import ClockRecord


async def find_clock(caller: Caller) -> SandboxClock | None:
    """The clock of the caller's sandbox; None while it is in real time."""
    return await SandboxClock.visible_to(caller).get_or_none()


@asynccontextmanager
async def time_of(caller: Caller) -> AsyncIterator[None]:
    """Inside, it is the time of the caller's sandbox. For those whose credential `has_clock`."""
    clock = await find_clock(caller)
    if clock is None:  # it was taken away since the credential was read
        yield
    else:
        with clock_set_to(clock.instant_at(real_now())):
            yield


async def clock_record(caller: Caller, clock: SandboxClock | None) -> ClockRecord:
    """A clock, and what is due next in its sandbox, as the interface shows them."""
    due = await next_due(caller.organization_id)
    if clock is None:
        record = ClockRecord(
            agora=wire_time(real_now()), congelado=False, status=ClockStatus.REAL, aplicados=0
        )
    else:
        record = ClockRecord(
            agora=wire_time(clock.instant_at(real_now())),
            congelado=clock.is_frozen,
            status=clock.status,
            aplicados=clock.applied,
        )
        if clock.advances_from is not None:
            record["de"] = wire_time(clock.advances_from)
        if clock.target is not None:
            record["para"] = wire_time(clock.target)
        if clock.limited_by is not None:
            record["limite"] = ClockLimit(clock.limited_by)
    if due is not None:
        record["proximo"] = wire_time(due.at)
    return record


async def hold_moved() -> list[int]:
    """Leave to their clocks what is due in the sandboxes that have one, as this process knows them
    from now on. Answers the ids of the clocks that have something to do.
    """
    rows = await db.fetch(MOVED)
    moved_clocks.hold(row["organization_id"] for row in rows if row["id"] is not None)
    moved_clocks.leave_alone(row["organization_id"] for row in rows if row["id"] is None)
    return [row["id"] for row in rows if row["works"]]


# In the same question: which organizations are moved between cells. Those have no clock here.
MOVED = (
    "SELECT id, organization_id, NOT is_frozen OR target IS NOT NULL AS works FROM sandbox_clocks "
    "UNION ALL SELECT NULL, organization_id, false FROM organization_gates WHERE until > now()"
)
