"""How many runs of an organization may be on their way at once."""

from core.foundation.database import db
from core.foundation.errors import FieldError
from core.foundation.security.caller import Caller
from core.journeys.errors import TooManyRuns

MAX_RUNS = 5_000_000


async def keep_within_runs(caller: Caller, more: int, *, pointer: str) -> None:
    """Raises TooManyRuns where so many more would be too many."""
    if await has_room(caller, more):
        return
    said = f"With these, more than {MAX_RUNS} contacts would be inside journeys at once"
    raise TooManyRuns(errors=[FieldError("pointer", pointer, "LIMITE_DE_EXECUCOES", said)])


async def has_room(caller: Caller, more: int) -> bool:
    """Whether so many more may be on their way."""
    active = await db.fetchval(ACTIVE, caller.organization_id, caller.env)
    return bool(active + more <= MAX_RUNS)


ACTIVE = """
SELECT coalesce(sum(n.delta), 0)::bigint FROM journeys j
JOIN journey_step_counts n ON n.version_id = j.id AND n.step = -1 AND n.kind = 1
WHERE j.organization_id = $1 AND j.env = $2
"""
