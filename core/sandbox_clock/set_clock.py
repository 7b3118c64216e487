"""Setting the clock of a sandbox, and reading it."""

import asyncio
from datetime import datetime

from core import audit, organizations
from core.foundation.clock import real_now, wire_time
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import transaction
from core.foundation.dry_run import is_dry_run
from core.foundation.errors import NotFound
from core.foundation.jobs import Job, wake
from core.foundation.security.caller import Caller, Scope
from core.sandbox_clock import limits
from core.sandbox_clock.announce import announce
from core.sandbox_clock.errors import ClockAdvancing, ClockOutOfRange
from core.sandbox_clock.inputs import ClockSetting
from core.sandbox_clock.models import SandboxClock
from core.sandbox_clock.queries import clock_record, find_clock
from core.sandbox_clock.record import ClockRecord


async def get_clock(caller: Caller) -> ClockRecord:
    """The clock of the caller's sandbox. Raises NotFound for a live key."""
    caller.require(Scope.MESSAGES_READ)
    _refuse_live(caller)
    return await clock_record(caller, await find_clock(caller))


async def set_clock(caller: Caller, setting: ClockSetting) -> ClockRecord:
    """Put the clock of the caller's sandbox forward, and let it stand or go on from there.

    What lies in between does not happen on the way, but late: when the clock goes on. Raises
    NotFound for a live key, ClockAdvancing and ClockOutOfRange.
    """
    caller.require(Scope.MESSAGES_SEND)
    _refuse_live(caller)
    at = real_now()
    async with transaction():
        known = await _locked(caller)
        if known is None:
            _instants(setting, None, at=at)  # what is refused writes nothing
            # Whoever else sets it for the first time waits here.
            await organizations.note_sandbox_clock(caller.organization_id, moved=True)
            known = await _locked(caller)
        if known is not None and known.target is not None:
            raise ClockAdvancing
        present, instant = _instants(setting, known, at=at)
        clock = known or SandboxClock(**owned_by(caller), created_at=at)
        clock.instant, clock.set_at, clock.updated_at = instant, at, at
        clock.is_frozen = setting.congelado
        clock.limited_by = None
        await clock.save()
        facts = {
            "de": wire_time(present),
            "agora": wire_time(instant),
            "congelado": clock.is_frozen,
        }
        await audit.write_entry(caller, "sandbox_clock.set", None, facts, at=at)
        await announce(caller.organization_id)
    if known is None and not is_dry_run():
        organizations.clear_credential_cache()
        await asyncio.sleep(limits.KNOWN_AFTER_SECONDS)
    await wake(Job.MOVE_CLOCKS)
    return await clock_record(caller, clock)


def _instants(
    setting: ClockSetting, known: SandboxClock | None, *, at: datetime
) -> tuple[datetime, datetime]:
    """What the clock shows, and what it is set to. Raises ClockOutOfRange."""
    present = at if known is None else known.instant_at(at)
    instant = setting.agora or present
    if instant < present:
        raise ClockOutOfRange("agora", back=True)
    if instant > at + limits.MAX_AHEAD:
        raise ClockOutOfRange("agora", back=False)
    return present, instant


async def _locked(caller: Caller) -> SandboxClock | None:
    return await SandboxClock.visible_to(caller).select_for_update().get_or_none()


def _refuse_live(caller: Caller) -> None:
    if caller.env != "test":
        raise NotFound
