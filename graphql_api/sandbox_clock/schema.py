"""The clock of a sandbox: read, set, advanced."""

from typing import cast

import strawberry
from strawberry.types import Info

from core import sandbox_clock
from core.foundation.errors import NotFound
from core.foundation.security.caller import Scope
from core.sandbox_clock import ClockAdvance, ClockRecord, ClockSetting
from graphql_api.context import caller_of
from graphql_api.mutations import mutation_field, mutation_type
from graphql_api.records import type_of

SandboxClock = type_of(ClockRecord)


async def _clock(info: Info) -> SandboxClock | None:
    try:
        return cast("SandboxClock", await sandbox_clock.get_clock(caller_of(info)))
    except NotFound:
        return None


@strawberry.type
class SandboxClockQueries:
    sandbox_clock: SandboxClock | None = strawberry.field(
        resolver=_clock, description="The clock of the sandbox; null in production"
    )


@mutation_type
class SandboxClockMutations:
    set_sandbox_clock: SandboxClock | None = mutation_field(
        sandbox_clock.set_clock,
        ClockSetting,
        scope=Scope.MESSAGES_SEND,
        description="In the test environment only: put its clock forward, and let it stand or go on.",
    )
    advance_sandbox_clock: SandboxClock | None = mutation_field(
        sandbox_clock.advance_clock,
        ClockAdvance,
        scope=Scope.MESSAGES_SEND,
        description="In the test environment only: let time pass, with all that comes due on the way.",
    )
