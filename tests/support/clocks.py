"""A sandbox whose clock is moved: what its requests and a worker do."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any

from core import sandbox_clock
from core.foundation.http_client import GuardedClient
from core.foundation.security.caller import Caller
from core.sandbox_clock import ClockAdvance, ClockRecord, ClockSetting, SandboxClock


async def freeze(caller: Caller, at: datetime) -> ClockRecord:
    """Let the clock of the caller's sandbox stand at an instant."""
    record = await sandbox_clock.set_clock(caller, ClockSetting(agora=at, congelado=True))
    await sandbox_clock.hold_moved()
    return record


async def advance(caller: Caller, http: GuardedClient, **how: Any) -> ClockRecord:
    """Advance the clock, and be the worker that moves it. Answers the clock where it came."""
    await sandbox_clock.advance_clock(caller, ClockAdvance.model_validate(how))
    await move(caller, http)
    return await sandbox_clock.get_clock(caller)


async def move(caller: Caller, http: GuardedClient) -> None:
    """Be the worker that moves the clock as far as it goes."""
    clock = await SandboxClock.visible_to(caller).get()
    await sandbox_clock.move_clock(clock.id, http)


@asynccontextmanager
async def request_of(caller: Caller) -> AsyncIterator[None]:
    """What happens inside is a request of the caller, at the time of its sandbox."""
    async with sandbox_clock.time_of(caller):
        yield


def later(at: datetime, **by: float) -> datetime:
    """So much later."""
    return at + timedelta(**by)
