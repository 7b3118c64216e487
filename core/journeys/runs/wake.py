"""Waking runs: a worker looks at them now, and their step is asked again."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from core.foundation.database import db


async def wake_runs(ids: Sequence[UUID], steps: Sequence[int], *, at: datetime) -> int:
    """Wake runs that still stand on the step named beside each; answers how many. Waking twice does no
    harm: the step looks anew at what it waits for.
    """
    return await db.execute(WAKE, list(ids), list(steps), at)


WAKE = """
UPDATE journey_runs r SET due_at = $3
FROM unnest($1::uuid[], $2::smallint[]) AS w (id, step)
WHERE r.id = w.id AND r.step = w.step AND r.state = 1 AND r.due_at > $3
"""
