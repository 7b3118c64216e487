"""The step that goes one of two ways."""

from collections.abc import Mapping
from datetime import datetime

from core import segments
from core.foundation.database import db
from core.foundation.database.rows import column
from core.journeys.runs.batch import RunBatch, StepOutcome, VersionPaused, go_on
from core.journeys.runs.program import Program

YES, NO = "seSim", "seNao"
SEGMENT_GONE = "segmento_removido"


async def run(batch: RunBatch) -> list[StepOutcome]:
    """Asked of all of them at once, as a segment is, in the transaction that moves them."""
    matching = await those_who_match(
        batch, batch.step.config["filterTree"], [run.contact_id for run in batch.runs]
    )
    yes, no = go_on(YES), go_on(NO)
    return [yes if run.contact_id in matching else no for run in batch.runs]


async def those_who_match(batch: RunBatch, tree: Mapping[str, object], ids: list[str]) -> set[str]:
    """Which of these contacts match a tree now. Raises VersionPaused where a segment that it names
    is gone.
    """
    program = batch.program
    values: list[object] = [program.organization_id, program.env, ids]
    condition = await condition_of(program, tree, values, at=batch.at)
    rows = await db.fetch(MATCHING.replace("{condition}", condition), *values)
    return set(column(rows, "id"))


async def condition_of(
    program: Program, tree: Mapping[str, object], values: list[object], *, at: datetime
) -> str:
    """A tree in SQL over `contacts c`, whose values are added to those of the statement:
    organization and environment are the first. Raises VersionPaused where a segment that it names
    is gone.
    """
    try:
        return await segments.tree_condition(program.caller, tree, values, at=at)
    except segments.UnusableReference:
        raise VersionPaused(SEGMENT_GONE) from None


MATCHING = """
SELECT c.id FROM (SELECT * FROM contacts WHERE id = ANY ($3::text[]) OFFSET 0) AS c
WHERE c.organization_id = $1 AND c.env = $2 AND {condition}
"""
