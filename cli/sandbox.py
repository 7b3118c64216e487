"""`svc clock` and `svc sandbox`: the time of a sandbox, and emptying it."""

import asyncio
import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.inputs import given
from cli.organizations import Org
from cli.output import Record, command, say
from cli.session import database

if TYPE_CHECKING:
    from core.sandbox_clock import ClockAdvance

sandbox = typer.Typer(help="The test environment of an organization.", no_args_is_help=True)

PERIOD = re.compile(r"\+([0-9]{1,8})([smhdw])")
POLL_SECONDS = 0.2
PATIENCE_SECONDS = 330
"""A movement takes five minutes at most; what takes longer has no worker."""


async def clock(
    how: Annotated[
        str | None,
        typer.Argument(
            help="+30d (s, m, h, d, w), an instant such as 2027-01-31T12:00:00Z, or next; without it, "
            "what it shows."
        ),
    ] = None,
    *,
    org: Org,
) -> Record:
    """What the clock of a sandbox shows, or advance it; one that is in real time stands from then on.

    A worker has to run.
    """
    from core import sandbox_clock
    from core.foundation.security.caller import system_caller
    from core.sandbox_clock import ClockSetting, ClockStatus

    advance = None if how is None else _advance_of(how)
    caller = system_caller(org, "test")
    async with database(org):
        shown: Any = await sandbox_clock.get_clock(caller)
        if advance is None:
            return {"organizationId": org, **shown}
        if shown["status"] == ClockStatus.REAL:
            await sandbox_clock.set_clock(caller, ClockSetting(congelado=True))
        shown = await sandbox_clock.advance_clock(caller, advance)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while shown["status"] == ClockStatus.ADVANCING:
                await asyncio.sleep(POLL_SECONDS)
                shown = await sandbox_clock.get_clock(caller)
    return {"organizationId": org, **shown}


def _advance_of(how: str) -> "ClockAdvance":
    from core.sandbox_clock import ClockAdvance

    if how == "next":
        return given(ClockAdvance, passo="proximo")
    if found := PERIOD.fullmatch(how):
        count, unit = found.groups()
        period = f"PT{count}{unit.upper()}" if unit in "smh" else f"P{count}{unit.upper()}"
        return given(ClockAdvance, por=period)
    return given(ClockAdvance, ate=how)


async def reset(*, org: Org) -> Record:
    """Empty the test environment of an organization and bring it back into real time; keys, people,
    limits and the audit trail stay.
    """
    from core import sandbox_clock

    async with database(org):
        gone = await sandbox_clock.reset_sandbox(org)
    say("emptied; servers know of it within three seconds")
    return {"organizationId": org, "rows": sum(gone.values())}


command(sandbox, "reset")(reset)
