"""The service pauses a version: its runs stay where they are."""

from collections.abc import Iterable
from datetime import datetime

import structlog

from core import audit
from core.foundation.clock import wire_time
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import system_caller
from core.journeys.models import Journey, JourneyStatus
from core.journeys.runs.program import Program, load_program
from core.journeys.tell import tell_paused

log = structlog.get_logger()

REPEATED = "erro_repetido"
RECENT_MOVES = 1_000
"""How many of a step's last moves are looked at."""
MIN_ERRORS = 50
"""So many of them that ended in error …"""
MIN_SHARE = 0.05
"""… and so large a part, and the version is paused."""
RECENT_CHANGES = 10_000
"""The newest changes of counts, of whatever version: they are not merged, and tell what happened
last.
"""


async def pause_by_system(version_id: str, reason: str, step: int, *, at: datetime) -> bool:
    """Pause an active version because of what happened on a step; False: it was not active any
    more.

    Who is on the way stays there. `reason`: segmento_removido, template_indisponivel, saldo,
    erro_repetido, numero_indisponivel.
    """
    program = await load_program(version_id)
    here = program.steps[step]
    paused = {"motivo": reason, "passo": here.id, "em": wire_time(at)}
    if here.label is not None:
        paused["rotulo"] = here.label
    async with transaction():
        version = Journey.filter(id=version_id, organization_id=program.organization_id)
        if not await version.filter(status=JourneyStatus.ACTIVE).update(
            status=JourneyStatus.PAUSED, paused_by=paused, updated_at=at
        ):
            return False
        caller = system_caller(program.organization_id, program.env)
        facts = {"reason": reason, "step": here.id}
        await audit.write_entry(caller, "journey.paused_by_service", version_id, facts, at=at)
        await tell_paused(program.organization_id, program.env, [version_id], at=at)
    log.warning("journey_paused", version=version_id, reason=reason, step=here.id)
    return True


async def pause_if_it_fails(program: Program, steps: Iterable[int], *, at: datetime) -> None:
    """Pause the version where too many of the last moves of one of these steps ended in error."""
    for step in sorted(steps):
        rows = await db.fetch(LAST_MOVES, program.version_id, step, RECENT_CHANGES)
        moves = errors = 0
        for row in rows:
            moves += row["delta"]
            errors += row["delta"] if row["failed"] else 0
            if moves >= RECENT_MOVES:
                break
        if errors >= MIN_ERRORS and errors >= moves * MIN_SHARE:
            await pause_by_system(program.version_id, REPEATED, step, at=at)
            return


LAST_MOVES = """
SELECT kind = 3 AS failed, delta FROM journey_step_counts
WHERE version_id = $1 AND step = $2 AND kind IN (2, 3)
  AND id > (SELECT max(id) FROM journey_step_counts) - $3::bigint
ORDER BY id DESC
"""
