"""Advancing the clock of a sandbox: written down here, done by a worker."""

from datetime import datetime

from core import audit
from core.foundation.absent import existing
from core.foundation.clock import real_now, wire_time
from core.foundation.database.transactions import transaction
from core.foundation.errors import NotFound
from core.foundation.jobs import Job, wake
from core.foundation.security.caller import Caller, Scope
from core.sandbox_clock.announce import announce
from core.sandbox_clock.dues import next_due
from core.sandbox_clock.errors import ClockAdvancing, ClockNotSet, ClockOutOfRange, NothingDue
from core.sandbox_clock.inputs import ClockAdvance, period_of
from core.sandbox_clock.limits import MAX_AHEAD
from core.sandbox_clock.models import SandboxClock
from core.sandbox_clock.queries import clock_record
from core.sandbox_clock.record import ClockRecord


async def advance_clock(caller: Caller, advance: ClockAdvance) -> ClockRecord:
    """Let time pass in the caller's sandbox: a worker moves the clock from one due instant to the
    next, and all that is due happens then. Answers the clock as it sets out.

    Raises NotFound for a live key, ClockNotSet, ClockAdvancing, NothingDue and ClockOutOfRange.
    """
    caller.require(Scope.MESSAGES_SEND)
    if caller.env != "test":
        raise NotFound
    at = real_now()
    async with transaction():
        clock = existing(
            await SandboxClock.visible_to(caller).select_for_update().get_or_none(), ClockNotSet
        )
        if clock.target is not None:
            raise ClockAdvancing
        present = clock.instant_at(at)
        target = await _target(caller, advance, present)
        if target > at + MAX_AHEAD:
            raise ClockOutOfRange(_field_of(advance), back=False)
        clock.instant, clock.set_at, clock.updated_at = present, at, at
        clock.advances_from, clock.advanced_at, clock.target = present, at, target
        clock.applied = 0
        clock.limited_by = None
        await clock.save()
        facts = {"de": wire_time(present), "para": wire_time(target)}
        await audit.write_entry(caller, "sandbox_clock.advanced", None, facts, at=at)
        await announce(caller.organization_id)
        await wake(Job.MOVE_CLOCKS)
    return await clock_record(caller, clock)


async def _target(caller: Caller, advance: ClockAdvance, present: datetime) -> datetime:
    if advance.por is not None:
        return present + period_of(advance.por)
    if advance.ate is not None:
        if advance.ate < present:
            raise ClockOutOfRange("ate", back=True)
        return advance.ate
    due = existing(await next_due(caller.organization_id), NothingDue)
    return max(present, due.at)


def _field_of(advance: ClockAdvance) -> str:
    return next(name for name in ("por", "ate", "passo") if getattr(advance, name) is not None)
