"""Counts of runs and steps: changes that are added up, and merged by the clock."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.foundation.database import db
from core.foundation.database.bounded_pool import LONG_SECONDS
from core.foundation.database.transactions import statements_within
from core.journeys.runs.models import CountKind, RunState
from core.journeys.runs.pause import RECENT_CHANGES

MAX_UNMERGED_CHANGES = 50
"""Changes of one count that are left as they are."""
WHOLE = -1
"""In place of a step: what is counted is of the whole version, and the kinds are states of runs."""


@dataclass(slots=True)
class StepCounts:
    """Of one step: how many came to it, left it, failed in it, and passed it without its action, by reason."""

    entered: int = 0
    left: int = 0
    failed: int = 0
    skipped: dict[str, int] = field(default_factory=dict)

    @property
    def waiting(self) -> int:
        """How many stand in it."""
        return self.entered - self.left - self.failed


@dataclass(slots=True)
class VersionCounts:
    """Of a version: how many runs there are in each state, and the counts of its steps by their place."""

    states: dict[RunState, int] = field(default_factory=lambda: dict.fromkeys(RunState, 0))
    steps: defaultdict[int, StepCounts] = field(default_factory=lambda: defaultdict(StepCounts))


async def counts_of(version_ids: Sequence[str]) -> Mapping[str, VersionCounts]:
    """The counts of versions, as they are now: exact."""
    found: defaultdict[str, VersionCounts] = defaultdict(VersionCounts)
    for row in await db.fetch(SUMS, list(version_ids)):
        version, n = found[row["version_id"]], int(row["n"])
        if row["step"] == WHOLE:
            version.states[RunState(row["kind"])] += n
            continue
        step = version.steps[row["step"]]
        match CountKind(row["kind"]):
            case CountKind.ENTERED:
                step.entered += n
            case CountKind.LEFT:
                step.left += n
            case CountKind.FAILED:
                step.failed += n
            case CountKind.SKIPPED:
                step.skipped[row["reason"]] = n
    return {id: found[id] for id in version_ids}


async def merge_step_counts() -> int:
    """Merge the older changes of each count into one row; answers how many counts were merged.

    Readers see the old rows or the merged one, never both. It stands where the oldest stood: the newest
    changes tell what happened last.
    """
    async with statements_within(LONG_SECONDS):
        return await db.execute(MERGE, MAX_UNMERGED_CHANGES, RECENT_CHANGES)


SUMS = """
SELECT version_id, step, kind, reason, sum(delta) AS n FROM journey_step_counts
WHERE version_id = ANY ($1::text[]) GROUP BY 1, 2, 3, 4
"""

MERGE = """
WITH older AS (
    SELECT max(id) - $2::bigint AS id FROM journey_step_counts
), many AS (
    SELECT c.version_id, c.step, c.kind, c.reason FROM journey_step_counts c, older WHERE c.id <= older.id
    GROUP BY 1, 2, 3, 4 HAVING count(*) > $1
), gone AS (
    DELETE FROM journey_step_counts WHERE id IN (
        SELECT c.id FROM journey_step_counts c JOIN many USING (version_id, step, kind, reason), older
        WHERE c.id <= older.id ORDER BY c.id FOR UPDATE OF c SKIP LOCKED)
    RETURNING *
)
INSERT INTO journey_step_counts (id, organization_id, env, version_id, step, kind, reason, delta)
SELECT min(id), organization_id, env, version_id, step, kind, reason, sum(delta) FROM gone GROUP BY 2, 3, 4, 5, 6, 7
"""
